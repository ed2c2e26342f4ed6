/** Requests the description of one component. */
import {
  BodyTooLarge,
  DeadlineExceeded,
  discard,
  isObject,
  isString,
  JsonTooDeep,
  parseJson,
  readText,
  sha256,
  withDeadline,
} from 'ftl-http'
import { fetchComponent } from '../component-fetch.ts'
import type { Scope } from '../scope.ts'
import { type Described, describe, NotAToolList } from './describe.ts'

/** Bytes of a description; a list of some thousand tools is smaller. */
const DESCRIPTION_LIMIT = 1024 * 1024

/** What a component published. */
export interface Published extends Described {
  /** SHA-256 of all of it, in hexadecimal. */
  digest: string
}

/** Why a component gave no list, in a form that is safe to show. */
export interface NotPublished {
  reason: string
  /** What is listed if nothing else is known of it. @default nothing */
  instead?: Published
}

/** Never throws and never takes longer than `timeoutMs`. */
export async function discover(
  scope: Scope,
  component: string,
  timeoutMs: number,
): Promise<Published | NotPublished> {
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
    return await published(parse(text))
  } catch (error) {
    if (error instanceof DoesNotBuild) return standsIn(error.answer)
    return { reason: reasonOf(error) }
  }
}

async function published(value: unknown): Promise<Published> {
  const described = describe(value)
  return { ...described, digest: await sha256(JSON.stringify(described)) }
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
    const error = isObject(value) ? value.error : undefined
    if (isObject(error) && error.code === 'does_not_build' && isString(error.message)) {
      return { reason: error.message, instead: await published(value) }
    }
  } catch {
    // Another component that answers 503.
  }
  return { reason: 'it answered with status 503' }
}

function parse(text: string): unknown {
  try {
    return parseJson(text)
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
