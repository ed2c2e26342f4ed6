/** The limits of the host as flags. Defaults are the host's own; the help repeats them. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { HostOptions } from 'ftl-host'

export type LimitFlags = Pick<
  HostOptions,
  | 'workers'
  | 'maxBlockingMs'
  | 'quarantineMs'
  | 'maxLostThreads'
  | 'maxWorkerHeap'
  | 'requestTimeoutMs'
  | 'abandonedMs'
  | 'maxRequests'
  | 'maxInstances'
  | 'maxInstanceMemory'
  | 'maxHostMemory'
  | 'maxOutputBytes'
  | 'maxOutputRate'
  | 'maxChainDepth'
  | 'maxHeaderBytes'
  | 'maxBodyBytes'
  | 'maxStoreKeys'
  | 'maxStoreBytes'
  | 'headerTimeoutMs'
  | 'bodyIdleMs'
  | 'maxConnections'
  | 'maxClientConnections'
  | 'maxClientRequests'
  | 'burst'
  | 'maxCallsPerCaller'
  | 'drainMs'
>

interface Limit {
  flag: string
  text: string
  /** Whether it may be switched off with `none`. @default false */
  optional?: boolean
  env?: string
  /** @default 1 */
  least?: number
}

const LIMITS: Record<keyof LimitFlags, Limit> = {
  workers: { flag: '--workers <n>', text: 'threads that run guests (one for each core)' },
  maxBlockingMs: {
    flag: '--max-blocking-ms <ms>',
    text: 'time a guest may compute without waiting before its thread is ended (5000)',
    optional: true,
  },
  quarantineMs: {
    flag: '--quarantine-ms <ms>',
    text: 'time for which a component that blocked a thread runs in its own thread; 0 turns this off (600000)',
    least: 0,
  },
  maxLostThreads: {
    flag: '--max-lost-threads <n>',
    text: 'threads that may fail to end before the host ends itself (4)',
    least: 0,
  },
  maxWorkerHeap: {
    flag: '--max-worker-heap <bytes>',
    text: "JavaScript heap of a worker, without its guests' memory (512 MiB)",
    least: 16 * 1024 ** 2,
  },
  requestTimeoutMs: {
    flag: '--request-timeout-ms <ms>',
    text: 'time a request may take, with all it starts, before 504 (600000)',
    optional: true,
  },
  abandonedMs: {
    flag: '--abandoned-ms <ms>',
    text: 'time a guest may continue after its caller disconnected (30000)',
  },
  maxRequests: { flag: '--max-requests <n>', text: 'requests at once; others get 503 (1000)' },
  maxInstances: {
    flag: '--max-instances <n>',
    text: 'instances of one component at once, in all workers (250)',
  },
  maxInstanceMemory: {
    flag: '--max-instance-memory <bytes>',
    text: 'memory of one request (128 MiB)',
    env: 'SPIN_MAX_INSTANCE_MEMORY',
  },
  maxHostMemory: {
    flag: '--max-host-memory <bytes>',
    text: 'memory the host holds for one request: handles, headers, bodies in transit (32 MiB)',
  },
  maxOutputBytes: {
    flag: '--max-output-bytes <bytes>',
    text: 'output of one request; more is dropped (1 MiB)',
  },
  maxOutputRate: {
    flag: '--max-output-rate <bytes>',
    text: 'output of one component per second; more is dropped (1 MiB)',
  },
  maxChainDepth: {
    flag: '--max-chain-depth <n>',
    text: 'components between a client and the last one (16)',
  },
  maxHeaderBytes: {
    flag: '--max-header-bytes <bytes>',
    text: "size of a request's head; more gets 431 (16384)",
  },
  maxBodyBytes: {
    flag: '--max-body-bytes <bytes>',
    text: "size of a request's body; more gets 413 (1 GiB)",
  },
  maxStoreKeys: {
    flag: '--max-store-keys <n>',
    text: 'key-value entries of one component; more get an error (100000)',
  },
  maxStoreBytes: {
    flag: '--max-store-bytes <bytes>',
    text: 'size of the key-value entries of one component; more get an error (256 MiB)',
  },
  headerTimeoutMs: {
    flag: '--header-timeout-ms <ms>',
    text: "time a client has to send a request's head before 408 (20000)",
  },
  bodyIdleMs: {
    flag: '--body-idle-ms <ms>',
    text: "time without a byte of a request's body before 408 (15000)",
  },
  maxConnections: {
    flag: '--max-connections <n>',
    text: 'connections at once; beyond it the longest idle is closed (half of the file limit, at most 10000)',
  },
  maxClientConnections: {
    flag: '--max-client-connections <n>',
    text: 'connections of one client address; others are closed (512)',
  },
  maxClientRequests: {
    flag: '--max-client-requests <n>',
    text: 'requests of one client address at once; others get 429 (128)',
  },
  burst: {
    flag: '--burst <n>',
    text: 'requests at once after a pause, with --rate-limit and --rate-limit-address (the count of the rate)',
  },
  maxCallsPerCaller: {
    flag: '--max-calls-per-caller <n>',
    text: 'POST requests of one caller at once; others get 429 (no limit)',
  },
  drainMs: {
    flag: '--drain-ms <ms>',
    text: 'time running requests have to finish when the host is stopped (2000)',
    least: 0,
  },
}

export function withLimitOptions(command: Command): Command {
  for (const { flag, text, optional = false, env, least = 1 } of Object.values(LIMITS)) {
    const option = new Option(flag, optional ? `${text}; none switches it off` : text)
    if (env !== undefined) option.env(env)
    command.addOption(option.argParser((value) => parseLimit(value, flag, { optional, least })))
  }
  return command
}

/** Those that were given, as options of the host. */
export function limitsOf(flags: LimitFlags): LimitFlags {
  const names = Object.keys(LIMITS) as (keyof LimitFlags)[]
  return Object.fromEntries(
    names.flatMap((name) => (flags[name] === undefined ? [] : [[name, flags[name]]])),
  )
}

function parseLimit(
  text: string,
  flag: string,
  { optional, least }: { optional: boolean; least: number },
): number {
  if (optional && text === 'none') return Infinity
  const value = Number(text)
  if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value >= least) return value
  const [, unit = 'n'] = /<(\w+)>/.exec(flag) ?? []
  const what = { ms: 'milliseconds', bytes: 'bytes' }[unit] ?? 'a whole number'
  throw new InvalidArgumentError(`give ${what}, at least ${least}${optional ? ', or none' : ''}`)
}
