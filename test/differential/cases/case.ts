/** One HTTP request that both servers get. */

export interface Case {
  /** `{group}/{…}`, by which the list of differences names it. */
  id: string
  /** Asks the servers that offer a tool and nothing else. @default false */
  toolsOnly?: boolean
  /** @default 'POST' */
  method?: string
  headers: Readonly<Record<string, string>>
  body?: string
}

export const BOTH_TYPES = 'application/json, text/event-stream'

export const COMMON = { 'content-type': 'application/json', accept: BOTH_TYPES }

/** A header with no value here is left out. */
export type Headers = Readonly<Record<string, string | undefined>>

export interface PostOptions {
  headers?: Headers
}

/** @param body text is sent as it is. */
export function post(id: string, body: unknown, { headers }: PostOptions = {}): Case {
  return {
    id,
    headers: onlyGiven({ ...COMMON, ...headers }),
    body: typeof body === 'string' ? body : JSON.stringify(body),
  }
}

export function onlyGiven(headers: Headers): Record<string, string> {
  const given = Object.entries(headers).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given) as Record<string, string>
}

export function toRequest({ method = 'POST', headers, body }: Case): Request {
  return new Request('http://localhost:3000/mcp', { method, headers, body })
}
