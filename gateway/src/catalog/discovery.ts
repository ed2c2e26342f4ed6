/**
 * Asks one component what it offers.
 *
 * @module
 */
import { DEADLINE_HEADER, REQUEST_ID_HEADER } from 'ftl-sdk/contract'
import { BodyTooLarge, discard, readText } from '../body.ts'
import { componentUrl } from '../component-url.ts'
import { DeadlineExceeded, withDeadline } from '../deadline.ts'
import { parseJson } from '../json-depth.ts'
import type { Scope } from '../scope.ts'
import { type Described, describe, NotAToolList } from './describe.ts'

/** Bytes of a description; a list of some thousand tools is smaller. */
export const DESCRIPTION_LIMIT = 1024 * 1024

/** What a component published. */
export interface Published extends Described {
  /** SHA-256 of all of it, in hexadecimal. */
  digest: string
}

/** What can be said, safely, of a component that gave no list. */
export interface NotPublished {
  reason: string
}

/** Never throws and never takes longer than the discovery deadline. */
export async function discover(scope: Scope, component: string): Promise<Published | NotPublished> {
  const timeoutMs = scope.settings.discoveryTimeoutMs
  try {
    const text = await withDeadline(timeoutMs, async (signal) => {
      const response = await scope.platform.fetch(componentUrl(component), {
        headers: {
          accept: 'application/json',
          [DEADLINE_HEADER]: String(timeoutMs),
          [REQUEST_ID_HEADER]: scope.requestId,
        },
        signal,
      })
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
  } catch {
    throw new NotAToolList('its description is not JSON')
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof NotAToolList) return error.message
  if (error instanceof DeadlineExceeded) return `it gave ${error.message}`
  if (error instanceof BodyTooLarge) return `its description has ${error.message}`
  return 'it cannot be reached'
}

async function sha256(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
