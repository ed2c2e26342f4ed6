/**
 * The few globals and shapes of workerd that are not those of a browser.
 *
 * Types come from `@cloudflare/workers-types` by import and never as globals, which would clash with the DOM's.
 */
import type { DurableObjectNamespace, WebSocket as WorkerSocket } from '@cloudflare/workers-types'

/** The server's end of a socket, or one the Worker has opened itself. */
export type ServerSocket = WorkerSocket

/** Bindings and variables of the Worker; `wrangler.toml` sets them in production. */
export interface Bindings {
  STREAMS: DurableObjectNamespace
  FEEDS: DurableObjectNamespace
  /** Origin of the gateway, for example `http://127.0.0.1:3000`. */
  GATEWAY_URL: string
  /** Origin clients reach this bridge at. @default the origin of each client's own request */
  PUBLIC_URL?: string
  /**
   * `true` takes the scheme of a client's address from `X-Forwarded-Proto`.
   *
   * Only behind a proxy that sets this header itself; otherwise a client chooses the scheme of its links.
   *
   * @default false
   */
  TRUST_FORWARDED_PROTO?: string
  /**
   * Names the bridge is called by besides localhost, IP addresses and the host of `PUBLIC_URL`: a comma list, in the
   * form of the gateway's variable `allowed_hosts`. @default none
   */
  ALLOWED_HOSTS?: string
  /**
   * Origins of pages that may listen to streams and read files, besides those of this machine, of the bridge and of
   * the gateway: a comma list, in the form of the gateway's variable `allowed_origins`. @default none
   */
  ALLOWED_ORIGINS?: string
  /** Milliseconds the gateway may be unreachable before a stream ends with an error. @default 30000 */
  GIVE_UP_MS?: string
  /**
   * ComfyUI servers whose live progress may be watched: a JSON object of base URLs by names of your choice.
   *
   * Which of them runs a job is not public, so all are watched while a client wants progress: list only a few.
   *
   * @default none; progress then comes from the job record alone
   */
  COMFYUI_URLS?: string
  /**
   * The `client_id` that jobs are submitted with, if they have one.
   *
   * ComfyUI sends events of a prompt with a client id only to that client. Events of a prompt without one go to every
   * client, but without previews. Two bridges with the same id would take the socket from each other.
   *
   * @default a random id for each connection
   */
  COMFYUI_CLIENT_ID?: string
  /** `true` serves PNG files with the text chunks ComfyUI writes: the whole workflow, prompt included. */
  KEEP_PNG_TEXT?: string
  /** See `Limits` in settings.ts for these. */
  MAX_SOCKETS?: string
  MAX_SOCKETS_PER_STREAM?: string
  MAX_MESSAGE_BYTES?: string
  MAX_BUFFERED_BYTES?: string
  CLOSE_GRACE_MS?: string
  HEARTBEAT_MS?: string
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

/** The socket of a response, if it has one; the caller must accept it. */
export function socketOf(response: unknown): ServerSocket | undefined {
  return (response as { webSocket?: ServerSocket | null }).webSocket ?? undefined
}

/** A stream of exactly `length` bytes, so that a computed body can have a `content-length`. */
export function fixedLength(length: number): TransformStream<Uint8Array, Uint8Array> {
  const { FixedLengthStream } = globalThis as unknown as {
    FixedLengthStream: new (length: number) => TransformStream<Uint8Array, Uint8Array>
  }
  return new FixedLengthStream(length)
}

/** Origin of the gateway without a slash at the end. */
export function gatewayOrigin({ GATEWAY_URL }: Pick<Bindings, 'GATEWAY_URL'>): string {
  return GATEWAY_URL.replace(/\/+$/, '')
}
