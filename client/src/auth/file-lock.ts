/** A lock between processes: a file that exists while one of them works. */
import { randomBytes } from 'node:crypto'
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { AuthenticationError } from '../errors.ts'

const RETRY_MS = 25
/** Longer than the requests that are made under a lock. */
const STALE_MS = 60_000

/**
 * Runs `work` while no other process does so with the same lock. A lock whose process has ended is removed.
 *
 * @throws {AuthenticationError} when it is not free in time.
 */
export async function withFileLock<T>(
  path: string,
  work: () => Promise<T>,
  patienceMs = STALE_MS,
): Promise<T> {
  const deadline = Date.now() + patienceMs
  const own = `${process.pid} ${randomBytes(8).toString('hex')}`
  while (!(await acquire(path, own))) {
    if (Date.now() > deadline) {
      throw new AuthenticationError(
        `another ftl is using ${path}; remove the file if none is running`,
      )
    }
    await removeStale(path)
    await sleep(RETRY_MS)
  }
  try {
    return await work()
  } finally {
    // Another process took it over after this one had stopped for a minute: then it is not ours to remove.
    if ((await contentOf(path)) === own) await rm(path, { force: true })
  }
}

async function acquire(path: string, own: string): Promise<boolean> {
  try {
    await writeFile(path, own, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

async function removeStale(path: string): Promise<void> {
  const seen = await contentOf(path)
  if (seen === undefined) return
  const age = Date.now() - ((await stat(path).catch(() => undefined))?.mtimeMs ?? Date.now())
  const pid = Number(seen.split(' ')[0])
  // The content is written after the file is created: an empty one is new.
  if (age < STALE_MS && (seen === '' || isRunning(pid))) return
  // Of several processes that see it, one moves it. If it moved a newer lock, it puts that one back.
  const moved = `${path}.${randomBytes(6).toString('hex')}`
  await rename(path, moved).catch(() => undefined)
  const taken = await contentOf(moved)
  if (taken !== undefined && taken !== seen) await rename(moved, path)
  else await rm(moved, { force: true })
}

const contentOf = (path: string) => readFile(path, 'utf8').catch(() => undefined)

function isRunning(pid: number): boolean {
  try {
    return Number.isInteger(pid) && pid > 0 && process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
