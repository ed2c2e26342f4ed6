/** Keys from passwords and from other keys. */
import { hkdf } from '@noble/hashes/hkdf.js'
import { pbkdf2 as derive } from '@noble/hashes/pbkdf2.js'
import { Buffer } from './buffer.ts'
import { algorithmOf, type Input, toBytes } from './hash.ts'

type Callback<T> = (error: Error | null, value?: T) => void

/** Computed in JavaScript, so slow: prefer `pbkdf2`, which is native for SHA-1, SHA-256, SHA-384 and SHA-512. */
export function pbkdf2Sync(
  password: Input,
  salt: Input,
  iterations: number,
  length: number,
  digest: string,
): Buffer {
  const options = { c: iterations, dkLen: length }
  return Buffer.from(derive(algorithmOf(digest), toBytes(password), toBytes(salt), options))
}

export function pbkdf2(
  password: Input,
  salt: Input,
  iterations: number,
  length: number,
  digest: string,
  callback: Callback<Buffer>,
): void {
  const [, size] = /^sha-?(1|256|384|512)$/i.exec(digest) ?? []
  const done =
    size === undefined
      ? Promise.resolve().then(() => pbkdf2Sync(password, salt, iterations, length, digest))
      : natively(toBytes(password), toBytes(salt), iterations, length, `SHA-${size}`)
  done.then((key) => callback(null, key), callback)
}

async function natively(
  password: Uint8Array,
  salt: Uint8Array,
  iterations: number,
  length: number,
  hash: string,
): Promise<Buffer> {
  const { subtle } = crypto
  const key = await subtle.importKey('raw', new Uint8Array(password), 'PBKDF2', false, [
    'deriveBits',
  ])
  const options = { name: 'PBKDF2', hash, iterations, salt: new Uint8Array(salt) }
  return Buffer.from(await subtle.deriveBits(options, key, length * 8))
}

export function hkdfSync(
  digest: string,
  key: Input,
  salt: Input,
  info: Input,
  length: number,
): ArrayBuffer {
  const made = hkdf(algorithmOf(digest), toBytes(key), toBytes(salt), toBytes(info), length)
  return new Uint8Array(made).buffer
}

export function hkdf_(
  digest: string,
  key: Input,
  salt: Input,
  info: Input,
  length: number,
  callback: Callback<ArrayBuffer>,
): void {
  Promise.resolve()
    .then(() => hkdfSync(digest, key, salt, info, length))
    .then((made) => callback(null, made), callback)
}
