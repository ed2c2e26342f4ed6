/** Reads the bridge's variables: its limits, and the ComfyUI servers it may watch. */
import { asObject } from 'ftl-contract'
import type { Bindings } from './workerd.ts'

export interface Limits {
  /**
   * Sockets of all streams together, in one process of workerd; one more is answered 503.
   *
   * A stream with one socket takes about 300 KB of memory.
   *
   * @default 1000
   */
  maxTotalSockets: number
  /**
   * Sockets that may listen to one stream at the same time; one more is closed with 1013.
   *
   * All sockets of a stream share one Durable Object of 128 MB, and every client that knows the id may connect.
   *
   * @default 50
   */
  maxSockets: number
  /** Bytes of one message from a client, which needs to send only `ping` and `ack`. @default 1024 */
  maxMessageBytes: number
  /**
   * Bytes of live messages that may wait for a client that does not read them.
   *
   * @default 1_048_576
   */
  maxBufferedBytes: number
  /** Milliseconds a client has to close first after `stream/end`, as the guide asks it to. @default 2000 */
  closeGraceMs: number
  /** Milliseconds between two keep-alive messages to a client that asked for them. @default 15_000 */
  heartbeatMs: number
}

const DEFAULTS: Limits = {
  maxTotalSockets: 1_000,
  maxSockets: 50,
  maxMessageBytes: 1_024,
  maxBufferedBytes: 1_048_576,
  closeGraceMs: 2_000,
  heartbeatMs: 15_000,
}

type LimitBindings = Pick<
  Bindings,
  | 'MAX_SOCKETS'
  | 'MAX_SOCKETS_PER_STREAM'
  | 'MAX_MESSAGE_BYTES'
  | 'MAX_BUFFERED_BYTES'
  | 'CLOSE_GRACE_MS'
  | 'HEARTBEAT_MS'
>

/** A variable that is not a positive number is treated as not set. */
export function readLimits(env: LimitBindings): Limits {
  return {
    maxTotalSockets: positive(env.MAX_SOCKETS, DEFAULTS.maxTotalSockets),
    maxSockets: positive(env.MAX_SOCKETS_PER_STREAM, DEFAULTS.maxSockets),
    maxMessageBytes: positive(env.MAX_MESSAGE_BYTES, DEFAULTS.maxMessageBytes),
    maxBufferedBytes: positive(env.MAX_BUFFERED_BYTES, DEFAULTS.maxBufferedBytes),
    closeGraceMs: positive(env.CLOSE_GRACE_MS, DEFAULTS.closeGraceMs),
    heartbeatMs: positive(env.HEARTBEAT_MS, DEFAULTS.heartbeatMs),
  }
}

/**
 * The ComfyUI servers by name, from `COMFYUI_URLS`; entries that are not an http(s) URL are left out.
 *
 * Without servers, or if the variable is not valid JSON, progress comes from the job record alone.
 */
export function comfyServers({
  COMFYUI_URLS,
}: Pick<Bindings, 'COMFYUI_URLS'>): Map<string, string> {
  const entries = Object.entries(parseObject(COMFYUI_URLS)).flatMap(([name, url]) =>
    typeof url === 'string' && /^https?:\/\/./.test(url)
      ? [[name, url.replace(/\/+$/, '')] as const]
      : [],
  )
  return new Map(entries)
}

function positive(text: string | undefined, standard: number): number {
  const value = Number(text)
  return Number.isFinite(value) && value > 0 ? value : standard
}

function parseObject(text: string | undefined): Record<string, unknown> {
  try {
    return asObject(JSON.parse(text || '{}'))
  } catch {
    return {}
  }
}
