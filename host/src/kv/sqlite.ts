/** Key-value stores in the same SQLite table as Spin's, so that both see the same data. */
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { KeyValueError, type KeyValueStore, type KeyValueStores } from './key-value.ts'
import { countUsage, limitedBy } from './sqlite-usage.ts'
import { STORE_LIMITS, type StoreLimits } from './store-limits.ts'

/** Milliseconds to wait for another connection that writes; the waiting thread is blocked meanwhile. */
export const BUSY_MS = 5000

/** SQLite's result code when another connection has the lock. */
const SQLITE_BUSY = 5

/** Spin's table. */
export const SCHEMA = `CREATE TABLE IF NOT EXISTS spin_key_value (
  store TEXT NOT NULL,
  key   TEXT NOT NULL,
  value BLOB NOT NULL,
  PRIMARY KEY (store, key)
)`

export interface SqliteOptions {
  /** @default {@link STORE_LIMITS} */
  limits?: StoreLimits
  /** `false` for data that is not needed after this run: writes do not wait for the disk. @default true */
  durable?: boolean
}

/**
 * Opens one database file; each thread opens its own, and all see each other's entries at once.
 *
 * Writes go through a log (WAL) without a disk sync for each entry: a crash of the program loses nothing, a
 * crash of the machine may lose the last entries, and a write blocks its thread for 20 µs instead of milliseconds.
 *
 * @param file created, with its folder, if it does not exist.
 * @throws {Error} when the file cannot be opened.
 */
export function openSqliteStores(
  file: string,
  { durable = true, limits = STORE_LIMITS }: SqliteOptions = {},
): KeyValueStores {
  const database = openDatabase(file, durable)
  const limited = limitedBy(database, limits)
  const sql = {
    get: database.prepare('SELECT value FROM spin_key_value WHERE store = ? AND key = ?'),
    set: database.prepare(
      'INSERT INTO spin_key_value (store, key, value) VALUES (?, ?, ?) ' +
        'ON CONFLICT(store, key) DO UPDATE SET value = excluded.value',
    ),
    delete: database.prepare('DELETE FROM spin_key_value WHERE store = ? AND key = ?'),
    exists: database.prepare('SELECT 1 FROM spin_key_value WHERE store = ? AND key = ?'),
    keys: database.prepare('SELECT key FROM spin_key_value WHERE store = ?'),
  }
  return {
    open: (name): KeyValueStore => ({
      get: (key) => attempt(() => sql.get.get(name, key)?.['value'] as Uint8Array | undefined),
      set: (key, value) => attempt(() => limited(name, () => void sql.set.run(name, key, value))),
      setIf: (key, expected, value) =>
        attempt(() => {
          let isAsExpected = false
          // In the transaction of the write, which no other connection can enter.
          limited(name, () => {
            const found = sql.get.get(name, key)?.['value'] as Uint8Array | undefined
            isAsExpected = isSame(found, expected)
            if (isAsExpected) sql.set.run(name, key, value)
          })
          return isAsExpected
        }),
      delete: (key) => attempt(() => void sql.delete.run(name, key)),
      exists: (key) => attempt(() => sql.exists.get(name, key) !== undefined),
      keys: () => attempt(() => sql.keys.all(name).map((row) => String(row['key']))),
    }),
    close: () => database.close(),
  }
}

/**
 * Opens a database with Spin's table and the totals of each component.
 *
 * @throws {Error} when the file cannot be opened.
 */
export function openDatabase(file: string, durable = true): DatabaseSync {
  let database: DatabaseSync | undefined
  try {
    mkdirSync(dirname(file), { recursive: true })
    const opened = (database = new DatabaseSync(file, { timeout: BUSY_MS }))
    // SQLite itself does not wait here, because two connections that both change the mode would wait forever.
    untilNotBusy(() => opened.exec('PRAGMA journal_mode = WAL'))
    opened.exec(`PRAGMA synchronous = ${durable ? 'NORMAL' : 'OFF'}`)
    opened.exec(SCHEMA)
    countUsage(opened)
    return opened
  } catch (error) {
    database?.close()
    throw new Error(`cannot open the key-value database ${file}: ${String(error)}`, {
      cause: error,
    })
  }
}

function untilNotBusy(work: () => void): void {
  const deadline = performance.now() + BUSY_MS
  for (;;) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
    }
  }
}

/** Whether another connection has the lock. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY
}

function isSame(found: Uint8Array | undefined, expected: Uint8Array | undefined): boolean {
  if (!found || !expected) return found === expected
  return Buffer.compare(found, expected) === 0
}

// The guest learns only that the store failed; it does not get the message of the database.
function attempt<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof KeyValueError) throw error
    throw new KeyValueError('other', 'the key-value store failed', { cause: error })
  }
}
