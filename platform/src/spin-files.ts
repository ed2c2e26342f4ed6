import { getDirectories } from 'wasi:filesystem/preopens@0.2.10'
import type { Descriptor } from 'wasi:filesystem/types@0.2.10'

/** Bytes asked for in one read; files of a mount are configuration and workflows, mostly smaller. */
const READ_SIZE = 1n << 20n

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

/** `undefined` when nothing is there; a mount is the preopened folder whose name begins the path. */
function open(path: string, openFlags: { directory?: boolean }): Descriptor | undefined {
  for (const [root, name] of getDirectories()) {
    const prefix = name.endsWith('/') ? name : `${name}/`
    if (!path.startsWith(prefix) && path !== name) continue
    const relative = path.slice(prefix.length)
    if (relative === '') return root
    try {
      return root.openAt({ symlinkFollow: true }, relative, openFlags, { read: true })
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
