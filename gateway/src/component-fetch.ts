/** Sends a request to a component inside the application, by service chaining. */
import { COMPONENT_HEADER, DEADLINE_HEADER, REQUEST_ID_HEADER } from 'ftl-contract'
import { fetchUntilResponse } from 'ftl-http'
import type { Scope } from './scope.ts'

/** Bytes of a component's answer: enough for an image of some megapixels in base64. */
export const ANSWER_LIMIT = 8 * 1024 * 1024

export interface ComponentRequest {
  method?: string
  headers?: Record<string, string>
  body?: string | ReadableStream<Uint8Array<ArrayBuffer>>
  /** Milliseconds the gateway will wait; also sent to the component. */
  timeoutMs: number
  /** Aborts the request until the response begins. */
  signal: AbortSignal
}

/**
 * @param component must have been checked with `isComponentName` if it comes from outside the gateway.
 * @param path begins with a slash.
 */
export function fetchComponent(
  { platform, requestId, settings }: Scope,
  component: string,
  path: string,
  { timeoutMs, signal, headers, ...init }: ComponentRequest,
): Promise<Response> {
  const place = settings.toolComponents.get(component) ?? component
  return fetchUntilResponse(platform, `http://${place}.spin.internal${path}`, {
    // A component must not make the gateway call another address.
    redirect: 'manual',
    ...init,
    // What `fetch` requires for a body that is a stream.
    ...(typeof init.body === 'object' && { duplex: 'half' }),
    headers: {
      [REQUEST_ID_HEADER]: requestId,
      [DEADLINE_HEADER]: String(timeoutMs),
      ...(place !== component && { [COMPONENT_HEADER]: component }),
      ...headers,
    },
    signal,
  })
}
