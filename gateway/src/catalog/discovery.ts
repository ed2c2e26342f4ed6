/** Requests the description of one component. */
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
      if (response.status !== 200) {
        discard(response)
        throw new NotAToolList(`it answered with status ${response.status}`)
      }
      return readText(response, { limit: DESCRIPTION_LIMIT, signal })
    })
    const described = describe(parse(text))
    return { ...described, digest: await sha256(JSON.stringify(described)) }
  } catch (error) {
    return { reason: reasonOf(error) }
  }
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
