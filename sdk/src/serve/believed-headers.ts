/**
 * Whether a request has headers of a gateway, or of a client that writes what it likes.
 *
 * Threat: a component with a public route gets requests of strangers. If it believed their `ftl-principal`, everyone
 * could be any user. Hosts say of each request which socket it came through, behind what the sender wrote of it.
 */
import { CALLER_HEADER, PRINCIPAL_HEADER } from 'ftl-contract'

/** No socket has the address that hosts say for a component. */
const OF_COMPONENT = /(?:^|, ?)0\.0\.0\.0:0$/

/** Whether it came through a route of a host, and from no component. A component that is a server of its own has no routes. */
function isFromOutside(headers: Headers): boolean {
  return (
    headers.has('spin-matched-route') && !OF_COMPONENT.test(headers.get('spin-client-addr') ?? '')
  )
}

/** @returns the headers, without the caller that a client has given itself. */
export function believedHeaders(headers: Headers): Headers {
  if (!NAMES.some((name) => headers.has(name)) || !isFromOutside(headers)) return headers
  const believed = new Headers(headers)
  for (const name of NAMES) believed.delete(name)
  return believed
}

const NAMES = [PRINCIPAL_HEADER, CALLER_HEADER]
