/** `wasi:filesystem` descriptors: a file or folder of the component's tree, only for reading. */
import {
  type DirectoryEntry,
  FileError,
  type FileStat,
  type FileTree,
  type OpenFile,
} from '../files/file-tree.ts'
import { HttpError } from '../http/http-error.ts'
import type { ByteSource } from '../http/pipe.ts'

/** What a name of a path, or of an entry of a folder, takes besides its letters. */
const NAME_BYTES = 64

/** One `read` gives no more than this, whatever the guest asks for. */
const READ_LIMIT = 16 * 1024 * 1024

/** A path longer than this is refused before it is looked at. */
const PATH_LIMIT = 4096

export class Descriptor {
  readonly #tree: FileTree
  readonly #path: readonly string[]
  readonly #file: OpenFile | undefined
  /** What its path takes. */
  readonly bytes: number

  constructor(tree: FileTree, path: readonly string[], file?: OpenFile) {
    this.bytes = path.length * NAME_BYTES
    this.#tree = tree
    this.#path = path
    this.#file = file
  }

  get isDirectory(): boolean {
    return this.#file === undefined
  }

  stat(): FileStat {
    return this.#file?.stat() ?? this.#tree.stat(this.#path)
  }

  statAt(path: string): FileStat {
    return this.#tree.stat(this.#resolve(path))
  }

  openAt(path: string, { directory = false } = {}): Descriptor {
    const target = this.#resolve(path)
    const stat = this.#tree.stat(target)
    if (stat.directory) return new Descriptor(this.#tree, target)
    if (directory) throw new FileError('not-directory')
    return new Descriptor(this.#tree, target, this.#tree.open(target))
  }

  entries(): DirectoryEntry[] {
    if (this.#file) throw new FileError('not-directory')
    return this.#tree.list(this.#path)
  }

  read(offset: bigint, length: bigint): { bytes: Uint8Array; end: boolean } {
    if (!this.#file) throw new FileError('is-directory')
    const { size } = this.#file.stat()
    const start = offset < 0n || offset > BigInt(size) ? size : Number(offset)
    const wanted = length < 0n || length > READ_LIMIT ? READ_LIMIT : Number(length)
    const bytes = this.#file.read(start, Math.min(wanted, size - start))
    return { bytes, end: start + bytes.length >= size }
  }

  /** Lives apart from the descriptor, which the guest may drop first. */
  stream(offset: bigint): FileSource {
    if (!this.#file) throw new FileError('is-directory')
    return new FileSource(this.#tree.open(this.#path), Number(offset))
  }

  dispose(): void {
    this.#file?.close()
  }

  // A path stays below its descriptor: `..` may go back only where it came from.
  #resolve(path: string): readonly string[] {
    if (this.#file) throw new FileError('not-directory')
    if (path === '') throw new FileError('no-entry')
    if (path.length > PATH_LIMIT) throw new FileError('name-too-long')
    if (path.startsWith('/')) throw new FileError('not-permitted')
    if (path.includes('\0')) throw new FileError('invalid')
    const names: string[] = []
    for (const name of path.split('/')) {
      if (name === '' || name === '.') continue
      if (name !== '..') names.push(name)
      else if (names.pop() === undefined) throw new FileError('not-permitted')
    }
    return [...this.#path, ...names]
  }
}

class FileSource implements ByteSource {
  readonly #file: OpenFile
  #offset: number

  constructor(file: OpenFile, offset: number) {
    this.#file = file
    this.#offset = offset
  }

  read(max: number): Uint8Array | undefined {
    const bytes = this.#readHere(max)
    this.#offset += bytes.length
    return bytes.length === 0 && max > 0 ? undefined : bytes
  }

  // Streams fail with one kind of error, whatever is behind them.
  #readHere(max: number): Uint8Array {
    try {
      return this.#file.read(this.#offset, max)
    } catch (error) {
      throw new HttpError('internal-error', String(error))
    }
  }

  ready(): boolean {
    return true
  }

  onReady(): () => void {
    return () => {}
  }

  dispose(): void {
    this.#file.close()
  }
}

export class DirectoryStream {
  readonly #entries: readonly DirectoryEntry[]
  /** What the entries take, those that were read included. */
  readonly bytes: number
  #next = 0

  constructor(entries: readonly DirectoryEntry[]) {
    this.#entries = entries
    this.bytes = entries.reduce((sum, { name }) => sum + name.length + NAME_BYTES, 0)
  }

  next(): DirectoryEntry | undefined {
    return this.#entries[this.#next++]
  }
}
