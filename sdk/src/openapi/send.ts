/** Sends a request, and follows redirects within the origin: credentials go to no other one. */
import type { ApiRequest } from './request.ts'

export type Fetch = (input: string, init: RequestInit) => Promise<Response>

export interface Sent {
  response: Response
  /** Where the API sends the caller instead, if that is not followed. */
  elsewhere?: string
  /** Whether it led to the same server until that was too often. */
  isEndless?: boolean
}

const MAX_REDIRECTS = 5

export async function send(fetch: Fetch, request: ApiRequest): Promise<Sent> {
  let { url, method, body } = request
  const headers = new Headers(request.headers)
  for (let count = 0; ; count++) {
    const response = await fetch(url, {
      ...{ method, headers, redirect: 'manual' },
      ...(body !== undefined && { body }),
    })
    const next = redirectOf(response, url)
    if (next === undefined) return { response }
    const isRead = method === 'GET' || method === 'HEAD'
    const becomesRead = response.status === 303
    const keepsMethod = isRead || becomesRead || response.status >= 307
    if (!keepsMethod || new URL(next).origin !== new URL(url).origin) {
      return { response, elsewhere: next }
    }
    if (count === MAX_REDIRECTS) return { response, elsewhere: next, isEndless: true }
    await response.body?.cancel()
    if (becomesRead && !isRead) {
      method = 'GET'
      body = undefined
      headers.delete('content-type')
    }
    url = next
  }
}

function redirectOf({ status, headers }: Response, url: string): string | undefined {
  if (![301, 302, 303, 307, 308].includes(status)) return undefined
  const location = headers.get('location')
  if (location === null || !URL.canParse(location, url)) return undefined
  const next = new URL(location, url)
  // The host refuses requests to addresses with a user name.
  next.username = ''
  next.password = ''
  return next.href
}
