/** The limits of the host as flags. Defaults are the host's own; the help repeats them. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { HostOptions } from 'ftl-host'
import { GROUPS } from './option-groups.ts'

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
  /** What the host takes without the flag, for people. */
  usual: string
  /** Without it, the short help shows the flag. */
  group?: string
  /** Whether it may be switched off with `none`. @default false */
  optional?: boolean
  env?: string
  /** @default 1 */
  least?: number
}

const LIMITS: Record<keyof LimitFlags, Limit> = {
  workers: {
    flag: '--workers <n>',
    text: 'threads that run components',
    usual: 'one for each core',
  },
  maxBlockingMs: {
    flag: '--max-blocking-ms <ms>',
    text: 'time a component may compute without waiting before its thread is ended',
    usual: '5000',
    group: GROUPS.threads,
    optional: true,
  },
  quarantineMs: {
    flag: '--quarantine-ms <ms>',
    text: 'time for which a component that blocked a thread runs in its own thread; 0 turns this off',
    usual: '600000',
    group: GROUPS.threads,
    least: 0,
  },
  maxLostThreads: {
    flag: '--max-lost-threads <n>',
    text: 'threads that may fail to end before the host exits',
    usual: '4',
    group: GROUPS.threads,
    least: 0,
  },
  maxWorkerHeap: {
    flag: '--max-worker-heap <bytes>',
    text: 'JavaScript heap of a thread, without the memory of components',
    usual: '512 MiB',
    group: GROUPS.threads,
    least: 16 * 1024 ** 2,
  },
  requestTimeoutMs: {
    flag: '--request-timeout-ms <ms>',
    text: 'time for a request, with all that it starts, before 504',
    usual: '600000',
    group: GROUPS.requests,
    optional: true,
  },
  abandonedMs: {
    flag: '--abandoned-ms <ms>',
    text: 'time a component may continue after its caller disconnected',
    usual: '30000',
    group: GROUPS.requests,
  },
  maxRequests: {
    flag: '--max-requests <n>',
    text: 'concurrent requests; others get 503',
    usual: '1000',
    group: GROUPS.requests,
  },
  maxInstances: {
    flag: '--max-instances <n>',
    text: 'concurrent instances of one component, in all threads',
    usual: '250',
    group: GROUPS.requests,
  },
  maxInstanceMemory: {
    flag: '--max-instance-memory <bytes>',
    text: 'memory of one request',
    usual: '128 MiB',
    group: GROUPS.requests,
    env: 'SPIN_MAX_INSTANCE_MEMORY',
  },
  maxHostMemory: {
    flag: '--max-host-memory <bytes>',
    text: 'memory that the host holds for one request: handles, headers, bodies in transit',
    usual: '32 MiB',
    group: GROUPS.requests,
  },
  maxOutputBytes: {
    flag: '--max-output-bytes <bytes>',
    text: 'output of one request; more is dropped',
    usual: '1 MiB',
    group: GROUPS.requests,
  },
  maxOutputRate: {
    flag: '--max-output-rate <bytes>',
    text: 'output of one component per second; more is dropped',
    usual: '1 MiB',
    group: GROUPS.requests,
  },
  maxChainDepth: {
    flag: '--max-chain-depth <n>',
    text: 'components in a chain of calls',
    usual: '16',
    group: GROUPS.requests,
  },
  maxHeaderBytes: {
    flag: '--max-header-bytes <bytes>',
    text: 'size of the headers of a request; more gets 431',
    usual: '16384',
    group: GROUPS.clients,
  },
  maxBodyBytes: {
    flag: '--max-body-bytes <bytes>',
    text: 'size of the body of a request; more gets 413',
    usual: '1 GiB',
    group: GROUPS.clients,
  },
  maxStoreKeys: {
    flag: '--max-store-keys <n>',
    text: 'key-value entries of one component; more get an error',
    usual: '100000',
    group: GROUPS.stores,
  },
  maxStoreBytes: {
    flag: '--max-store-bytes <bytes>',
    text: 'size of the key-value entries of one component; more get an error',
    usual: '256 MiB',
    group: GROUPS.stores,
  },
  headerTimeoutMs: {
    flag: '--header-timeout-ms <ms>',
    text: 'time to send the headers of a request before 408',
    usual: '20000',
    group: GROUPS.clients,
  },
  bodyIdleMs: {
    flag: '--body-idle-ms <ms>',
    text: 'time without a byte of the body of a request before 408',
    usual: '15000',
    group: GROUPS.clients,
  },
  maxConnections: {
    flag: '--max-connections <n>',
    text: 'concurrent connections; beyond it the longest idle is closed',
    usual: 'half of the file limit, at most 10000',
    group: GROUPS.clients,
  },
  maxClientConnections: {
    flag: '--max-client-connections <n>',
    text: 'connections of one client address; others are closed',
    usual: '512',
    group: GROUPS.clients,
  },
  maxClientRequests: {
    flag: '--max-client-requests <n>',
    text: 'concurrent requests of one client address; others get 429',
    usual: '128',
    group: GROUPS.clients,
  },
  burst: {
    flag: '--burst <n>',
    text: 'requests at once after a pause, with `--rate-limit` and `--rate-limit-address`',
    usual: 'count of the rate',
    group: GROUPS.rates,
  },
  maxCallsPerCaller: {
    flag: '--max-calls-per-caller <n>',
    text: 'concurrent POST requests of one caller; others get 429',
    usual: 'none',
    group: GROUPS.rates,
  },
  drainMs: {
    flag: '--drain-ms <ms>',
    text: 'time that running requests have to finish at shutdown',
    usual: '2000',
    group: GROUPS.requests,
    least: 0,
  },
}

export function withLimitOptions(command: Command): Command {
  for (const limit of Object.values(LIMITS)) {
    const { flag, text, usual, group, optional = false, env, least = 1 } = limit
    const option = new Option(flag, optional ? `${text}; \`none\` removes the limit` : text)
    option.default(undefined, usual)
    if (group !== undefined) option.helpGroup(group)
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
