/** Reads files of an npm package in memory. Nothing is written, so no name in an archive is ever a path of this machine. */
import { gunzipSync } from 'node:zlib'
import { CommandFailure } from '../terminal/failure.ts'

/** Bytes of an unpacked package, and its entries. */
const MOST_BYTES = 192 * 1024 * 1024
const MOST_ENTRIES = 5_000

const BLOCK = 512

/** The files by their names without the first folder, which is `package` in most packages. @throws {CommandFailure} */
export function readTarball(bytes: Uint8Array, mostBytes = MOST_BYTES): Map<string, Buffer> {
  const tar = unpacked(bytes, mostBytes)
  const files = new Map<string, Buffer>()
  let entries = 0
  let longName: string | undefined
  for (let at = 0; at + BLOCK <= tar.length;) {
    const header = tar.subarray(at, at + BLOCK)
    if (header.every((byte) => byte === 0)) break
    if (++entries > MOST_ENTRIES) throw bad(`has more than ${MOST_ENTRIES} entries`)
    checkSum(header)
    const size = octal(header.subarray(124, 136))
    const end = at + BLOCK + size
    if (end > tar.length) throw bad('ends in the middle of an entry')
    const content = tar.subarray(at + BLOCK, end)
    at = at + BLOCK + Math.ceil(size / BLOCK) * BLOCK
    const type = String.fromCharCode(header[156] ?? 0)
    if (type === 'x') {
      longName = paxPath(content)
      continue
    }
    if (type === 'g' || type === '5') continue
    const name = longName ?? nameOf(header)
    longName = undefined
    if (type !== '0' && type !== '\0') throw bad(`has an entry that is not a file: ${shown(name)}`)
    const path = checkedPath(name)
    if (files.has(path)) throw bad(`has two files ${shown(path)}`)
    files.set(path, content)
  }
  return files
}

function unpacked(bytes: Uint8Array, maxOutputLength: number): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength })
  } catch (error) {
    const isLong = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    throw bad(
      isLong ? `is larger than ${maxOutputLength} bytes when unpacked` : 'is not a gzip file',
    )
  }
}

function nameOf(header: Buffer): string {
  const name = text(header.subarray(0, 100))
  const prefix = text(header.subarray(345, 500))
  const isUstar = text(header.subarray(257, 262)) === 'ustar'
  return isUstar && prefix !== '' ? `${prefix}/${name}` : name
}

function checkedPath(name: string): string {
  const parts = name.split('/')
  if (name.startsWith('/') || name.includes('\\') || name.includes('\0') || parts.includes('..')) {
    throw bad(`has a file outside of its folder: ${shown(name)}`)
  }
  return parts
    .filter((part) => part !== '' && part !== '.')
    .slice(1)
    .join('/')
}

/** @see https://pubs.opengroup.org/onlinepubs/9699919799/utilities/pax.html#tag_20_92_13_03 */
function paxPath(content: Buffer): string | undefined {
  let path: string | undefined
  for (let at = 0; at < content.length;) {
    const [, digits = ''] = /^(\d{1,10}) /.exec(content.toString('latin1', at, at + 12)) ?? []
    const length = Number(digits)
    if (length <= digits.length || at + length > content.length)
      throw bad('has an unreadable header')
    const record = content.toString('utf8', at + digits.length + 1, at + length - 1)
    if (record.startsWith('path=')) path = record.slice(5)
    if (/^(linkpath|GNU\.sparse)/.test(record)) throw bad('has a link or a sparse file')
    at += length
  }
  return path
}

function octal(field: Buffer): number {
  const value = text(field).trim()
  if (!/^[0-7]{1,11}$/.test(value)) throw bad('has an entry with an unreadable size')
  return Number.parseInt(value, 8)
}

function checkSum(header: Buffer): void {
  let sum = 0
  for (const [at, byte] of header.entries()) sum += at >= 148 && at < 156 ? 32 : byte
  if (sum !== octal(header.subarray(148, 156))) throw bad('has a damaged header')
}

function text(field: Buffer): string {
  const end = field.indexOf(0)
  return field.toString('utf8', 0, end < 0 ? field.length : end)
}

const shown = (name: string) => JSON.stringify(name.slice(0, 100))

const bad = (reason: string) => new CommandFailure(`the package ${reason}`)

/** A tar of these files under `package/`, the same bytes each time. */
export function writeTar(files: ReadonlyMap<string, Uint8Array>): Buffer {
  const blocks = [...files].flatMap(([name, content]) => [
    headerOf(`package/${name}`, content.length),
    content,
    Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK),
  ])
  return Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)])
}

function headerOf(name: string, size: number): Buffer {
  const header = Buffer.alloc(BLOCK)
  header.write(name, 0, 100)
  header.write('0000644\0', 100)
  header.write('0000000\0', 108)
  header.write('0000000\0', 116)
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  // npm's own date, so that the same files make the same bytes.
  header.write(`${(499162500).toString(8).padStart(11, '0')}\0`, 136)
  header.write('        ', 148)
  header.write('0', 156)
  header.write('ustar\x0000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}
