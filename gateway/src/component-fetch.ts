/**
 * A request to a component inside the application, by service chaining.
 *
 * @module
 */
import { DEADLINE_HEADER, REQUEST_ID_HEADER } from 'ftl-sdk/contract'
import type { Scope } from './scope.ts'

export interface ComponentRequest {
  method?: string
  headers?: Record<string, string>
  body?: string
  /** Milliseconds the gateway will wait; the component is told. */
  timeoutMs: number
  /**
   * Gives the request up, until the response begins. After that the engine fails in its own code when a body ends that
   * was aborted, and takes every other answer of the instance along; whoever reads it just stops.
   */
  signal: AbortSignal
}

/**
 * @param component checked with `isComponentName` by whoever read it from outside.
 * @param path begins with a slash.
 */
export function fetchComponent(
  { platform, requestId }: Scope,
  component: string,
  path: string,
  { timeoutMs, signal, headers, ...init }: ComponentRequest,
): Promise<Response> {
  const controller = new AbortController()
  const abort = () => controller.abort(signal.reason)
  signal.addEventListener('abort', abort)
  const answer = platform.fetch(`http://${component}.spin.internal${path}`, {
    ...init,
    headers: {
      [REQUEST_ID_HEADER]: requestId,
      [DEADLINE_HEADER]: String(timeoutMs),
      ...headers,
    },
    signal: controller.signal,
  })
  const begun = () => signal.removeEventListener('abort', abort)
  answer.then(begun, begun)
  return answer
}
