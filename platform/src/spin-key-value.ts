import { Store } from 'fermyon:spin/key-value@2.0.0'
import { conditionalWrite, isChanged } from './conditional-write.ts'
import { type KeyValue, KeyValueError, type KeyValueErrorTag } from './platform.ts'

const encoder = new TextEncoder()

/**
 * @param variable reads one of the component's variables. `own_store` is the label of its own store, which it opens where
 *   it may not open `default`; `host_conditional_writes` is `true` where the host understands them.
 * @throws {KeyValueError} as the host words it.
 */
export function openStore(label: string, variable: (name: string) => string | undefined): KeyValue {
  const store = open(label, () => variable('own_store'))
  let compares: boolean | undefined
  return {
    get: async (key) => attempt(() => store.get(key)),
    set: async (key, value) =>
      attempt(() => store.set(key, typeof value === 'string' ? encoder.encode(value) : value)),
    setIf: async (key, expected, value) => {
      compares ??= variable('host_conditional_writes') === 'true'
      if (!compares) return undefined
      const write = conditionalWrite(
        key,
        expected,
        typeof value === 'string' ? encoder.encode(value) : value,
      )
      try {
        store.set(...write)
        return true
      } catch (error) {
        const failure = toKeyValueError(error)
        if (isChanged(failure)) return false
        throw failure
      }
    },
    delete: async (key) => attempt(() => store.delete(key)),
    exists: async (key) => attempt(() => store.exists(key)),
    keys: async () => attempt(() => store.getKeys()),
  }
}

function open(label: string, own: () => string | undefined): Store {
  try {
    return attempt(() => Store.open(label))
  } catch (error) {
    const other = label === 'default' ? own() : undefined
    if (!other || !(error instanceof KeyValueError)) throw error
    return attempt(() => Store.open(other))
  }
}

function attempt<T>(call: () => T): T {
  try {
    return call()
  } catch (error) {
    throw toKeyValueError(error)
  }
}

// The bindings throw an Error whose `payload` is the WIT variant.
function toKeyValueError(error: unknown): unknown {
  if (typeof error !== 'object' || error === null || !('payload' in error)) return error
  const payload = error.payload as { tag?: KeyValueErrorTag; val?: string }
  return payload.tag === undefined ? error : new KeyValueError(payload.tag, payload.val)
}
