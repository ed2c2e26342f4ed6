/** `[limits]` of a runtime configuration: limits of the host, by the names of the flags of `ftl up`. */
import type { Table } from '../manifest/table.ts'

interface Range {
  /** @default 1 */
  least?: number
  /** Whether `"none"` removes the limit. @default false */
  mayBeNone?: boolean
}

/** By the names of `HostOptions`. */
const LIMITS = {
  workers: {},
  maxBlockingMs: { mayBeNone: true },
  quarantineMs: { least: 0 },
  maxLostThreads: { least: 0 },
  maxWorkerHeap: { least: 16 * 1024 ** 2 },
  requestTimeoutMs: { mayBeNone: true },
  abandonedMs: {},
  maxRequests: {},
  maxInstances: {},
  maxHostMemory: {},
  maxOutputBytes: {},
  maxOutputRate: {},
  maxChainDepth: {},
  maxHeaderBytes: {},
  maxBodyBytes: {},
  maxStoreKeys: {},
  maxStoreBytes: {},
  headerTimeoutMs: {},
  bodyIdleMs: {},
  maxConnections: {},
  maxClientConnections: {},
  maxClientRequests: {},
  drainMs: { least: 0 },
} as const satisfies Record<string, Range>

/** Those that the file sets: part of `HostOptions`. */
export type HostLimits = Partial<Record<keyof typeof LIMITS, number>>

/** @throws {ManifestError} for a value out of range and for an unknown key. */
export function readHostLimits(table: Table): HostLimits {
  const found = Object.entries<Range>(LIMITS).flatMap(([name, range]) => {
    const value = readLimit(table, keyOf(name), range)
    return value === undefined ? [] : [[name, value] as const]
  })
  table.done()
  return Object.fromEntries(found)
}

/** The keys that the table may have. */
export const limitKeys = (): string[] => Object.keys(LIMITS).map(keyOf)

const keyOf = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

function readLimit(table: Table, key: string, { least = 1, mayBeNone = false }: Range) {
  const value = table.raw(key)
  if (value === undefined) return undefined
  if (mayBeNone && value === 'none') return Infinity
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least) return value
  throw table.error(
    key,
    `must be a whole number, at least ${least}${mayBeNone ? ', or "none"' : ''}`,
  )
}
