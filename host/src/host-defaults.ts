/** What a host takes for options that are not given. The options say what they mean. */
import { DEFAULT_HOST_SHARE } from './instance/host-share.ts'

const MIB = 1024 ** 2

/** Bytes and milliseconds, as in the options of these names. */
export const HOST_DEFAULTS = {
  listen: '127.0.0.1:3000',
  maxInstances: 250,
  maxRequests: 1000,
  maxChainDepth: 16,
  maxHostMemory: DEFAULT_HOST_SHARE.hostBytes,
  maxOutputBytes: DEFAULT_HOST_SHARE.outputBytes,
  maxOutputRate: MIB,
  maxWorkerHeap: 512 * MIB,
  maxLostThreads: 4,
  maxBlockingMs: 5000,
  abandonedMs: 30_000,
  quarantineMs: 600_000,
  requestTimeoutMs: 600_000,
} as const
