/** Locks a state folder, so that only one host at a time uses it. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { makePrivate, makePrivateFile } from './private-folder.ts'
import { isBusy } from './sqlite.ts'

/** Another host keeps its state in the folder. */
export class StateDirInUseError extends Error {
  override readonly name = 'StateDirInUseError'
  readonly stateDir: string
  /** The other host's process id, if it is known. */
  readonly pid: number | undefined

  constructor(stateDir: string, pid: number | undefined) {
    const who = pid === undefined ? 'another host' : `the host with the process id ${pid}`
    super(
      `${stateDir} is in use by ${who}; stop that one, or keep the state elsewhere with --state-dir`,
    )
    this.stateDir = stateDir
    this.pid = pid
  }
}

/** Keeps the databases reachable: SQLite releases a lock when its database object is garbage-collected. */
const held = new Set<DatabaseSync>()

export interface StateLock {
  /** May be called again. */
  release: () => void
}

/**
 * Locks the folder for this process.
 *
 * Without a lock two hosts would share jobs and catalog unknowingly. The lock is SQLite's, on an empty database: it
 * works wherever the store itself does, and the system releases it when the process ends, even after a crash. The
 * files are not removed, because a lock on a removed file does not keep out another host.
 *
 * @param stateDir created if it does not exist.
 * @param pid process that the error message of a second host names.
 * @throws {StateDirInUseError}
 */
export function lockStateDir(stateDir: string, pid = process.pid): StateLock {
  makePrivate(stateDir)
  const pidFile = join(stateDir, 'ftl-host.pid')
  // The timeout is 0: another host keeps its lock while it runs, so waiting would only delay the error.
  const lockFile = join(stateDir, 'ftl-host.lock')
  makePrivateFile(lockFile)
  const database = new DatabaseSync(lockFile, { timeout: 0 })
  try {
    database.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    database.close()
    throw isBusy(error) ? new StateDirInUseError(stateDir, readPid(pidFile)) : error
  }
  // A separate file, because other processes cannot read the locked one.
  writeFileSync(pidFile, `${pid}\n`, { mode: 0o600 })
  held.add(database)
  return {
    release: () => {
      if (!held.delete(database)) return
      rmSync(pidFile, { force: true })
      database.close()
    },
  }
}

function readPid(file: string): number | undefined {
  try {
    return Number(/^\d+/.exec(readFileSync(file, 'utf8'))?.[0]) || undefined
  } catch {
    return undefined
  }
}
