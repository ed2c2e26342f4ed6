/**
 * How many entries and bytes each component keeps in a database, counted by triggers, without looking at all
 * entries, and what a Spin writes into the same file counts too.
 */
import type { DatabaseSync } from 'node:sqlite'
import { overQuota, type StoreLimits } from './store-limits.ts'

// `echo.default` and `echo.cache` count for `echo`; a shared store counts for itself, under a name no component has.
const owner = (store: string) =>
  `iif(instr(${store}, '.') = 0, '.' || ${store}, substr(${store}, 1, instr(${store}, '.') - 1))`

const size = (row: string) => `length(CAST(${row}key AS BLOB)) + length(${row}value)`

const SCHEMA = `
CREATE TABLE ftl_store_usage (
  owner TEXT PRIMARY KEY,
  keys  INTEGER NOT NULL,
  bytes INTEGER NOT NULL
);
INSERT INTO ftl_store_usage
  SELECT ${owner('store')}, count(*), sum(${size('')}) FROM spin_key_value GROUP BY 1;
CREATE TRIGGER ftl_store_insert AFTER INSERT ON spin_key_value BEGIN
  INSERT INTO ftl_store_usage VALUES (${owner('NEW.store')}, 1, ${size('NEW.')})
    ON CONFLICT(owner) DO UPDATE SET keys = keys + 1, bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER ftl_store_update AFTER UPDATE ON spin_key_value BEGIN
  UPDATE ftl_store_usage SET bytes = bytes + ${size('NEW.')} - (${size('OLD.')})
    WHERE owner = ${owner('NEW.store')};
END;
CREATE TRIGGER ftl_store_delete AFTER DELETE ON spin_key_value BEGIN
  UPDATE ftl_store_usage SET keys = keys - 1, bytes = bytes - (${size('OLD.')})
    WHERE owner = ${owner('OLD.store')};
END;`

/** Begins to count in a database that has no totals yet. */
export function countUsage(database: DatabaseSync): void {
  database.exec('BEGIN IMMEDIATE')
  try {
    const known = database
      .prepare("SELECT 1 FROM sqlite_master WHERE name = 'ftl_store_usage'")
      .get()
    if (!known) database.exec(SCHEMA)
    database.exec('COMMIT')
  } catch (error) {
    database.exec('ROLLBACK')
    throw error
  }
}

interface Usage {
  keys: number
  bytes: number
}

const NOTHING: Usage = { keys: 0, bytes: 0 }

/**
 * Makes a change unless it takes its component over a limit.
 *
 * @returns a function that runs `change`, which concerns `store`.
 */
export function limitedBy(
  database: DatabaseSync,
  { maxStoreKeys, maxStoreBytes }: StoreLimits,
): (store: string, change: () => void) => void {
  const begin = database.prepare('BEGIN IMMEDIATE')
  const commit = database.prepare('COMMIT')
  const rollback = database.prepare('ROLLBACK')
  const usage = database.prepare(
    `SELECT keys, bytes FROM ftl_store_usage WHERE owner = ${owner('?1')}`,
  )
  const usageOf = (store: string) => (usage.get(store) ?? NOTHING) as unknown as Usage
  return (store, change) => {
    begin.run()
    try {
      change()
      const after = usageOf(store)
      if (after.keys > maxStoreKeys || after.bytes > maxStoreBytes) {
        rollback.run()
        begin.run()
        const before = usageOf(store)
        // Where a limit was lowered, what is there may still be replaced by something smaller.
        if (after.keys > maxStoreKeys && after.keys > before.keys) {
          throw overQuota(`the component already keeps ${before.keys} of ${maxStoreKeys} entries`)
        }
        if (after.bytes > maxStoreBytes && after.bytes > before.bytes) {
          throw overQuota(`the component already keeps ${before.bytes} of ${maxStoreBytes} bytes`)
        }
        change()
      }
      commit.run()
    } catch (error) {
      if (database.isTransaction) rollback.run()
      throw error
    }
  }
}
