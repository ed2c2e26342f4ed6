/** Appends lines to an audit log, and continues its chain after a restart, a torn line and a full disk. */
import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { basename } from 'node:path'
import { chained, hashOf, type Head } from './hash-chain.ts'
import { ForeignFileError, readTail } from './tail.ts'

export interface AuditFileOptions {
  /** Bytes after which a file is put aside. */
  maxBytes: number
  /** Puts each line on the disk before the next one; otherwise the system does so in its own time. @default false */
  sync?: boolean
  /** Called when lines cannot be written, and when they can again. */
  onProblem: (message: string) => void
  /** Called with each line that is in the file, as it is there. */
  onLine?: ((line: string) => void) | undefined
  /** For tests. @default writeSync */
  write?: (fd: number, bytes: Uint8Array, offset: number) => number
}

/** An audit log cannot be opened or continued. */
export class AuditFileError extends Error {
  override readonly name = 'AuditFileError'
}

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_RDWR, O_NONBLOCK, O_EXCL, O_DSYNC } = constants

/** A new file has a name of its own until its first line is written, so that a chain never begins again. */
const NEXT = '.next'

/** Lines that wait while none can be written; further ones are counted. */
const MAX_WAITING = 10_000

/** Lines in one piece. */
const MOST_AT_ONCE = 100

/** Milliseconds between two reports that lines cannot be written. */
const REPORT_EVERY_MS = 10_000

/** Digits of the number in the name of a file that was put aside, so that names sort in order. */
const DIGITS = 12

/** An audit log in a file. One process writes it at a time. */
export class AuditFile {
  readonly #path: string
  readonly #options: AuditFileOptions
  readonly #write: (fd: number, bytes: Uint8Array, offset: number) => number
  #fd: number
  #size = 0
  #head: Head
  #first: number | undefined
  #torn: Uint8Array | undefined
  #waiting: string[] = []
  /** In the file, and not yet given to `onLine`. */
  #written: string[] = []
  #lost = 0
  #reason: string | undefined
  #reportedAt = -Infinity

  /** @throws {AuditFileError} */
  constructor(path: string, options: AuditFileOptions) {
    this.#path = path
    this.#options = options
    this.#write = options.write ?? ((fd, bytes, offset) => writeSync(fd, bytes, offset))
    try {
      // The process ended between the two renames of a rotation.
      if (!existsSync(path) && existsSync(path + NEXT)) renameSync(path + NEXT, path)
      this.#fd = this.#open(path)
      const { head, size, torn, first } = readTail(this.#fd)
      this.#head = head
      this.#size = size
      this.#torn = torn
      this.#first = first
    } catch (error) {
      throw new AuditFileError(`the audit log ${path} cannot be used: ${whyOf(error)}`)
    }
  }

  /** Why lines cannot be written at the moment. */
  get failure(): string | undefined {
    return this.#reason
  }

  get head(): Head {
    return this.#head
  }

  /**
   * Writes lines before it returns.
   *
   * @param entries JSON text of objects, each in one line.
   * @returns whether they are in the file. If not, they are written later, before all others.
   */
  append(...entries: readonly string[]): boolean {
    for (const entry of entries) {
      if (this.#waiting.length < MAX_WAITING) this.#waiting.push(entry)
      else this.#lost++
    }
    return this.flush()
  }

  /** Writes what waits. */
  flush(): boolean {
    const before = this.#reason
    try {
      this.#checkSize()
      if (this.#torn) this.#markTorn(this.#torn)
      if (this.#waiting.length > 0 && this.#size > this.#options.maxBytes) this.#rotate()
      this.#putWaiting()
      if (this.#lost > 0) {
        this.#putOne(event('lost', { lines: this.#lost }))
        this.#lost = 0
      }
    } catch (error) {
      this.#failed(error)
      return false
    } finally {
      for (const line of this.#written.splice(0)) this.#options.onLine?.(line)
    }
    this.#reason = undefined
    if (before !== undefined)
      this.#options.onProblem(`the audit log ${this.#path} can be written again`)
    return true
  }

  /** Tries again what failed, and opens the file again if another program has moved it away. */
  check(): void {
    if (this.#reason !== undefined) this.flush()
    this.#reopenIfMoved()
  }

  close(): void {
    closeSync(this.#fd)
  }

  #open(path: string, flags = 0): number {
    // Under Node's permission model, files cannot be synchronised otherwise.
    return openPrivate(path, flags | (this.#options.sync ? O_DSYNC : 0))
  }

  #putWaiting(): void {
    let written = 0
    try {
      while (written < this.#waiting.length) {
        const some = this.#waiting.slice(written, written + MOST_AT_ONCE)
        this.#put(some, (count) => (written += count))
      }
    } finally {
      if (written > 0) this.#waiting = this.#waiting.slice(written)
    }
  }

  /** Writes lines in one piece. @param onWritten told how many of them are in the file, also if it fails. */
  #put(entries: readonly string[], onWritten: (count: number) => void): void {
    let head = this.#head
    const lines = entries.map((entry) => {
      const line = chained(entry, head)
      const bytes = Buffer.from(`${line}\n`)
      const end = { seq: head.seq + 1, hash: hashOf(bytes.subarray(0, -1)) }
      head = end
      return { line, end, bytes }
    })
    const [only] = lines
    const before = this.#size
    try {
      this.#writeAll(
        only && lines.length === 1 ? only.bytes : Buffer.concat(lines.map(({ bytes }) => bytes)),
      )
    } finally {
      let left = this.#size - before
      let count = 0
      for (const { line, end, bytes } of lines) {
        if (bytes.length > left) break
        left -= bytes.length
        this.#first ??= end.seq
        this.#head = end
        this.#written.push(line)
        count++
      }
      // Of a piece that is in the file in part, only the last line is torn.
      if (this.#torn) this.#torn = left > 0 ? this.#torn.slice(this.#torn.length - left) : undefined
      onWritten(count)
    }
  }

  #putOne(entry: string): void {
    this.#put([entry], () => {})
  }

  #writeAll(bytes: Uint8Array): void {
    let written = 0
    try {
      while (written < bytes.length) {
        const count = this.#write(this.#fd, bytes, written)
        if (count <= 0) throw new Error('nothing was written')
        written += count
      }
    } finally {
      this.#size += written
      if (written > 0 && written < bytes.length) this.#torn = bytes.slice(0, written)
    }
  }

  /** Ends a line of which only a part was written, and says so. */
  #markTorn(torn: Uint8Array): void {
    this.#torn = undefined
    try {
      this.#writeAll(Buffer.from('\n'))
    } catch (error) {
      this.#torn = torn
      throw error
    }
    this.#putOne(event('torn', { bytes: torn.length, sha256: hashOf(torn) }))
  }

  /** Another program has appended to the file, or cut it. */
  #checkSize(): void {
    const { size } = fstatSync(this.#fd)
    if (size === this.#size) return
    const expected = this.#size
    const known = this.#head
    const tail = readTail(this.#fd)
    this.#size = size
    // Numbers go on, so that what is missing shows.
    this.#head = size > expected ? tail.head : known
    this.#torn = tail.torn
    this.#waiting.unshift(event('changed', { expected, found: size }))
    this.#options.onProblem(
      `another program has changed the audit log ${this.#path}: it had ${expected} bytes and has ${size}`,
    )
  }

  #rotate(): void {
    const name = `${this.#path}.${String(this.#first ?? 0).padStart(DIGITS, '0')}`
    const before = { fd: this.#fd, size: this.#size, first: this.#first, head: this.#head }
    // What is left of a rotation that failed.
    rmSync(this.#path + NEXT, { force: true })
    this.#fd = this.#open(this.#path + NEXT, O_EXCL)
    this.#size = 0
    this.#first = undefined
    try {
      this.#putOne(event('continued', { after: basename(name) }))
      renameSync(this.#path, name)
      renameSync(this.#path + NEXT, this.#path)
      closeSync(before.fd)
    } catch (error) {
      closeSync(this.#fd)
      this.#fd = before.fd
      this.#size = before.size
      this.#first = before.first
      this.#head = before.head
      this.#torn = undefined
      this.#written.length = 0
      throw error
    }
  }

  #reopenIfMoved(): void {
    try {
      const there = statSync(this.#path, { throwIfNoEntry: false })
      const here = fstatSync(this.#fd)
      if (there && there.ino === here.ino && there.dev === here.dev) return
      const fd = this.#open(this.#path)
      closeSync(this.#fd)
      this.#fd = fd
      this.#size = fstatSync(fd).size
      this.#first = undefined
      this.append(event('continued', { after: 'a file that was moved' }))
    } catch (error) {
      this.#failed(error)
    }
  }

  #failed(error: unknown): void {
    this.#reason = whyOf(error)
    const now = performance.now()
    if (now - this.#reportedAt < REPORT_EVERY_MS) return
    this.#reportedAt = now
    this.#options.onProblem(`the audit log ${this.#path} cannot be written: ${this.#reason}`)
  }
}

/** A line of the log about itself. */
export function event(name: string, more: object = {}): string {
  return JSON.stringify({ audit: 1, time: new Date().toISOString(), event: name, ...more })
}

/** Only this user may read it, because it says who did what. Never a link to another file, and never a pipe. */
function openPrivate(path: string, flags: number): number {
  const fd = openSync(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | flags, 0o600)
  try {
    const found = fstatSync(fd)
    if (!found.isFile()) throw new ForeignFileError('it is not a regular file')
    if ((found.mode & 0o077) !== 0) chmodSync(path, 0o600)
    return fd
  } catch (error) {
    closeSync(fd)
    throw error
  }
}

const WHY: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  EFBIG: 'the file has reached the size limit of this process',
  EACCES: 'this user may not write it',
  EPERM: 'this user may not write it',
  EROFS: 'the disk is read-only',
  ENOENT: 'its folder does not exist',
  ELOOP: 'it is a symbolic link',
  EISDIR: 'it is a folder',
  ENXIO: 'it is not a regular file',
  ERR_ACCESS_DENIED: 'the process of the host may not write it',
}

function whyOf(error: unknown): string {
  if (error instanceof ForeignFileError) return error.message
  const { code = '', message } = error as NodeJS.ErrnoException
  return WHY[code] ?? (code === '' ? message : code)
}
