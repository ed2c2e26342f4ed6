/**
 * The id of a request. It is part of every response, log line and component call, so that a failure can be traced
 * through all of them.
 */

/** Header of the id between client and gateway; calls to components use the contract's header name. */
export const CLIENT_REQUEST_ID_HEADER = 'x-request-id'

// The id is written to logs and headers, so it must not contain line breaks or markup.
const USABLE = /^[\w.:-]{1,128}$/

/** The client's own id if it is valid, otherwise a new one. */
export function createRequestId({ headers }: Request, platform: { randomUUID(): string }): string {
  const sent = headers.get(CLIENT_REQUEST_ID_HEADER)
  return sent !== null && USABLE.test(sent) ? sent : platform.randomUUID()
}
