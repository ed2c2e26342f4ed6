/** `node:buffer`: the package `buffer`, and the encoding `base64url`, which it does not know. */
import * as library from 'buffer/'

export type Buffer = globalThis.Buffer
export const { Buffer, INSPECT_MAX_BYTES, kMaxLength, SlowBuffer } = library
export const constants = { MAX_LENGTH: kMaxLength, MAX_STRING_LENGTH: 2 ** 29 - 24 }
export const { atob, Blob, btoa, File } = globalThis

type Method = (this: unknown, ...rest: unknown[]) => unknown

const isUrl = (encoding: unknown): boolean =>
  typeof encoding === 'string' && encoding.toLowerCase() === 'base64url'
/** The library reads both alphabets as base64. */
const plain = (encoding: unknown): unknown => (isUrl(encoding) ? 'base64' : encoding)

const prototype = Reflect.get(Buffer, 'prototype') as object

/** @param change makes the new method of the old one. */
function wrap(object: object, name: string, change: (old: Method) => Method): void {
  Reflect.set(object, name, change(Reflect.get(object, name) as Method))
}

wrap(Buffer, 'from', (from) => (value, second, third) => {
  const encoding = typeof value === 'string' ? plain(second) : second
  return from.call(Buffer, value, encoding, third)
})
wrap(Buffer, 'byteLength', (byteLength) => (value, encoding) => {
  const text = isUrl(encoding) && typeof value === 'string' ? value.replace(/=+$/, '') : value
  return byteLength.call(Buffer, text, plain(encoding))
})
wrap(
  Buffer,
  'isEncoding',
  (isEncoding) => (encoding) => isUrl(encoding) || isEncoding.call(Buffer, encoding),
)
wrap(
  prototype,
  'toString',
  (toString) =>
    function (encoding, start, end) {
      const text = toString.call(this, plain(encoding), start, end) as string
      return isUrl(encoding)
        ? text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
        : text
    },
)
wrap(
  prototype,
  'write',
  (write) =>
    function (text, ...rest) {
      return write.call(this, text, ...rest.map(plain))
    },
)

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
