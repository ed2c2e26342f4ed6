/** What one component may keep in its stores. */
import { KeyValueError, type KeyValueStore } from './key-value.ts'

export interface StoreLimits {
  /**
   * Entries of one component. Without a limit a component that is called often, or means harm, fills the disk.
   *
   * @default 100_000
   */
  maxStoreKeys: number
  /** Bytes of one component's keys and values together. @default 268_435_456 (256 MiB) */
  maxStoreBytes: number
}

export const STORE_LIMITS: StoreLimits = {
  maxStoreKeys: 100_000,
  maxStoreBytes: 256 * 1024 ** 2,
}

/** Bytes of one key. Hosted platforms take 255. */
const KEY_LIMIT = 1024

/** Bytes of one value. Values of up to 1 MB are safe on every platform. */
const VALUE_LIMIT = 16 * 1024 ** 2

/** Refuses single entries that are too large, wherever they are kept. */
export function withEntryLimits(store: KeyValueStore): KeyValueStore {
  const check = (key: string, value: Uint8Array) => {
    // A character has three bytes at most in each of its code units.
    if (key.length * 3 > KEY_LIMIT && Buffer.byteLength(key) > KEY_LIMIT) {
      throw overQuota(`the key is longer than ${KEY_LIMIT} bytes`)
    }
    if (value.length > VALUE_LIMIT) {
      throw overQuota(`the value is larger than ${VALUE_LIMIT} bytes`)
    }
  }
  return {
    ...store,
    set(key, value) {
      check(key, value)
      return store.set(key, value)
    },
    setIf(key, expected, value) {
      check(key, value)
      return store.setIf(key, expected, value)
    },
  }
}

/** @param reason goes to the guest. */
export function overQuota(reason: string): KeyValueError {
  return new KeyValueError('other', `quota exceeded: ${reason}`)
}
