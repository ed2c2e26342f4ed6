import type { HostOptions } from '../host-options.ts'
import { openFileLimit } from './open-files.ts'

/** What clients may take of the host. See the options of the same names of `HostOptions`. */
export type FrontLimits = Required<
  Pick<
    HostOptions,
    | 'maxHeaderBytes'
    | 'maxBodyBytes'
    | 'headerTimeoutMs'
    | 'bodyIdleMs'
    | 'maxConnections'
    | 'maxClientConnections'
    | 'maxClientRequests'
    | 'trustedProxies'
  >
>

/** Connections that are enough for any host whose file limit is higher. */
const MOST_CONNECTIONS = 10_000

export function frontLimits(options: HostOptions): FrontLimits {
  return {
    maxHeaderBytes: options.maxHeaderBytes ?? 16_384,
    maxBodyBytes: options.maxBodyBytes ?? 1024 ** 3,
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
