/** Writes the files of a tool's result into a folder. Their names and sizes come from a server, which is not trusted. */
import { randomUUID } from 'node:crypto'
import {
  accessSync,
  constants,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, extname, join, parse } from 'node:path'
import { CommandFailure } from '../terminal/failure.ts'

const MAX_LINKED_BYTES = 1024 ** 3

const LONGEST_NAME = 100
/** Names of devices on Windows, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i
/** Files of the same name that one folder may have. */
const MAX_SAME_NAMES = 1000

/** The file was not saved; the message says why, in the middle of a sentence. */
export class NotSaved extends Error {
  override readonly name = 'NotSaved'
}

export interface SavedFilesOptions {
  /** Made when it is first needed. @default a new one in the system's temporary folder */
  folder?: string | undefined
  /** Replaces files of the same name. @default false: a number is added to the name */
  force?: boolean | undefined
  /** A linked file that is larger is not saved. Without a limit a server could fill the disk. @default 1 GiB */
  maxBytes?: number
}

export interface SavedFiles {
  /** @returns the path. @throws {NotSaved} */
  write(name: string, bytes: Uint8Array): string
  /** Writes the parts as they arrive. A file that does not become complete is not kept. @throws {NotSaved} */
  stream(name: string, parts: AsyncIterable<Uint8Array>): Promise<{ path: string; bytes: number }>
}

export function savedFiles({
  folder,
  force = false,
  maxBytes = MAX_LINKED_BYTES,
}: SavedFilesOptions): SavedFiles {
  let place: string | undefined
  const newDraft = (): string => {
    place ??= folder ?? mkdtempSync(join(tmpdir(), 'ftl-call-'))
    makeFolder(place)
    return join(place, `.${randomUUID()}.part`)
  }
  // A draft is whole when it gets its name, so that an existing file is not lost for half of a new one.
  const publish = (draft: string, name: string): string => {
    const target = join(dirname(draft), safeName(name))
    if (force) {
      renameSync(draft, target)
      return target
    }
    const { dir, name: stem, ext } = parse(target)
    for (let number = 1; number <= MAX_SAME_NAMES; number++) {
      const path = number === 1 ? target : join(dir, `${stem}_${number}${ext}`)
      try {
        copyFileSync(draft, path, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
        return path
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      }
    }
    throw new NotSaved(`the folder has ${MAX_SAME_NAMES} files of this name`)
  }
  return {
    write(name, bytes) {
      let draft: string | undefined
      try {
        draft = newDraft()
        writeFileSync(draft, bytes, { flag: 'wx' })
        return publish(draft, name)
      } catch (error) {
        throw notSaved(error)
      } finally {
        if (draft !== undefined) rmSync(draft, { force: true })
      }
    },
    async stream(name, parts) {
      let draft: string | undefined
      let file: FileHandle | undefined
      let bytes = 0
      try {
        draft = newDraft()
        for await (const part of parts) {
          bytes += part.length
          if (bytes > maxBytes) throw new NotSaved(`it is larger than ${maxBytes} bytes`)
          file ??= await open(draft, 'wx')
          await file.writeFile(part)
        }
        file ??= await open(draft, 'wx')
        await file.close()
        return { path: publish(draft, name), bytes }
      } catch (error) {
        throw notSaved(error)
      } finally {
        await file?.close().catch(() => {})
        if (draft !== undefined) rmSync(draft, { force: true })
      }
    },
  }
}

/**
 * Makes the folder of `--save` before the tool runs: after a long job, its files would be lost to a wrong name.
 *
 * @throws {CommandFailure}
 */
export function prepareFolder(folder: string): void {
  try {
    makeFolder(folder)
    accessSync(folder, constants.W_OK)
  } catch (error) {
    const shown = folder === '' ? '""' : folder
    throw new CommandFailure(`--save ${shown}: ${reasonOf(error)}. Choose another folder.`)
  }
}

/** Like `mkdir -p`. Node's `recursive` never returns where the system makes no folders, for example in /proc. */
function makeFolder(path: string): void {
  if (isFolder(path)) return
  const parent = dirname(path)
  if (parent !== path) makeFolder(parent)
  try {
    mkdirSync(path)
  } catch (error) {
    // Another call may have made it in the meantime.
    if (!isFolder(path)) throw error
  }
}

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

function notSaved(error: unknown): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException
  return code !== undefined && syscall !== undefined ? new NotSaved(reasonOf(error)) : error
}

function reasonOf(error: unknown): string {
  const { code = 'unknown error' } = error as NodeJS.ErrnoException
  switch (code) {
    case 'EEXIST':
    case 'ENOTDIR':
      return 'the path names a file, or leads through one'
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return 'the folder cannot be written'
    case 'ENOSPC':
    case 'EDQUOT':
      return 'the disk is full'
    default:
      return `the folder cannot be made or written (${code})`
  }
}

/** A name without a folder, which is not hidden and which every file system takes. */
export function safeName(name: string): string {
  const plain = name.replaceAll(/[^\w.-]/g, '_').replace(/^\.+/, '')
  const extension = extname(plain).slice(0, 20)
  const stem = plain.slice(0, plain.length - extname(plain).length).slice(0, LONGEST_NAME)
  const safe = `${stem}${extension}`.replace(/\.+$/, '') || 'file'
  return DEVICE.test(safe) ? `_${safe}` : safe
}
