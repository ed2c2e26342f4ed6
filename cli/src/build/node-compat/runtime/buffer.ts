/** `node:buffer`: the package `buffer`, and the encoding `base64url`, which it does not know. */
import * as library from 'buffer/'

export type Buffer = globalThis.Buffer
export const { Buffer, INSPECT_MAX_BYTES, kMaxLength, SlowBuffer } = library
export const constants = { MAX_LENGTH: kMaxLength, MAX_STRING_LENGTH: 2 ** 29 - 24 }
export const { atob, Blob, btoa, File } = globalThis

const isUrl = (encoding: unknown): boolean =>
  typeof encoding === 'string' && encoding.toLowerCase() === 'base64url'
/** The library reads both alphabets as base64. */
const plain = <T>(encoding: T): T | 'base64' => (isUrl(encoding) ? 'base64' : encoding)

const { byteLength, from, isEncoding } = Buffer
const { toString, write } = Buffer.prototype
type Anything = (this: unknown, ...rest: unknown[]) => unknown

Object.assign(Buffer, {
  from(value: unknown, second?: unknown, third?: unknown) {
    const encoding = typeof value === 'string' ? plain(second) : second
    return (from as Anything).call(Buffer, value, encoding, third)
  },
  byteLength: (value: string, encoding?: BufferEncoding) =>
    byteLength(isUrl(encoding) ? value.replace(/=+$/, '') : value, plain(encoding)),
  isEncoding: (encoding: string) => isUrl(encoding) || isEncoding(encoding),
})
Object.assign(Buffer.prototype, {
  toString(this: Buffer, encoding?: BufferEncoding, start?: number, end?: number): string {
    const text = toString.call(this, plain(encoding), start, end)
    return isUrl(encoding)
      ? text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
      : text
  },
  write(this: Buffer, ...rest: unknown[]) {
    return (write as Anything).call(this, ...rest.slice(0, -1), plain(rest.at(-1)))
  },
})

export default {
  atob,
  Blob,
  btoa,
  Buffer,
  constants,
  File,
  INSPECT_MAX_BYTES,
  kMaxLength,
  SlowBuffer,
}
