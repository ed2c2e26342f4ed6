/** What the gateway reports to its host of the calls in a request; the host takes it out of the response. */

/** For the response to a request with several calls: the host counts each of them. */
export function callsHeader(calls: number): Record<string, string> {
  return { 'ftl-calls': String(calls) }
}
