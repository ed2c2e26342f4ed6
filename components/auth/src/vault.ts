/** Sealed entries of the key-value store. */
import type { KeyValue } from 'ftl-platform'
import type { Sealer } from './crypto/seal.ts'

export interface Vault {
  /** @returns `undefined` if there is no entry, or one that was not written here. */
  read(key: string): Promise<unknown>
  /** Keys of the store that begin so: not for the hot path. */
  keys(prefix: string): Promise<string[]>
  /**
   * Changes an entry. On a host that can compare, of several changes at once each sees the one before; elsewhere the last
   * one counts.
   *
   * @param next from what the entry is to what it becomes. It can be called several times.
   * @throws {Error} if others change the entry all the time.
   */
  change<T>(key: string, next: (value: unknown) => Changed<T> | Promise<Changed<T>>): Promise<T>
}

export interface Changed<T> {
  /** `undefined` leaves the entry as it is. */
  value: object | undefined
  result: T
}

const TRIES = 20

export function createVault(open: () => Promise<KeyValue>, sealer: Sealer): Vault {
  let opened: Promise<KeyValue> | undefined
  const store = () => (opened ??= open())
  const valueOf = (key: string, bytes: Uint8Array | undefined) =>
    bytes ? sealer.open('entry', new TextDecoder().decode(bytes), key) : undefined
  return {
    async read(key) {
      return valueOf(key, await (await store()).get(key))
    },
    async keys(prefix) {
      return (await (await store()).keys()).filter((key) => key.startsWith(prefix))
    },
    async change(key, next) {
      const kept = await store()
      for (let time = 0; time < TRIES; time++) {
        const before = await kept.get(key)
        const { value, result } = await next(await valueOf(key, before))
        if (value === undefined) return result
        const sealed = await sealer.seal('entry', value, key)
        const isWritten = await kept.setIf?.(key, before, sealed)
        if (isWritten === undefined) await kept.set(key, sealed)
        if (isWritten !== false) return result
      }
      throw new Error(`the entry ${key} is changed by too many requests at once`)
    },
  }
}
