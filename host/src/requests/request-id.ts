/**
 * The id of a request, which its client may choose. The host sets it on requests that it watches (activity, killed
 * requests in the audit log); on all others the gateway does (`http/src/request-id.ts`).
 */
import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { HeaderEntry } from '../http/header-rules.ts'

/** As the gateway reads it. */
export const ID_HEADER = 'x-request-id'

/** The ids that the gateway accepts. */
const USABLE_ID = /^[\w.:-]{1,128}$/

/** The client's id; `undefined` for one that the gateway would not use. */
export function sentId({ [ID_HEADER]: sent }: IncomingHttpHeaders): string | undefined {
  return typeof sent === 'string' && USABLE_ID.test(sent) ? sent : undefined
}

/** The client's id if it is valid, otherwise a new one. */
export function createRequestId(headers: IncomingHttpHeaders): string {
  return sentId(headers) ?? randomUUID()
}

/** The headers of a request with this id, so that the gateway's lines have the same. */
export function withRequestId(headers: readonly HeaderEntry[], id: string): HeaderEntry[] {
  const others = headers.filter(([name]) => name !== ID_HEADER)
  return [...others, [ID_HEADER, id]]
}
