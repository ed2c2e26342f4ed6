/** A fetch that can be aborted only until its response begins. */

/** The part of a component's platform that is used. */
export interface Network {
  fetch(url: string, init?: RequestInit): Promise<Response>
}

/** Our engine ends the body of a response with its request, so the signal needs no other one in front. */
const endsBodies = Symbol.for('ftl.textWithin') in globalThis

/**
 * Aborts the request with `signal`, but not once the response has begun: if an aborted body ends, the engine of a
 * component fails in its own code, and with it every other response of the instance. To cancel then, stop reading.
 */
export function fetchUntilResponse(
  network: Network,
  url: string,
  { signal, ...init }: RequestInit & { signal: AbortSignal },
): Promise<Response> {
  if (endsBodies) return network.fetch(url, { ...init, signal })
  const controller = new AbortController()
  const abort = () => controller.abort(signal.reason)
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort)
  const response = network.fetch(url, { ...init, signal: controller.signal })
  const begun = () => signal.removeEventListener('abort', abort)
  response.then(begun, begun)
  return response
}
