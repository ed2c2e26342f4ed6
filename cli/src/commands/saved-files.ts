/** Writes the files of a tool's result into a folder. Their names and sizes come from a server, which is not trusted. */
import { randomUUID } from 'node:crypto'
import {
  constants,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, extname, join, parse } from 'node:path'

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
  /** @returns the path. */
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
    mkdirSync(place, { recursive: true })
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
      const draft = newDraft()
      try {
        writeFileSync(draft, bytes, { flag: 'wx' })
        return publish(draft, name)
      } finally {
        rmSync(draft, { force: true })
      }
    },
    async stream(name, parts) {
      const draft = newDraft()
      let file: FileHandle | undefined
      let bytes = 0
      try {
        for await (const part of parts) {
          bytes += part.length
          if (bytes > maxBytes) throw new NotSaved(`it is larger than ${maxBytes} bytes`)
          file ??= await open(draft, 'wx')
          await file.writeFile(part)
        }
        file ??= await open(draft, 'wx')
        await file.close()
        return { path: publish(draft, name), bytes }
      } finally {
        await file?.close().catch(() => {})
        rmSync(draft, { force: true })
      }
    },
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
