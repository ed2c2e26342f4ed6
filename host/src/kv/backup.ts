/**
 * Copies of the entries of an application, made while it is served. A plain copy of a database misses what is only in its
 * write-ahead log.
 */
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type EntryFiles, entryFiles, type StatePlaces } from './entry-files.ts'
import { makePrivate, makePrivateFile } from './private-folder.ts'
import { BUSY_MS, openDatabase, SCHEMA } from './sqlite.ts'
import { lockStateDir, StateDirInUseError } from './state-lock.ts'

/** A backup cannot be written, read or restored; the message says why. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}

export interface Copied {
  entries: number
  /** Labels of stores in Redis, which has backups of its own. */
  elsewhere: readonly string[]
}

/**
 * Writes all entries that SQLite keeps into one new file, in Spin's table. The entries of each database are those of one
 * moment. A host that serves them is not blocked.
 *
 * @param target path of a file that does not exist.
 * @throws {BackupError} if it exists, or there is nothing to copy.
 */
export function backUp(places: StatePlaces, target: string): Copied {
  const { files, fileOf, elsewhere } = entryFiles(places)
  if (existsSync(target)) throw new BackupError(`${target} exists: name a new file`)
  const found = files.filter((file) => existsSync(file))
  if (found.length === 0) throw new BackupError(nothingIn({ files, elsewhere }))
  // Renamed at the end, so that a file with this name is always complete.
  const part = `${target}.part`
  try {
    rmSync(part, { force: true })
    makePrivateFile(part)
    const entries = using(new DatabaseSync(part, { timeout: BUSY_MS }), (database) => {
      database.exec(SCHEMA)
      for (const file of found) {
        copyRows(database, file, (store) => fileOf(store) === file)
      }
      return countOf(database)
    })
    renameSync(part, target)
    return { entries, elsewhere }
  } catch (error) {
    rmSync(part, { force: true })
    throw new BackupError(`${target} was not written: ${reasonOf(error)}`)
  }
}

/**
 * Writes the entries of a backup into the databases of an application that is not served, in one transaction for each
 * database.
 *
 * @param replace whether entries that are there are deleted; otherwise they are a reason to refuse.
 * @throws {BackupError} {@link StateDirInUseError}
 */
export function restore(
  source: string,
  places: StatePlaces,
  { replace }: { replace: boolean },
): Copied {
  const { files, fileOf, elsewhere } = entryFiles(places)
  if (files.length === 0) throw new BackupError(nothingIn({ files, elsewhere }))
  checkBackup(source)
  const { stateDir } = places
  const lock = stateDir === '' ? undefined : lockStateDir(resolve(stateDir))
  try {
    if (!replace) for (const file of files) refuseEntries(file)
    const counts = files.map((file) => {
      if (dirname(file) === resolve(stateDir)) makePrivate(dirname(file))
      else mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
      makePrivateFile(file)
      return using(openDatabase(file), (database) => {
        copyRows(database, resolve(source), (store) => fileOf(store) === file, 'replace')
        return countOf(database)
      })
    })
    return { entries: counts.reduce((all, each) => all + each, 0), elsewhere }
  } catch (error) {
    if (error instanceof BackupError || error instanceof StateDirInUseError) throw error
    throw new BackupError(`the backup was not restored: ${reasonOf(error)}`)
  } finally {
    lock?.release()
  }
}

/** @throws {BackupError} unless SQLite finds no fault with the file, and it has Spin's table. */
function checkBackup(source: string): void {
  if (!existsSync(source)) throw new BackupError(`there is no ${source}`)
  let result: unknown
  try {
    result = using(new DatabaseSync(source, { readOnly: true }), (database) => {
      database.prepare('SELECT store, key, value FROM spin_key_value LIMIT 1').get()
      return database.prepare('PRAGMA quick_check(1)').get()?.['quick_check']
    })
  } catch (error) {
    throw new BackupError(`${source} is not a backup: ${reasonOf(error)}`)
  }
  if (result !== 'ok') throw new BackupError(`${source} is damaged: ${String(result)}`)
}

function refuseEntries(file: string): void {
  if (!existsSync(file)) return
  const entries = using(openDatabase(file), countOf)
  if (entries === 0) return
  throw new BackupError(
    `${file} has entries already (${entries}): back them up, and add --replace to delete them`,
  )
}

/** In one transaction, so that a reader sees all of it or nothing, also after a crash. */
function copyRows(
  database: DatabaseSync,
  from: string,
  isHere: (store: string) => boolean,
  mode: 'add' | 'replace' = 'add',
): void {
  database.function('is_here', (store) => (isHere(String(store)) ? 1 : 0))
  database.prepare('ATTACH ? AS other').run(from)
  // Not IMMEDIATE, which would also lock the attached database for all others that write.
  database.exec('BEGIN')
  if (mode === 'replace') database.exec('DELETE FROM main.spin_key_value')
  database.exec(
    'INSERT INTO main.spin_key_value (store, key, value) ' +
      'SELECT store, key, value FROM other.spin_key_value WHERE is_here(store)',
  )
  database.exec('COMMIT; DETACH other')
}

function countOf(database: DatabaseSync): number {
  return Number(database.prepare('SELECT count(*) AS n FROM main.spin_key_value').get()?.['n'])
}

function using<T>(database: DatabaseSync, work: (database: DatabaseSync) => T): T {
  try {
    return work(database)
  } finally {
    database.close()
  }
}

function nothingIn({ files, elsewhere }: Pick<EntryFiles, 'files' | 'elsewhere'>): string {
  if (files.length > 0) {
    return `there are no entries yet: ${files.join(' and ')} does not exist`
  }
  if (elsewhere.length > 0) {
    return `the store "${elsewhere.join('", "')}" is in Redis: use its own backups (docs/operations.md#back-up-and-restore)`
  }
  return 'the entries are in memory only: there is no file (--state-dir)'
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
