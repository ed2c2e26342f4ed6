/**
 * The platform of code that a host runs beside its components, and not in one.
 *
 * @module
 */
import { type KeyValue, KeyValueError, type KeyValueErrorTag, type Platform } from './platform.ts'

/** A promise only where the host has to wait. */
type Awaitable<T> = T | Promise<T>

/** A store as a host has it. Its errors have a `code`, which is a tag of {@link KeyValueError}. */
export interface HostStore {
  get(key: string): Awaitable<Uint8Array | undefined>
  set(key: string, value: Uint8Array): Awaitable<void>
  setIf(key: string, expected: Uint8Array | undefined, value: Uint8Array): Awaitable<boolean>
  delete(key: string): Awaitable<void>
  exists(key: string): Awaitable<boolean>
  keys(): Awaitable<string[]>
}

/** What a host does for one request. */
export interface NativeHost {
  /** @returns `undefined` for one that the component does not have. @throws {Error} if it has one that cannot be read. */
  variable(name: string): string | undefined
  /** @throws an error with a `code`. */
  openStore(label: string): HostStore
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>
  /** Milliseconds since the epoch. */
  now(): number
  randomUUID(): string
  waitUntil(work: Promise<unknown>): void
}

const encoder = new TextEncoder()

/** One per request. It has no files: the gateway has no mounts. */
export function nativePlatform(host: NativeHost): Platform {
  return {
    openKeyValue: async (label) => openStore(host, label),
    variables: { get: (name) => host.variable(name) },
    files: {
      read: async () => undefined,
      list: async () => [],
      stamp: async () => undefined,
    },
    now: () => host.now(),
    randomUUID: () => host.randomUUID(),
    fetch: (input, init) => host.fetch(input, init),
    waitUntil: (work) => host.waitUntil(work),
  }
}

function openStore(host: NativeHost, label: string): KeyValue {
  const store = open(host, label)
  return {
    get: async (key) => attempt(() => store.get(key)),
    set: async (key, value) => attempt(() => store.set(key, bytesOf(value))),
    setIf: async (key, expected, value) =>
      host.variable('host_conditional_writes') === 'true'
        ? attempt(() => store.setIf(key, expected, bytesOf(value)))
        : undefined,
    delete: async (key) => attempt(() => store.delete(key)),
    exists: async (key) => attempt(() => store.exists(key)),
    keys: async () => attempt(() => store.keys()),
  }
}

/** A component that may not open `default` has a store of its own instead. */
function open(host: NativeHost, label: string): HostStore {
  try {
    return host.openStore(label)
  } catch (cause) {
    const error = keyValueErrorOf(cause)
    const own = label === 'default' ? host.variable('own_store') : undefined
    if (!own || !(error instanceof KeyValueError)) throw error
    return host.openStore(own)
  }
}

async function attempt<T>(call: () => Awaitable<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    throw keyValueErrorOf(error)
  }
}

const TAGS: readonly string[] = ['store-table-full', 'no-such-store', 'access-denied', 'other']

function keyValueErrorOf(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error
  const { code, message } = error
  if (typeof code !== 'string' || !TAGS.includes(code)) return error
  const tag = code as KeyValueErrorTag
  return tag === 'other' ? new KeyValueError(tag, message) : new KeyValueError(tag)
}

function bytesOf(value: Uint8Array | string): Uint8Array {
  return typeof value === 'string' ? encoder.encode(value) : value
}
