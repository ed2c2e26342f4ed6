/** Responses without a component. */
import type { ServerResponse } from 'node:http'
import type { Refusal } from '../limits/limiter.ts'
import { refusalAnswer } from '../limits/refusal-answer.ts'

/** Statuses after which the same request may succeed later. */
const LATER = [429, 503]

/** @param message for people. @default no body */
export function refuse(response: ServerResponse, status: number, message = ''): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  const headers: Record<string, string | number> = {
    'content-length': Buffer.byteLength(message),
    ...(message !== '' && { 'content-type': 'text/plain; charset=utf-8' }),
  }
  if (LATER.includes(status)) headers['retry-after'] = 1
  // Otherwise the rest of the body would be read as the next request.
  else headers['connection'] = 'close'
  response.writeHead(status, headers).end(message)
}

export interface RefusalOptions {
  pathname: string
  /** @default 429 */
  status?: number
  isHead: boolean
  /** `RateLimit` and `RateLimit-Policy`. */
  headers?: readonly (readonly [name: string, value: string])[]
  /** For the page that sent the request. */
  page?: Readonly<Record<string, string>>
}

/** With the reason, in a form that the client shows. */
export function refuseReadably(
  response: ServerResponse,
  refusal: Refusal,
  { pathname, status = 429, isHead, headers = [], page = {} }: RefusalOptions,
): void {
  const answer = refusalAnswer(pathname, refusal)
  response
    .writeHead(status, {
      ...answer.headers,
      ...Object.fromEntries(headers),
      vary: 'Origin',
      ...page,
    })
    .end(isHead ? undefined : answer.body)
}
