import { allowInsecureRequests, customFetch } from 'oauth4webapi'
import { AuthenticationError } from '../errors.ts'
import { allowedAddress } from './addresses.ts'

/** Metadata of large authorization servers takes 10 KB. */
const MAX_BYTES = 256 * 1024
/** Milliseconds of one request, with its body. */
const TIMEOUT_MS = 15_000

export type BoundedFetch = (url: string | URL, init?: RequestInit) => Promise<Response>

/**
 * A `fetch` for addresses that a server named: to allowed addresses only, with limits of time and size, and without
 * following redirects, which could lead anywhere.
 *
 * @throws {AuthenticationError}
 */
export function boundedFetch(
  server: URL,
  {
    fetch = globalThis.fetch,
    signal,
  }: { fetch?: typeof globalThis.fetch; signal?: AbortSignal } = {},
): BoundedFetch {
  return async (address, init) => {
    const url = allowedAddress(address, server, 'an address of the sign-in')
    const { host } = url
    const limit = AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ...(signal ? [signal] : [])])
    try {
      const response = await fetch(url, { ...init, redirect: 'manual', signal: limit })
      if (response.status >= 300 && response.status < 400) {
        await response.body?.cancel()
        throw new AuthenticationError(
          `${host} answered ${url.pathname} with a redirect, which is not followed while signing in`,
        )
      }
      const { status, statusText, headers } = response
      const body = await readBounded(response, host, limit)
      // These responses have no body, and must not be constructed with one.
      const isEmpty = status === 204 || status === 205 || body.length === 0
      return new Response(isEmpty ? null : body, { status, statusText, headers })
    } catch (error) {
      if (error instanceof AuthenticationError || signal?.aborted) throw error
      if (limit.aborted) {
        throw new AuthenticationError(`${host} did not answer within ${TIMEOUT_MS / 1000} s`)
      }
      throw new AuthenticationError(`${host} cannot be reached${reasonOf(error)}`, { cause: error })
    }
  }
}

/** Options that make oauth4webapi use it. Plain HTTP is allowed there because `allowedAddress` decides. */
export function requestOptions(fetch: BoundedFetch) {
  return { [customFetch]: fetch, [allowInsecureRequests]: true }
}

/** @param limit Not every `fetch` ends a body with its signal. */
async function readBounded(
  response: Response,
  host: string,
  limit: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  let bytes = 0
  const reader = response.body?.getReader()
  const cancel = () => void reader?.cancel(limit.reason).catch(() => undefined)
  limit.addEventListener('abort', cancel)
  try {
    for (;;) {
      const next = await reader?.read()
      limit.throwIfAborted()
      if (next?.value === undefined) break
      parts.push(next.value)
      bytes += next.value.length
      if (bytes > MAX_BYTES) {
        throw new AuthenticationError(`${host} sent more than ${MAX_BYTES / 1024} KiB`)
      }
    }
  } catch (error) {
    cancel()
    throw error
  } finally {
    limit.removeEventListener('abort', cancel)
  }
  const body = new Uint8Array(bytes)
  let at = 0
  for (const part of parts) {
    body.set(part, at)
    at += part.length
  }
  return body
}

function reasonOf(error: unknown): string {
  const { cause } = Object(error) as { cause?: { code?: unknown } }
  return typeof cause?.code === 'string' ? ` (${cause.code})` : ''
}
