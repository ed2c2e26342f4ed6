import { readFileSync } from 'node:fs'

/** What clients may take of the host: part of `HostOptions`. */
export interface ClientLimits {
  /** Bytes of a request's head; more gets 431. @default 16_384 */
  maxHeaderBytes?: number
  /** Bytes of a request's body; more gets 413. Bodies are streamed, so a large one costs no memory. @default 1 GiB */
  maxBodyBytes?: number
  /** Bytes of a response's body; a longer one is cut off. @default no limit */
  maxResponseBytes?: number
  /**
   * Milliseconds a client has to send the head of a request; then 408. Half a head would hold a socket forever.
   *
   * @default 20_000
   */
  headerTimeoutMs?: number
  /**
   * Milliseconds without a byte of a request's body, while the host wants one; then 408, and the connection is closed.
   * A client that stops in the middle would hold an instance for ever.
   *
   * @default 15_000
   */
  bodyIdleMs?: number
  /**
   * Connections at once. Beyond this limit the host closes the connection without a request that has been idle longest.
   * Without a limit, a flood of connections would take every file descriptor.
   *
   * @default half of the files the process may open, at most 10_000
   */
  maxConnections?: number
  /**
   * Connections of one client address at once; further ones are closed. An IPv6 /64 counts as one address.
   *
   * @default 512
   */
  maxClientConnections?: number
  /** Requests of one client address at once; further ones get 429 with Retry-After. @default 128 */
  maxClientRequests?: number
  /**
   * Addresses and CIDR blocks of proxies in front. A request from one counts for the client that its
   * `X-Forwarded-For` names; from other addresses that header is ignored. This machine is always trusted; a trusted
   * peer that sends no `X-Forwarded-For` is not counted.
   *
   * @default none
   */
  trustedProxies?: readonly string[]
}

export type FrontLimits = Required<ClientLimits>

/** Connections that are enough for any host whose file limit is higher. */
const MOST_CONNECTIONS = 10_000

export function frontLimits(options: ClientLimits): FrontLimits {
  return {
    maxHeaderBytes: options.maxHeaderBytes ?? 16_384,
    maxBodyBytes: options.maxBodyBytes ?? 1024 ** 3,
    maxResponseBytes: options.maxResponseBytes ?? Infinity,
    headerTimeoutMs: options.headerTimeoutMs ?? 20_000,
    bodyIdleMs: options.bodyIdleMs ?? 15_000,
    // The other half is for components' files, their connections, the database and the log.
    maxConnections:
      options.maxConnections ?? Math.min(MOST_CONNECTIONS, Math.floor(openFileLimit() / 2)),
    maxClientConnections: options.maxClientConnections ?? 512,
    maxClientRequests: options.maxClientRequests ?? 128,
    trustedProxies: options.trustedProxies ?? [],
  }
}

/** Assumed where the system does not say. */
const UNKNOWN = 10_000

/**
 * How many files and sockets this process may have open.
 *
 * Node raises the soft limit to the hard one when it starts, so this is what counts.
 */
function openFileLimit(read = () => readFileSync('/proc/self/limits', 'utf8')): number {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(read()) ?? []
    return soft === undefined ? UNKNOWN : Number(soft)
  } catch {
    return UNKNOWN
  }
}
