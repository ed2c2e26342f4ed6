/** Sends a request to a component inside the application, by service chaining. */
import { DEADLINE_HEADER, REQUEST_ID_HEADER } from 'ftl-contract'
import type { Scope } from './scope.ts'

export interface ComponentRequest {
  method?: string
  headers?: Record<string, string>
  body?: string
  /** Milliseconds the gateway will wait; also sent to the component. */
  timeoutMs: number
  /**
   * Aborts the request until the response begins. A later abort would make the engine fail at the end of the body, and
   * with it every other response of the instance. To cancel then, stop reading the body.
   */
  signal: AbortSignal
}

/**
 * @param component must have been checked with `isComponentName` if it comes from outside the gateway.
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
