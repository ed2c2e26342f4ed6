/** Writing a folder of files: all of it or nothing, and never over anything. */
import { randomUUID } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { NewFailure } from './failure.ts'

/** @throws {NewFailure} when something is at `folder` that would have to go. An empty folder is nothing. */
export function checkFree(folder: string): void {
  let entries: string[]
  try {
    entries = readdirSync(folder).sort()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw new NewFailure(`${folder} is in the way, and no folder; choose another name`)
  }
  if (entries.length === 0) return
  const some = entries.slice(0, 3).join(', ') + (entries.length > 3 ? ', …' : '')
  throw new NewFailure(`${folder} has files in it (${some}); choose another name, or remove it`)
}

/**
 * Writes the files beside their place, under a name of their own, and moves them there at once: whatever happens on the
 * way, there is never half a folder.
 *
 * @param files by their path in `folder`, with `/`.
 * @param finish what else must succeed for the folder to stay.
 * @throws whatever stopped it; nothing is left behind then.
 */
export function writeFolder(
  folder: string,
  files: ReadonlyMap<string, string>,
  finish: () => void = () => {},
): void {
  checkFree(folder)
  const parent = dirname(folder)
  const top = firstMissing(parent)
  const draft = join(parent, `.${basename(folder)}-${randomUUID()}`)
  let there = draft
  const release = holdSignals()
  try {
    mkdirSync(draft, { recursive: true })
    for (const [path, text] of files) {
      const file = join(draft, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text, { flag: 'wx' })
    }
    if (existsSync(folder)) rmdirSync(folder)
    renameSync(draft, folder)
    there = folder
    finish()
  } catch (error) {
    rmSync(there, { recursive: true, force: true })
    if (top !== undefined) removeEmpty(parent, top)
    throw error
  } finally {
    release()
  }
}

/** The topmost of the folders that are not there yet. */
function firstMissing(folder: string): string | undefined {
  if (existsSync(folder)) return undefined
  return firstMissing(dirname(folder)) ?? folder
}

/** Removes empty folders from `folder` up to `top`; a folder in which another program has created a file stays. */
function removeEmpty(folder: string, top: string): void {
  try {
    rmdirSync(folder)
    if (folder !== top) removeEmpty(dirname(folder), top)
  } catch {
    // Not empty, or not there: nothing of ours is left in it.
  }
}

// Ctrl-C ends a process at once unless a listener handles it. Writing takes milliseconds, so the signal can wait.
function holdSignals(): () => void {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  const hold = () => {}
  for (const signal of signals) process.on(signal, hold)
  return () => {
    for (const signal of signals) process.off(signal, hold)
  }
}
