/** Requests the description of one component. */
import type { ToolDescription } from 'ftl-contract'
import {
  BodyTooLarge,
  DeadlineExceeded,
  discard,
  JsonTooDeep,
  parseJson,
  readText,
  sha256,
  withDeadline,
} from 'ftl-http'
import { LISTED_WAIT } from '../client-traits.ts'
import { fetchComponent } from '../component-fetch.ts'
import { errorIn } from '../error-in.ts'
import type { Scope } from '../scope.ts'
import type { Accepted, Difference } from './differences.ts'
import { type Described, describe, NotAToolList } from './describe.ts'
import { type ToolReach, withReach } from './reach.ts'

/** Bytes of a description: those of the tools of many servers behind one component. */
const DESCRIPTION_LIMIT = 9 * 1024 * 1024
/** Arrays and objects in it: 5,000 tools with schemas of eighty. */
const MAX_BRACKETS = 400_000

/** What a component published. */
export interface Published extends Described {
  /** SHA-256 of all of it, in hexadecimal. */
  digest: string
  /** What differs from its pins. @default nothing, or it has none */
  differences?: Difference[]
}

/** Why a component gave no list, in a form that is safe to show. */
export interface NotPublished {
  reason: string
  /** What is listed if nothing else is known of it. @default nothing */
  instead?: Published
  /** Whether its earlier answers count no more. @default false */
  forgets?: boolean
}

export interface DiscoverOptions {
  timeoutMs: number
  /** @default everything is accepted */
  accepted?: Accepted | undefined
  reach: ToolReach
}

/** Never throws and never takes longer than `timeoutMs`. */
export async function discover(
  scope: Scope,
  component: string,
  { timeoutMs, accepted, reach }: DiscoverOptions,
): Promise<Published | NotPublished> {
  const another = accepted?.ofAnotherFile(component)
  if (accepted && another) return ofAnotherFile(accepted, component, another)
  try {
    const text = await withDeadline(timeoutMs, async (signal) => {
      const response = await fetchComponent(scope, component, '/', { timeoutMs, signal })
      if (response.status === 503 && scope.settings.devBuild !== '') {
        throw new DoesNotBuild(await readText(response, { limit: DESCRIPTION_LIMIT, signal }))
      }
      if (response.status !== 200) {
        discard(response)
        throw new NotAToolList(`it answered with status ${response.status}`)
      }
      return readText(response, { limit: DESCRIPTION_LIMIT, signal })
    })
    const { asPublished, ...described } = describe(parse(text))
    const { offers } = described
    offers.tools = offers.tools.map((tool) => {
      const seen = withReach(tool, component, reach)
      return offers.jobs ? { ...seen, _meta: { ...seen._meta, ...LISTED_WAIT } } : seen
    })
    const published = await withDigest(described)
    if (!accepted) return published
    return { ...published, differences: await accepted.differences(component, asPublished) }
  } catch (error) {
    if (error instanceof DoesNotBuild) return standsIn(error.answer)
    return { reason: reasonOf(error) }
  }
}

async function withDigest(described: Described): Promise<Published> {
  return { ...described, digest: await sha256(JSON.stringify(described)) }
}

/** The host serves another component in its place. What it knows of its tools is their names. */
async function ofAnotherFile(
  accepted: Accepted,
  component: string,
  tools: ToolDescription[],
): Promise<NotPublished> {
  const { asPublished, ...described } = describe({ tools })
  return {
    reason: 'its file is not the one that was pinned (ftl pin)',
    instead: {
      ...described,
      digest: '',
      differences: await accepted.differences(component, asPublished),
    },
    forgets: true,
  }
}

/** The answer of what `ftl dev` serves instead of a component that does not build. */
class DoesNotBuild extends Error {
  readonly answer: string
  constructor(answer: string) {
    super()
    this.answer = answer
  }
}

async function standsIn(answer: string): Promise<NotPublished> {
  try {
    const value = parse(answer)
    const error = errorIn(value)
    if (error?.code === 'does_not_build') {
      return { reason: error.message, instead: await withDigest(describe(value)) }
    }
  } catch {
    // Another component that answers 503.
  }
  return { reason: 'it answered with status 503' }
}

function parse(text: string): unknown {
  try {
    return parseJson(text, { brackets: MAX_BRACKETS })
  } catch (error) {
    const deep = error instanceof JsonTooDeep
    throw new NotAToolList(`its description ${deep ? error.message : 'is not JSON'}`)
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof NotAToolList) return error.message
  if (error instanceof DeadlineExceeded) return `it gave ${error.message}`
  if (error instanceof BodyTooLarge) return `its description has ${error.message}`
  return 'it cannot be reached'
}
