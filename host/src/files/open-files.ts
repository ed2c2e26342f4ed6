/**
 * Files that are read, with few of the process's file descriptors.
 *
 * Guests may hold thousands of files open, and a process has some thousand descriptors for everything it does: for
 * each connection of a client as well. So a file takes a descriptor only while it is read, and gives it up when
 * others are read more recently.
 */
import { closeSync, fstatSync, openSync, readSync, statSync, type Stats } from 'node:fs'

/** Descriptors that the files of one thread take at most, of all instances together. */
const MAX_DESCRIPTORS = 64

/** Files that hold a descriptor; the one that was read last is the last. */
const open = new Map<LazyFile, number>()

/** A file that is opened when it is read. */
export class LazyFile {
  readonly #path: string
  /** Which file it was when it was read first: another one of the same name is not read on. */
  #inode: number | undefined

  constructor(path: string) {
    this.#path = path
  }

  stat(): Stats {
    const descriptor = open.get(this)
    return descriptor === undefined ? statSync(this.#path) : fstatSync(descriptor)
  }

  /** @returns how many bytes were read. @throws {NodeJS.ErrnoException} */
  read(into: Uint8Array, offset: number): number {
    return readSync(this.#descriptor(), into, 0, into.length, offset)
  }

  close(): void {
    const descriptor = open.get(this)
    if (descriptor === undefined) return
    open.delete(this)
    closeSync(descriptor)
  }

  #descriptor(): number {
    const known = open.get(this)
    if (known !== undefined) {
      // The last of the map again.
      open.delete(this)
      open.set(this, known)
      return known
    }
    for (const [oldest] of open) {
      if (open.size < MAX_DESCRIPTORS) break
      oldest.close()
    }
    const descriptor = openSync(this.#path, 'r')
    const { ino } = fstatSync(descriptor)
    this.#inode ??= ino
    if (this.#inode !== ino) {
      closeSync(descriptor)
      throw Object.assign(new Error('another file has taken its place'), { code: 'ESTALE' })
    }
    open.set(this, descriptor)
    return descriptor
  }
}
