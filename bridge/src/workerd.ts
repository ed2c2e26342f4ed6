/**
 * The few globals and shapes of workerd that are not those of a browser.
 *
 * Types come from `@cloudflare/workers-types` by import and never as globals, which would clash with the DOM's.
 *
 * @module
 */
import type { DurableObjectNamespace, WebSocket as WorkerSocket } from '@cloudflare/workers-types'

/** The server's end of a socket. */
export type ServerSocket = WorkerSocket

/** Bindings and variables of the Worker; `wrangler.toml` sets them in production. */
export interface Bindings {
  STREAMS: DurableObjectNamespace
  /** Origin of the gateway, for example `http://127.0.0.1:3000`. */
  GATEWAY_URL: string
  /** Origin clients reach this bridge at. @default the origin of each client's own request */
  PUBLIC_URL?: string
  /**
   * `true` takes the scheme of a client's address from `X-Forwarded-Proto`.
   *
   * Only behind a proxy that sets this header itself; else a client chooses what it is shown.
   *
   * @default false
   */
  TRUST_FORWARDED_PROTO?: string
  /** Milliseconds the gateway may be unreachable before a stream is given up. @default 30000 */
  GIVE_UP_MS?: string
}

declare const WebSocketPair: new () => { 0: WebSocket; 1: ServerSocket }

export function webSocketPair(): { client: WebSocket; server: ServerSocket } {
  const pair = new WebSocketPair()
  return { client: pair[0], server: pair[1] }
}

/** The answer that turns a request into a socket. */
export function upgraded(client: WebSocket): Response {
  return new Response(null, { status: 101, webSocket: client } as ResponseInit)
}

/** Origin of the gateway without a slash at the end. */
export function gatewayOrigin({ GATEWAY_URL }: Pick<Bindings, 'GATEWAY_URL'>): string {
  return GATEWAY_URL.replace(/\/+$/, '')
}
