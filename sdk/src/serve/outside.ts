/**
 * Whether a request has headers of a gateway, or of a client that writes what it likes.
 *
 * Threat: a component with a public route gets requests of strangers. If it believed their `ftl-principal`, everyone
 * could be any user. Hosts say of each request which socket it came through, behind what the sender wrote of it.
 */
import { CALLER_HEADER, PRINCIPAL_HEADER } from 'ftl-contract'

/** No socket has the address that hosts say for a component. */
const OF_COMPONENT = /(?:^|, ?)0\.0\.0\.0:0$/

/** Whether the host says that no component sent it. A request without this header was made in this process. */
export function isFromOutside(headers: Headers): boolean {
  const sender = headers.get('spin-client-addr')
  return sender !== null && !OF_COMPONENT.test(sender)
}

/** @returns the headers, without the caller that a client has given itself. */
export function believedHeaders(headers: Headers): Headers {
  if (!NAMES.some((name) => headers.has(name)) || !isFromOutside(headers)) return headers
  const believed = new Headers(headers)
  for (const name of NAMES) believed.delete(name)
  return believed
}

const NAMES = [PRINCIPAL_HEADER, CALLER_HEADER]
