/** `wasi:filesystem/{types,preopens}`: one read-only folder at `/`. */
import { createHash } from 'node:crypto'
import { FILE_ERRORS, FileError, type FileErrorCode, type FileStat } from '../files/file-tree.ts'
import { Descriptor, DirectoryStream } from './descriptor.ts'
import type { Guest } from './guest.ts'
import { InputStream } from './io.ts'
import type { ImportFunction } from './jspi.ts'

/** `descriptor-type` values. */
const DIRECTORY = 3
const REGULAR_FILE = 6

/** Bits of `open-flags` and `descriptor-flags`. */
const OPEN_CREATE = 1
const OPEN_DIRECTORY = 2
const OPEN_TRUNCATE = 8
const FLAG_READ = 1
const FLAG_WRITE = 2
const FLAG_MUTATE_DIRECTORY = 32

const MILLION = 1_000_000

const kind = ({ directory }: { directory: boolean }) => (directory ? DIRECTORY : REGULAR_FILE)

/** Functions that would change a file. Their last argument is the address of the result. */
const READ_ONLY = [
  'write-via-stream',
  'append-via-stream',
  'set-size',
  'set-times',
  'write',
  'create-directory-at',
  'set-times-at',
  'link-at',
  'remove-directory-at',
  'rename-at',
  'symlink-at',
  'unlink-file-at',
]
/** Payload offsets of those whose result needs more than a byte's alignment. */
const ERROR_OFFSETS: Readonly<Record<string, number>> = {
  'write-via-stream': 4,
  'append-via-stream': 4,
  write: 8,
}

export function filesystemImports({ memory, handles }: Guest): Record<string, ImportFunction> {
  const descriptor = (handle: number) => handles.get(handle, Descriptor)
  const fail = (ret: number, offset: number, code: FileErrorCode) => {
    memory.setU8(ret, 1)
    memory.setU8(ret + offset, FILE_ERRORS.indexOf(code))
  }
  // `offset` is where the payload starts: the largest alignment of the two cases.
  const attempt = <T>(ret: number, offset: number, work: () => T, write: (result: T) => void) => {
    let result: T
    try {
      result = work()
    } catch (error) {
      if (!(error instanceof FileError)) throw error
      return fail(ret, offset, error.code)
    }
    memory.setU8(ret, 0)
    write(result)
  }
  const give = (ret: number, work: () => object) =>
    attempt(
      ret,
      4,
      () => {
        const resource = work()
        if (!handles.fits(resource)) throw new FileError('insufficient-memory')
        return resource
      },
      (resource) => memory.setU32(ret + 4, handles.add(resource)),
    )
  const writeTime = (at: number, milliseconds: number) => {
    memory.setU8(at, 1)
    memory.setU64(at + 8, Math.floor(milliseconds / 1000))
    memory.setU32(at + 16, Math.floor((milliseconds % 1000) * MILLION))
  }
  const writeStat = (at: number, stat: FileStat) => {
    memory.setU8(at, kind(stat))
    memory.setU64(at + 8, 1)
    memory.setU64(at + 16, stat.size)
    writeTime(at + 24, stat.accessedAt)
    writeTime(at + 48, stat.modifiedAt)
    writeTime(at + 72, stat.changedAt)
  }
  const writeHash = (at: number, { identity, modifiedAt, size }: FileStat) => {
    const hash = createHash('sha256').update(`${identity}\n${modifiedAt}\n${size}`).digest()
    memory.setU64(at, hash.readBigUInt64LE(0))
    memory.setU64(at + 8, hash.readBigUInt64LE(8))
  }
  const readOnly = READ_ONLY.map((name): [string, ImportFunction] => [
    `[method]descriptor.${name}`,
    (...args: number[]) => fail(args.at(-1) ?? 0, ERROR_OFFSETS[name] ?? 1, 'read-only'),
  ])
  const nothingToDo = (...args: (number | bigint)[]) => memory.setU8(Number(args.at(-1)), 0)
  return {
    ...Object.fromEntries(readOnly),
    '[resource-drop]descriptor': (self: number) => handles.drop(self, Descriptor),
    '[resource-drop]directory-entry-stream': (self: number) => handles.drop(self, DirectoryStream),
    // option<error-code>: our streams only fail with HTTP errors.
    'filesystem-error-code': (_error: number, ret: number) => memory.setU8(ret, 0),
    '[method]descriptor.advise': nothingToDo,
    '[method]descriptor.sync': nothingToDo,
    '[method]descriptor.sync-data': nothingToDo,
    '[method]descriptor.read-via-stream': (self: number, offset: bigint, ret: number) =>
      give(ret, () => new InputStream(descriptor(self).stream(offset))),
    '[method]descriptor.get-flags': (self: number, ret: number) => {
      descriptor(self)
      memory.setU8(ret, 0)
      memory.setU8(ret + 1, FLAG_READ)
    },
    '[method]descriptor.get-type': (self: number, ret: number) => {
      memory.setU8(ret + 1, kind({ directory: descriptor(self).isDirectory }))
      memory.setU8(ret, 0)
    },
    '[method]descriptor.read': (self: number, length: bigint, offset: bigint, ret: number) =>
      attempt(
        ret,
        4,
        () => descriptor(self).read(offset, length),
        ({ bytes, end }) => {
          memory.setBytes(ret + 4, bytes)
          memory.setU8(ret + 12, end ? 1 : 0)
        },
      ),
    '[method]descriptor.read-directory': (self: number, ret: number) =>
      give(ret, () => new DirectoryStream(descriptor(self).entries())),
    '[method]descriptor.stat': (self: number, ret: number) =>
      attempt(
        ret,
        8,
        () => descriptor(self).stat(),
        (stat) => writeStat(ret + 8, stat),
      ),
    '[method]descriptor.stat-at': (
      self: number,
      _follow: number,
      at: number,
      size: number,
      ret: number,
    ) =>
      attempt(
        ret,
        8,
        () => descriptor(self).statAt(memory.string(at, size)),
        (stat) => writeStat(ret + 8, stat),
      ),
    '[method]descriptor.open-at': (
      self: number,
      _follow: number,
      at: number,
      size: number,
      open: number,
      flags: number,
      ret: number,
    ) =>
      give(ret, () => {
        const writes = flags & (FLAG_WRITE | FLAG_MUTATE_DIRECTORY)
        if (open & (OPEN_CREATE | OPEN_TRUNCATE) || writes) throw new FileError('read-only')
        return descriptor(self).openAt(memory.string(at, size), {
          directory: (open & OPEN_DIRECTORY) !== 0,
        })
      }),
    // Links are followed inside the mounts and reported as their target, so no entry is a readable link.
    '[method]descriptor.readlink-at': (self: number, at: number, size: number, ret: number) =>
      attempt(
        ret,
        4,
        () => {
          descriptor(self).statAt(memory.string(at, size))
          throw new FileError('invalid')
        },
        () => undefined,
      ),
    '[method]descriptor.is-same-object': (self: number, other: number) =>
      descriptor(self).stat().identity === descriptor(other).stat().identity ? 1 : 0,
    '[method]descriptor.metadata-hash': (self: number, ret: number) =>
      attempt(
        ret,
        8,
        () => descriptor(self).stat(),
        (stat) => writeHash(ret + 8, stat),
      ),
    '[method]descriptor.metadata-hash-at': (
      self: number,
      _follow: number,
      at: number,
      size: number,
      ret: number,
    ) =>
      attempt(
        ret,
        8,
        () => descriptor(self).statAt(memory.string(at, size)),
        (stat) => writeHash(ret + 8, stat),
      ),
    // result<option<directory-entry>, error-code>: option at 4, type at 8, name at 12.
    '[method]directory-entry-stream.read-directory-entry': (self: number, ret: number) => {
      const entry = handles.get(self, DirectoryStream).next()
      memory.setU8(ret, 0)
      memory.setU8(ret + 4, entry === undefined ? 0 : 1)
      if (entry === undefined) return
      memory.setU8(ret + 8, kind(entry))
      memory.setString(ret + 12, entry.name)
    },
  }
}

export function preopensImports({
  memory,
  handles,
  services,
}: Guest): Record<string, ImportFunction> {
  return {
    'get-directories': (ret: number) => {
      const count = services.files.empty ? 0 : 1
      const to = memory.allocate(count, 12)
      if (count > 0) {
        memory.setU32(to, handles.add(new Descriptor(services.files, [])))
        memory.setString(to + 4, '/')
      }
      memory.setList(ret, to, count)
    },
  }
}
