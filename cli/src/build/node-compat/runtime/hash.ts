/** `createHash` and `createHmac`. */
import { hmac } from '@noble/hashes/hmac.js'
import { md5, ripemd160, sha1 } from '@noble/hashes/legacy.js'
import { sha224, sha256, sha384, sha512, sha512_224, sha512_256 } from '@noble/hashes/sha2.js'
import { sha3_224, sha3_256, sha3_384, sha3_512 } from '@noble/hashes/sha3.js'
import { Buffer } from './buffer.ts'
import { KeyObject } from './key-object.ts'

/** Of the library. */
type Algorithm = typeof sha256 | typeof md5
interface State {
  update(data: Uint8Array): unknown
  digest(): Uint8Array
  clone(): State
}

export type Input = string | ArrayBufferView | ArrayBuffer | KeyObject

const ALGORITHMS: Readonly<Record<string, Algorithm>> = {
  md5,
  ripemd160,
  rmd160: ripemd160,
  sha1,
  sha224,
  sha256,
  sha384,
  sha512,
  'sha512-224': sha512_224,
  'sha512-256': sha512_256,
  'sha3-224': sha3_224,
  'sha3-256': sha3_256,
  'sha3-384': sha3_384,
  'sha3-512': sha3_512,
}

export const getHashes = (): string[] => Object.keys(ALGORITHMS)

/** @throws {Error} naming those there are. */
export function algorithmOf(name: string): Algorithm {
  const key = String(name)
    .toLowerCase()
    .replace(/^(rsa-)?sha-?(1|224|256|384|512)$/, 'sha$2')
    .replace(/^rsa-/, '')
    .replace('/', '-')
  if (Object.hasOwn(ALGORITHMS, key) && ALGORITHMS[key]) return ALGORITHMS[key]
  throw new Error(
    `Digest method not supported: "${name}". A component has ${getHashes().join(', ')}`,
  )
}

/** @param encoding of a string. @default 'utf8' */
export function toBytes(data: Input, encoding?: string): Uint8Array {
  if (typeof data === 'string') return Buffer.from(data, (encoding ?? 'utf8') as BufferEncoding)
  if (data instanceof KeyObject) return data.bytes
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
  if (data instanceof ArrayBuffer) return new Uint8Array(data)
  throw new TypeError('The data must be a string, a Buffer, a typed array or an ArrayBuffer')
}

/** Not a stream: pass what you read to `update`. */
export class Hash {
  readonly #state: State
  #isDone = false

  constructor(state: State) {
    this.#state = state
  }

  update(data: Input, encoding?: string): this {
    if (this.#isDone) throw new Error('Digest already called')
    this.#state.update(toBytes(data, encoding))
    return this
  }

  digest(): Buffer
  digest(encoding: string): string
  digest(encoding?: string): Buffer | string {
    if (this.#isDone) throw new Error('Digest already called')
    this.#isDone = true
    return encoded(this.#state.digest(), encoding)
  }

  copy(): Hash {
    if (this.#isDone) throw new Error('Digest already called')
    return new Hash(this.#state.clone())
  }
}

export class Hmac extends Hash {}

export function encoded(bytes: Uint8Array, encoding: string | undefined): Buffer | string {
  const buffer = Buffer.from(bytes)
  return encoding === undefined || encoding === 'buffer'
    ? buffer
    : buffer.toString(encoding as BufferEncoding)
}

export const createHash = (name: string): Hash => new Hash(algorithmOf(name).create())

export const createHmac = (name: string, key: Input): Hmac =>
  new Hmac(hmac.create(algorithmOf(name), toBytes(key)))

export const hash = (name: string, data: Input, encoding = 'hex'): Buffer | string =>
  createHash(name).update(data).digest(encoding)
