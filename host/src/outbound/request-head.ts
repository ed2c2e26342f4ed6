/** The head of a request to the network. Only the host decides where a request ends on its connection. */
import { isHopByHop } from '../http/header-rules.ts'
import { HttpError } from '../http/http-error.ts'
import type { OutboundRequest } from '../instance/services.ts'

/** Methods whose requests carry no `content-length` when they have no body. Source: RFC 9110, section 8.6. */
const WITHOUT_BODY = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS'])

export interface RequestHead {
  /** Names and values in turn, as Node writes them. */
  raw: string[]
  /** Bytes the body must have; `undefined` if it is sent in chunks or there is no body. */
  length: number | undefined
}

/**
 * @param empty the body has ended without a byte.
 * @throws {HttpError} when the guest announces a length that is malformed or that the body does not have.
 */
export function requestHead(
  { authority, headers, method }: Pick<OutboundRequest, 'authority' | 'headers' | 'method'>,
  empty: boolean,
): RequestHead {
  const raw = ['host', authority]
  let length: number | undefined
  for (const [name, value] of headers) {
    if (name === 'content-length') length = readLength(value, length)
    else if (!isHopByHop(name)) raw.push(name, value)
  }
  if (!empty) {
    if (length === undefined) raw.push('transfer-encoding', 'chunked')
    else raw.push('content-length', String(length))
    return { raw, length }
  }
  // A component may forward the headers of a POST with a GET. That is harmless, but the length must not be sent.
  if (WITHOUT_BODY.has(method)) return { raw, length: undefined }
  if (length !== undefined && length > 0) {
    throw new HttpError(
      'HTTP-request-body-size',
      `sent an empty body with content-length ${length}; leave the header out`,
    )
  }
  raw.push('content-length', '0')
  return { raw, length: undefined }
}

/**
 * A value of `content-length`.
 *
 * @param before the one an earlier header gave.
 * @throws {HttpError} when recipients could read the length in two ways.
 */
export function readLength(value: string, before: number | undefined): number {
  if (before !== undefined) {
    throw new HttpError('HTTP-protocol-error', 'sent more than one content-length; send one')
  }
  if (!/^\d{1,15}$/.test(value)) {
    throw new HttpError(
      'HTTP-protocol-error',
      `sent the content-length ${JSON.stringify(value.slice(0, 40))}; it must be a number of bytes`,
    )
  }
  return Number(value)
}
