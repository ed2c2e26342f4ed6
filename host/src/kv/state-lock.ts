/**
 * One host at a time on a state folder.
 *
 * @module
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { makePrivate, makePrivateFile } from './private-folder.ts'
import { isBusy } from './sqlite.ts'

/** Another host keeps its state in the folder. */
export class StateDirInUseError extends Error {
  override readonly name = 'StateDirInUseError'
  readonly stateDir: string
  /** The other host's process, where it could be found out. */
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

/** SQLite gives a lock back when its database object is collected: those that are held must be reachable. */
const held = new Set<DatabaseSync>()

export interface StateLock {
  /** May be called again. */
  release: () => void
}

/**
 * Takes the folder for this process.
 *
 * Two hosts would share jobs and catalog without knowing of each other. The lock is SQLite's on an empty
 * database: it works wherever the store itself does, and the system takes it away with the process, however
 * that ends. The files stay, because a lock on a file that was removed holds nobody off.
 *
 * @param stateDir made if need be.
 * @param pid process that a second host is told to stop.
 * @throws {StateDirInUseError}
 */
export function lockStateDir(stateDir: string, pid = process.pid): StateLock {
  makePrivate(stateDir)
  const pidFile = join(stateDir, 'ftl-host.pid')
  // Whoever has the lock keeps it: waiting would only delay the answer.
  const lockFile = join(stateDir, 'ftl-host.lock')
  makePrivateFile(lockFile)
  const database = new DatabaseSync(lockFile, { timeout: 0 })
  try {
    database.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    database.close()
    throw isBusy(error) ? new StateDirInUseError(stateDir, readPid(pidFile)) : error
  }
  // The lock keeps everybody from reading its own file.
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
