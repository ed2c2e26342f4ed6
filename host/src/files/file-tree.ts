/** The read-only tree of files a component sees. */

/** The cases of `wasi:filesystem/types.error-code` in their order: the index is the value. */
export const FILE_ERRORS = [
  'access',
  'would-block',
  'already',
  'bad-descriptor',
  'busy',
  'deadlock',
  'quota',
  'exist',
  'file-too-large',
  'illegal-byte-sequence',
  'in-progress',
  'interrupted',
  'invalid',
  'io',
  'is-directory',
  'loop',
  'too-many-links',
  'message-size',
  'name-too-long',
  'no-device',
  'no-entry',
  'no-lock',
  'insufficient-memory',
  'insufficient-space',
  'not-directory',
  'not-empty',
  'not-recoverable',
  'unsupported',
  'no-tty',
  'no-such-device',
  'overflow',
  'not-permitted',
  'pipe',
  'read-only',
  'invalid-seek',
  'text-file-busy',
  'cross-device',
] as const

export type FileErrorCode = (typeof FILE_ERRORS)[number]

export class FileError extends Error {
  override readonly name = 'FileError'
  readonly code: FileErrorCode

  constructor(code: FileErrorCode) {
    super(code)
    this.code = code
  }
}

export interface FileStat {
  directory: boolean
  /** Bytes. */
  size: number
  /** Milliseconds since 1970. */
  accessedAt: number
  modifiedAt: number
  changedAt: number
  /** Two paths with the same identity are the same file. */
  identity: string
}

export interface OpenFile {
  stat(): FileStat
  /** At most `length` bytes; fewer only at the end of the file. */
  read(offset: number, length: number): Uint8Array
  close(): void
}

export interface DirectoryEntry {
  name: string
  directory: boolean
}

/** Paths are lists of names below the root, with no `.` or `..`. Every method may throw {@link FileError}. */
export interface FileTree {
  /** Whether there is anything at all; without it the component gets no descriptor. */
  readonly empty: boolean
  stat(path: readonly string[]): FileStat
  list(path: readonly string[]): DirectoryEntry[]
  open(path: readonly string[]): OpenFile
}
