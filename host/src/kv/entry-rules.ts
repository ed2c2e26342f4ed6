/** What a store accepts of one component: sizes of single entries, and how many operations a second. */
import { KeyValueError, type KeyValueStore } from './key-value.ts'
import { overQuota } from './store-limits.ts'

export interface EntryRules {
  /** Bytes of one key. Hosted platforms take at least 255. */
  keyBytes: number
  /** Bytes of one value. Values of up to 1 MB are safe on every platform. */
  valueBytes: number
  /** Reads in any second. `Infinity` for no limit. */
  readsPerSecond: number
  /** Writes and deletions in any second. `Infinity` for no limit. */
  writesPerSecond: number
  /** Whether components can write on a condition. See `conditional-write.ts`. */
  compares: boolean
}

export const ENTRY_RULES: EntryRules = {
  keyBytes: 1024,
  valueBytes: 16 * 1024 ** 2,
  readsPerSecond: Infinity,
  writesPerSecond: Infinity,
  compares: true,
}

/** The rules for one of several threads: each gets an equal part of the rates. */
export function shareOf(rules: EntryRules, threads: number): EntryRules {
  const { readsPerSecond, writesPerSecond } = rules
  return {
    ...rules,
    readsPerSecond: readsPerSecond / threads,
    writesPerSecond: writesPerSecond / threads,
  }
}

/** Counts the operations of all stores of one thread. */
export interface Rates {
  read(): void
  write(): void
}

export function createRates({ readsPerSecond, writesPerSecond }: EntryRules): Rates {
  return {
    read: limited(readsPerSecond, 'reads'),
    write: limited(writesPerSecond, 'writes'),
  }
}

/** Refuses single entries that are too large, and operations that come too fast, wherever the entries are kept. */
export function withEntryRules(
  store: KeyValueStore,
  { keyBytes, valueBytes }: EntryRules,
  rates: Rates,
): KeyValueStore {
  const check = (key: string, value: Uint8Array) => {
    // A character has three bytes at most in each of its code units.
    if (key.length * 3 > keyBytes && Buffer.byteLength(key) > keyBytes) {
      throw overQuota(`the key is longer than ${keyBytes} bytes`)
    }
    if (value.length > valueBytes) {
      throw overQuota(`the value is larger than ${valueBytes} bytes`)
    }
    rates.write()
  }
  return {
    get(key) {
      rates.read()
      return store.get(key)
    },
    exists(key) {
      rates.read()
      return store.exists(key)
    },
    keys() {
      rates.read()
      return store.keys()
    },
    delete(key) {
      rates.write()
      return store.delete(key)
    },
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

/** @returns a function that throws when it is called more than `most` times in one second. */
function limited(most: number, what: string): () => void {
  if (most === Infinity) return () => {}
  let [left, filledAt] = [most, performance.now()]
  return () => {
    const now = performance.now()
    left = Math.min(most, left + ((now - filledAt) / 1000) * most)
    filledAt = now
    if (left < 1) throw new KeyValueError('other', `too many ${what}: ${most} a second are allowed`)
    left -= 1
  }
}
