/** Key-value stores in memory, with functions for tests to read them. */
import type { ContextKeyValue } from '../tool/context.ts'

export interface TestKeyValue extends ContextKeyValue {
  /** The value as text; `undefined` if the key is missing. */
  text(key: string): string | undefined
  /** The value as JSON; `undefined` if the key is missing. */
  json(key: string): unknown
}

/** Initial values: strings and bytes are stored unchanged, anything else as JSON. */
export type InitialValues = Readonly<Record<string, unknown>>

export function testKeyValue(initial: InitialValues = {}): TestKeyValue {
  const entries = new Map(Object.entries(initial).map(([key, value]) => [key, toBytes(value)]))
  const text = (key: string) => {
    const bytes = entries.get(key)
    return bytes && new TextDecoder().decode(bytes)
  }
  return {
    get: async (key) => entries.get(key)?.slice(),
    set: async (key, value) => void entries.set(key, toBytes(value)),
    delete: async (key) => void entries.delete(key),
    exists: async (key) => entries.has(key),
    keys: async () => [...entries.keys()],
    text,
    json: (key) => {
      const found = text(key)
      return found === undefined ? undefined : (JSON.parse(found) as unknown)
    },
  }
}

export function toBytes(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value.slice()
  return new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value))
}
