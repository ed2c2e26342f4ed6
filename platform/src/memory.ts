/**
 * A platform in memory: the same behaviour as on Spin, for tests and tools that run under Node.
 *
 * @module
 */
import { digestOf } from './digest.ts'
import { type KeyValue, KeyValueError, type Platform } from './platform.ts'

export interface MemoryPlatformOptions {
  variables?: Record<string, string>
  /** Path to content. */
  files?: Record<string, string | Uint8Array>
  /** Whether stores can write on a condition, as on our host. @default false, as on Spin */
  conditionalWrites?: boolean
  /** Labels that may be opened. @default ['default'] */
  keyValueStores?: string[]
  /** Stands in for the network and for service chaining. @default every request is refused */
  fetch?: Platform['fetch']
  /** @default Date.now */
  now?: () => number
}

export interface MemoryPlatform extends Platform {
  /** Settles when everything given to `waitUntil` has settled. */
  settled(): Promise<void>
}

export function memoryPlatform(options: MemoryPlatformOptions = {}): MemoryPlatform {
  const stores = new Map(
    (options.keyValueStores ?? ['default']).map((label) => [
      label,
      memoryStore(options.conditionalWrites),
    ]),
  )
  const files = new Map(
    Object.entries(options.files ?? {}).map(([path, content]) => [path, toBytes(content)]),
  )
  const background: Promise<unknown>[] = []
  return {
    async openKeyValue(label) {
      const store = stores.get(label)
      if (!store) throw new KeyValueError('access-denied')
      return store
    },
    variables: {
      get: (name) =>
        name === 'host_conditional_writes' && options.conditionalWrites
          ? 'true'
          : options.variables?.[name],
    },
    files: {
      read: async (path) => files.get(path)?.slice(),
      list: async (path) => {
        const prefix = path.endsWith('/') ? path : `${path}/`
        const names = [...files.keys()]
          .filter((file) => file.startsWith(prefix))
          .map((file) => file.slice(prefix.length).split('/')[0] ?? '')
        return [...new Set(names)].sort()
      },
      stamp: async (path) => {
        const bytes = files.get(path)
        return bytes && digestOf(bytes)
      },
    },
    now: options.now ?? Date.now,
    randomUUID: () => crypto.randomUUID(),
    fetch:
      options.fetch ?? (async () => Promise.reject(new TypeError('this platform has no network'))),
    waitUntil: (work) => void background.push(work),
    settled: async () => void (await Promise.allSettled(background)),
  }
}

function memoryStore(compares = false): KeyValue {
  const entries = new Map<string, Uint8Array>()
  return {
    get: async (key) => entries.get(key)?.slice(),
    set: async (key, value) => void entries.set(key, toBytes(value)),
    setIf: async (key, expected, value) => {
      if (!compares) return undefined
      const isAsExpected = entries.get(key)?.join() === expected?.join()
      if (isAsExpected) entries.set(key, toBytes(value))
      return isAsExpected
    },
    delete: async (key) => void entries.delete(key),
    exists: async (key) => entries.has(key),
    keys: async () => [...entries.keys()],
  }
}

function toBytes(value: string | Uint8Array): Uint8Array {
  return typeof value === 'string' ? new TextEncoder().encode(value) : value.slice()
}
