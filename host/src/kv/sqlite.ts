/**
 * Key-value stores in the same SQLite table as Spin's, so that both see the same data.
 *
 * @module
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { KeyValueError, type KeyValueStore, type KeyValueStores } from './key-value.ts'

const DATABASE_FILE = 'sqlite_key_value.db'

/** Milliseconds to wait for another process that writes. */
const BUSY_MS = 5000

const SCHEMA = `CREATE TABLE IF NOT EXISTS spin_key_value (
  store TEXT NOT NULL,
  key   TEXT NOT NULL,
  value BLOB NOT NULL,
  PRIMARY KEY (store, key)
)`

/**
 * Opens the database of an application.
 *
 * Written through a log (WAL) without a disk sync for each entry: a crash of the program loses nothing, a
 * crash of the machine may lose the last entries, and a write takes 20 µs instead of milliseconds of the
 * thread that serves everybody.
 *
 * @param stateDir folder of the file, made if need be; empty keeps everything in memory.
 * @throws {Error} when the file cannot be opened.
 */
export function openSqliteStores(stateDir: string): KeyValueStores {
  if (stateDir !== '') mkdirSync(stateDir, { recursive: true })
  const file = stateDir === '' ? ':memory:' : join(stateDir, DATABASE_FILE)
  const database = open(file)
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
    open: (label): KeyValueStore => ({
      get: (key) => attempt(() => sql.get.get(label, key)?.['value'] as Uint8Array | undefined),
      set: (key, value) => attempt(() => void sql.set.run(label, key, value)),
      delete: (key) => attempt(() => void sql.delete.run(label, key)),
      exists: (key) => attempt(() => sql.exists.get(label, key) !== undefined),
      keys: () => attempt(() => sql.keys.all(label).map((row) => String(row['key']))),
    }),
    close: () => database.close(),
  }
}

function open(file: string): DatabaseSync {
  try {
    const database = new DatabaseSync(file, { timeout: BUSY_MS })
    database.exec('PRAGMA journal_mode = WAL')
    database.exec('PRAGMA synchronous = NORMAL')
    database.exec(SCHEMA)
    return database
  } catch (error) {
    throw new Error(`cannot open the key-value database ${file}: ${String(error)}`, {
      cause: error,
    })
  }
}

// The guest learns that the store failed; the database's own words stay out of its reach.
function attempt<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new KeyValueError('other', 'the key-value store failed', { cause: error })
  }
}
