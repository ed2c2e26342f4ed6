/** `fermyon:spin/key-value@2.0.0` and `fermyon:spin/variables@2.0.0`. */
import {
  type Awaitable,
  KEY_VALUE_ERRORS,
  KeyValueError,
  type KeyValueStore,
} from '../kv/key-value.ts'
import { VARIABLE_ERRORS, VariableError } from '../variables/variable-error.ts'
import type { Guest } from './guest.ts'
import type { ImportFunction } from './jspi.ts'

/** Stores that an instance may have open at once; the same as Spin's. */
const MAX_STORES = 256

/** Bytes that are read of a label or of a variable's name; none is so long, so a longer one is unknown. */
const MAX_NAME = 1024

/** An open store in a guest's table. */
export class Store {
  readonly entries: KeyValueStore
  readonly #onClose: () => void

  constructor(entries: KeyValueStore, onClose: () => void) {
    this.entries = entries
    this.#onClose = onClose
  }

  dispose(): void {
    this.#onClose()
  }
}

/** Every result of the interface has its payload at 4; so has the string of `error`, at 8. */
export function keyValueImports(guest: Guest): Record<string, ImportFunction> {
  const { memory, handles, services } = guest
  const entries = (handle: number) => handles.get(handle, Store).entries
  let open = 0
  const openStore = (label: string): Store => {
    if (open >= MAX_STORES) throw new KeyValueError('store-table-full')
    const store = new Store(services.openStore(label), () => open--)
    open++
    return store
  }
  const changing = (handle: number) => {
    guest.noteEffect()
    return entries(handle)
  }
  const fail = (ret: number, error: unknown) => {
    if (!(error instanceof KeyValueError)) throw error
    memory.setU8(ret, 1)
    memory.setU8(ret + 4, KEY_VALUE_ERRORS.indexOf(error.code))
    if (error.code === 'other') memory.setString(ret + 8, error.message)
  }
  const succeed = <T>(ret: number, result: T, write: (result: T) => void) => {
    memory.setU8(ret, 0)
    write(result)
  }
  // A promise only where the store has to wait: the guest is suspended for nothing less.
  const attempt = <T>(
    ret: number,
    work: () => Awaitable<T>,
    write: (result: T) => void,
  ): Awaitable<void> => {
    let result: Awaitable<T>
    try {
      result = work()
    } catch (error) {
      return guest.goOn(() => fail(ret, error))
    }
    const value = result
    if (!(value instanceof Promise)) return guest.goOn(() => succeed(ret, value, write))
    return guest.whenSettled(value, (settled) =>
      settled.status === 'fulfilled'
        ? succeed(ret, settled.value, write)
        : fail(ret, settled.reason),
    )
  }
  return {
    '[resource-drop]store': (self: number) => handles.drop(self, Store),
    '[static]store.open': (at: number, size: number, ret: number) =>
      attempt(
        ret,
        () => openStore(memory.string(at, Math.min(size, MAX_NAME))),
        (store) => memory.setU32(ret + 4, handles.add(store)),
      ),
    '[method]store.get': (self: number, at: number, size: number, ret: number) =>
      attempt(
        ret,
        () => entries(self).get(memory.string(at, size)),
        (value) => {
          memory.setU8(ret + 4, value === undefined ? 0 : 1)
          if (value !== undefined) memory.setBytes(ret + 8, value)
        },
      ),
    '[method]store.set': (
      self: number,
      at: number,
      size: number,
      valueAt: number,
      valueSize: number,
      ret: number,
    ) =>
      attempt(
        ret,
        () => changing(self).set(memory.string(at, size), memory.bytes(valueAt, valueSize)),
        () => undefined,
      ),
    '[method]store.delete': (self: number, at: number, size: number, ret: number) =>
      attempt(
        ret,
        () => changing(self).delete(memory.string(at, size)),
        () => undefined,
      ),
    '[method]store.exists': (self: number, at: number, size: number, ret: number) =>
      attempt(
        ret,
        () => entries(self).exists(memory.string(at, size)),
        (exists) => memory.setU8(ret + 4, exists ? 1 : 0),
      ),
    '[method]store.get-keys': (self: number, ret: number) =>
      attempt(
        ret,
        () => entries(self).keys(),
        (keys) => {
          const to = memory.allocate(keys.length, 8)
          for (const [i, key] of keys.entries()) memory.setString(to + 8 * i, key)
          memory.setList(ret + 4, to, keys.length)
        },
      ),
  }
}

export function variablesImports({ memory, services }: Guest): Record<string, ImportFunction> {
  const fail = (ret: number, { code, message }: VariableError) => {
    memory.setU8(ret, 1)
    memory.setU8(ret + 4, VARIABLE_ERRORS.indexOf(code))
    memory.setString(ret + 8, message)
  }
  return {
    get: (at: number, size: number, ret: number) => {
      try {
        const value = services.variable(memory.string(at, Math.min(size, MAX_NAME)))
        if (value instanceof VariableError) return fail(ret, value)
        memory.setU8(ret, 0)
        memory.setString(ret + 4, value)
      } catch (error) {
        if (!(error instanceof VariableError)) throw error
        fail(ret, error)
      }
    },
  }
}
