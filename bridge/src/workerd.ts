/**
 * The few globals and shapes of workerd that are not those of a browser.
 *
 * @module
 */
import type { DurableObjectNamespace } from '@cloudflare/workers-types'

export interface Bindings {
  STREAMS: DurableObjectNamespace
  /** Origin of the gateway, for example `http://127.0.0.1:3000`. */
  GATEWAY_URL: string
  /** Origin clients reach this bridge at. @default the origin of each client's own request */
  PUBLIC_URL?: string
  /** Milliseconds the gateway may be unreachable before a stream is given up. @default 30000 */
  GIVE_UP_MS?: string
}

/** The server's end of a socket. */
export interface ServerSocket extends WebSocket {
  /** Takes the socket over; without it nothing is received. */
  accept(): void
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
