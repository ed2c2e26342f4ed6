/** Documents of an authorization server. */
import { discard, fetchUntilResponse, parseJson, readText, withDeadline } from 'ftl-http'
import type { Scope } from '../scope.ts'

/** Milliseconds for one document. */
const TIMEOUT_MS = 5_000

/** Bytes. The key sets of large issuers have 3,000 to 30,000. */
const LIMIT = 256 * 1024

/**
 * @returns `undefined` if the server does not have it (a status of 4xx).
 * @throws {Error} if the server cannot be reached, or answers with a redirect, too late, too much, or not in JSON.
 */
export async function fetchJson(
  { platform }: Scope,
  url: string,
  { headers, ...init }: { method?: string; body?: string; headers?: Record<string, string> } = {},
): Promise<unknown> {
  return withDeadline(TIMEOUT_MS, async (signal) => {
    // A redirect could lead to an address inside the network.
    const response = await fetchUntilResponse(platform, url, {
      ...init,
      headers: { accept: 'application/json', ...headers },
      redirect: 'manual',
      signal,
    })
    const { status } = response
    if (status !== 200) {
      discard(response)
      if (status >= 400 && status < 500) return undefined
      throw new Error(`${url} answered with status ${status}`)
    }
    return parseJson(await readText(response, { limit: LIMIT, signal }))
  })
}
