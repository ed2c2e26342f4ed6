/** Folders and files that only this user may read: the state holds what jobs and callers left. */
import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs'

/** Makes a folder, or takes the rights of others from one that is there. */
export function makePrivate(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  takeRights(folder, 0o700)
}

/** Makes an empty file that is not there, and takes the rights of others; SQLite's further files get the same. */
export function makePrivateFile(file: string): void {
  closeSync(openSync(file, 'a', 0o600))
  takeRights(file, 0o600)
}

function takeRights(path: string, mode: number): void {
  if ((statSync(path).mode & 0o077) === 0) return
  try {
    chmodSync(path, mode)
  } catch (error) {
    // Another user's, such as a volume that a container is given: its owner decides who reads it.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error
  }
}
