/**
 * Copies of the entries of an application, made while it is served. A plain copy of a database misses what is only in its
 * write-ahead log.
 */
import { randomUUID } from 'node:crypto'
import {
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type EntryFiles, entryFiles, type StatePlaces } from './entry-files.ts'
import { makePrivateFile } from './private-folder.ts'
import { BUSY_MS, openDatabase, SCHEMA } from './sqlite.ts'
import { lockStateDir, StateDirInUseError } from './state-lock.ts'

/** A backup cannot be written, read or restored; the message says why. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}

/** What a backup or a restore has copied. */
export interface Copied {
  entries: number
  /** Labels of stores in Redis, which has backups of its own. */
  elsewhere: readonly string[]
  /** Entries of these stores in a backup, which a restore does not write. */
  left: number
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
  if (existsSync(target)) throw new BackupError(inTheWay(target))
  const found = files.filter((file) => existsSync(file))
  if (found.length === 0) throw new BackupError(nothingIn({ files, elsewhere }))
  // Named at the end, so that a file with this name is always complete. Another backup at the same time has another file.
  const part = `${target}.${randomUUID()}.part`
  try {
    closeSync(openSync(part, 'wx', 0o600))
    const entries = using(new DatabaseSync(part, { timeout: BUSY_MS }), (database) => {
      database.exec(SCHEMA)
      for (const file of found) {
        attach(database, file, (store) => fileOf(store) === file)
        // A host that was killed while it started left a database without a table.
        if (hasTable(database)) copyRows(database)
        database.exec('COMMIT; DETACH other')
      }
      return countOf(database)
    })
    nameFile(part, target)
    return { entries, elsewhere, left: 0 }
  } catch (error) {
    if (error instanceof BackupError) throw error
    throw new BackupError(`${target} was not written: ${reasonOf(error)}`)
  } finally {
    for (const file of [part, `${part}-journal`]) rmSync(file, { force: true })
  }
}

/** @throws {BackupError} if the name is taken meanwhile. */
function nameFile(part: string, target: string): void {
  try {
    // A link, because a rename would replace a file.
    linkSync(part, target)
  } catch (error) {
    if (existsSync(target)) throw new BackupError(inTheWay(target))
    // Some file systems have no links.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw error
    renameSync(part, target)
  }
}

const inTheWay = (target: string) => `${target} exists: name a new file`

/**
 * Writes the entries of a backup into the databases of an application that is not served. Nothing is written unless all of
 * it can be written.
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
  const all = checkBackup(source)
  const { stateDir } = places
  const lock = stateDir === '' ? undefined : lockStateDir(resolve(stateDir))
  try {
    if (!replace) for (const file of files) refuseEntries(file)
    const open = files.map((file) => {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
      makePrivateFile(file)
      return { file, database: openDatabase(file) }
    })
    try {
      for (const { file, database } of open) {
        attach(database, resolve(source), (store) => fileOf(store) === file)
        // A disk that is full shows now, and not when other databases are committed already.
        database.exec('PRAGMA main.cache_size = 10; DELETE FROM main.spin_key_value')
        copyRows(database)
      }
      for (const { database } of open) database.exec('COMMIT')
      const entries = open.reduce((sum, { database }) => sum + countOf(database), 0)
      return { entries, elsewhere, left: all - entries }
    } finally {
      for (const { database } of open) database.close()
    }
  } catch (error) {
    if (error instanceof BackupError || error instanceof StateDirInUseError) throw error
    throw new BackupError(`the backup was not restored: ${reasonOf(error)}`)
  } finally {
    lock?.release()
  }
}

/**
 * @returns how many entries it has.
 * @throws {BackupError} unless SQLite finds no fault with the file, and it has Spin's table.
 */
function checkBackup(source: string): number {
  if (!existsSync(source)) throw new BackupError(`there is no ${source}`)
  let problem: unknown
  let entries = 0
  try {
    using(new DatabaseSync(source, { readOnly: true }), (database) => {
      const value = (pragma: string) => Object.values(database.prepare(pragma).get() ?? {})[0]
      database.prepare('SELECT store, key, value FROM spin_key_value LIMIT 1').get()
      entries = countOf(database)
      problem = value('PRAGMA quick_check(1)')
      const bytes = Number(value('PRAGMA page_count')) * Number(value('PRAGMA page_size'))
      // SQLite reads zeros behind the end of a file. Pages of a database in use may be in its log only.
      const isShort = statSync(source).size < bytes && !existsSync(`${source}-wal`)
      if (problem === 'ok' && isShort) problem = 'its end is missing'
    })
  } catch (error) {
    throw new BackupError(`${source} is not a backup: ${reasonOf(error)}`)
  }
  if (problem !== 'ok') throw new BackupError(`${source} is damaged: ${String(problem)}`)
  return entries
}

function refuseEntries(file: string): void {
  if (!existsSync(file)) return
  const entries = using(openDatabase(file), countOf)
  if (entries === 0) return
  throw new BackupError(
    `${file} has entries already (${entries}): back them up, and add --replace to delete them`,
  )
}

/** Begins a transaction, in which a reader sees all changes or none, also after a crash. */
function attach(database: DatabaseSync, from: string, isHere: (store: string) => boolean): void {
  database.function('is_here', (store) => (isHere(String(store)) ? 1 : 0))
  database.prepare('ATTACH ? AS other').run(from)
  // Not IMMEDIATE, which would also lock the attached database for all others that write.
  database.exec('BEGIN')
}

function hasTable(database: DatabaseSync): boolean {
  const sql = "SELECT 1 FROM other.sqlite_schema WHERE name = 'spin_key_value'"
  return database.prepare(sql).get() !== undefined
}

/** As bytes, because another program may have stored a text or a number, which no host could read. */
function copyRows(database: DatabaseSync): void {
  database.exec(
    'INSERT INTO main.spin_key_value (store, key, value) ' +
      'SELECT store, key, CAST(value AS BLOB) FROM other.spin_key_value WHERE is_here(store)',
  )
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
