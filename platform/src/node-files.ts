/** Folders of this machine as a component's files and stores. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createHash } from 'node:crypto'
import { join, resolve, sep } from 'node:path'
import type { Files, KeyValue } from './platform.ts'

/** Bytes of the length of the key. */
const HEAD = 4

/** Reads below one folder only. */
export function folderFiles(folder: string): Files {
  const root = resolve(folder)
  const at = (path: string) => {
    const absolute = resolve(join(root, path))
    return absolute === root || absolute.startsWith(root + sep) ? absolute : undefined
  }
  const stat = (path: string) => {
    const absolute = at(path)
    return absolute === undefined ? undefined : statSync(absolute, { throwIfNoEntry: false })
  }
  return {
    read: async (path) =>
      stat(path)?.isFile() ? new Uint8Array(readFileSync(at(path) ?? '')) : undefined,
    list: async (path) => (stat(path)?.isDirectory() ? readdirSync(at(path) ?? '').sort() : []),
    stamp: async (path) => {
      const found = stat(path)
      return found?.isFile() ? `${found.size}:${found.mtimeMs}` : undefined
    },
  }
}

/** One file for each key, with the key before the value. For one process: it compares and writes without a pause. */
export function folderStore(stateFolder: string, label: string): KeyValue {
  const folder = join(stateFolder, encodeURIComponent(label))
  const path = (key: string) =>
    join(folder, `${createHash('sha256').update(key).digest('hex')}.value`)
  const read = (file: string) => {
    if (!existsSync(file)) return undefined
    const bytes = readFileSync(file)
    const end = HEAD + bytes.readUInt32BE(0)
    return { key: bytes.toString('utf8', HEAD, end), value: new Uint8Array(bytes.subarray(end)) }
  }
  const get = (key: string) => read(path(key))?.value
  const set = (key: string, value: Uint8Array | string) => {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const name = Buffer.from(key)
    const head = Buffer.alloc(HEAD)
    head.writeUInt32BE(name.length)
    const draft = `${path(key)}.${process.pid}`
    writeFileSync(draft, Buffer.concat([head, name, Buffer.from(value)]), { mode: 0o600 })
    renameSync(draft, path(key))
  }
  return {
    get: async (key) => get(key),
    set: async (key, value) => set(key, value),
    setIf: async (key, expected, value) => {
      const now = get(key)
      const isSame =
        now === undefined || expected === undefined
          ? now === expected
          : Buffer.compare(now, expected) === 0
      if (isSame) set(key, value)
      return isSame
    },
    delete: async (key) => rmSync(path(key), { force: true }),
    exists: async (key) => existsSync(path(key)),
    keys: async () => {
      const names = existsSync(folder) ? readdirSync(folder) : []
      return names.flatMap((name) =>
        name.endsWith('.value') ? (read(join(folder, name))?.key ?? []) : [],
      )
    },
  }
}
