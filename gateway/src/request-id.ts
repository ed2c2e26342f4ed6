/**
 * The id of a request: in every response, in the log and in the calls to components, so that one failure can be
 * followed through all of them.
 *
 * @module
 */
import type { Platform } from 'ftl-platform'

/** Header of the id between client and gateway; components get it under the name of the contract. */
export const CLIENT_REQUEST_ID_HEADER = 'x-request-id'

// It goes into logs and headers: nothing that could end a line or be taken for markup.
const USABLE = /^[\w.:-]{1,128}$/

/** The client's own id when it can be used, else a new one. */
export function createRequestId(
  { headers }: Request,
  platform: Pick<Platform, 'randomUUID'>,
): string {
  const sent = headers.get(CLIENT_REQUEST_ID_HEADER)
  return sent !== null && USABLE.test(sent) ? sent : platform.randomUUID()
}
