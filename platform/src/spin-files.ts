import { getDirectories } from 'wasi:filesystem/preopens@0.2.10'
import type { Descriptor } from 'wasi:filesystem/types@0.2.10'
import { digestOf } from './digest.ts'

/** Bytes asked for in one read; files of a mount are configuration and workflows, mostly smaller. */
const READ_SIZE = 1n << 20n
/** Seconds of the year 2000. An image that gives all files one time gives an earlier one, which says nothing. */
const EARLIEST = 946_684_800n

export function readFile(path: string): Uint8Array | undefined {
  const file = open(path, {})
  if (!file) return undefined
  const parts: Uint8Array[] = []
  let offset = 0n
  for (;;) {
    const [bytes, end] = file.read(READ_SIZE, offset)
    if (bytes.length > 0) parts.push(bytes)
    offset += BigInt(bytes.length)
    if (end || bytes.length === 0) return join(parts)
  }
}

export function listFolder(path: string): string[] {
  const entries = open(path, { directory: true })?.readDirectory()
  if (!entries) return []
  const names: string[] = []
  for (let entry = entries.readDirectoryEntry(); entry; entry = entries.readDirectoryEntry()) {
    names.push(entry.name)
  }
  return names.sort()
}

export async function stampOf(path: string): Promise<string | undefined> {
  const stat = at(path, (root, relative) => root.statAt({ symlinkFollow: true }, relative))
  if (!stat || stat.type === 'directory') return undefined
  const { size, dataModificationTimestamp: time } = stat
  if (time && time.seconds > EARLIEST) return `${size}:${time.seconds}.${time.nanoseconds}`
  const bytes = readFile(path)
  return bytes && digestOf(bytes)
}

function open(path: string, openFlags: { directory?: boolean }): Descriptor | undefined {
  return at(path, (root, relative) =>
    relative === ''
      ? root
      : root.openAt({ symlinkFollow: true }, relative, openFlags, { read: true }),
  )
}

/** Asked once an instance, and never at build time. */
let roots: ReturnType<typeof getDirectories> | undefined

/** `undefined` when nothing is there; a mount is the preopened folder whose name begins the path. */
function at<T>(path: string, look: (root: Descriptor, relative: string) => T): T | undefined {
  for (const [root, name] of (roots ??= getDirectories())) {
    const prefix = name.endsWith('/') ? name : `${name}/`
    if (!path.startsWith(prefix) && path !== name) continue
    try {
      return look(root, path.slice(prefix.length))
    } catch {
      continue
    }
  }
  return undefined
}

function join(parts: Uint8Array[]): Uint8Array {
  const [only] = parts
  if (only && parts.length === 1) return only
  const joined = new Uint8Array(parts.reduce((size, part) => size + part.length, 0))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}
