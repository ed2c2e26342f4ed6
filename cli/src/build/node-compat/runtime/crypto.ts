/** `node:crypto`: hashes, HMAC, random numbers and key derivation. The rest is in `crypto.subtle`, and throws here. */
import { hkdf_ as hkdf, hkdfSync, pbkdf2, pbkdf2Sync } from './derive.ts'
import { createHash, createHmac, getHashes, Hash, hash, Hmac, toBytes } from './hash.ts'
import { createSecretKey, KeyObject } from './key-object.ts'
import { randomBytes, randomFill, randomFillSync, randomInt, randomUUID } from './random.ts'

/** In a time that depends on the length alone. */
export function timingSafeEqual(
  a: ArrayBufferView | ArrayBuffer,
  b: ArrayBufferView | ArrayBuffer,
): boolean {
  const [first, second] = [toBytes(a), toBytes(b)]
  if (first.length !== second.length)
    throw new RangeError('Input buffers must have the same byte length')
  let difference = 0
  for (let at = 0; at < first.length; at++) difference |= (first[at] ?? 0) ^ (second[at] ?? 0)
  return difference === 0
}

const missing =
  (name: string, instead = 'crypto.subtle') =>
  (): never => {
    throw new Error(`${name} of node:crypto is not available in a component. Use ${instead}`)
  }

export const createCipheriv = missing('createCipheriv', 'crypto.subtle.encrypt')
export const createDecipheriv = missing('createDecipheriv', 'crypto.subtle.decrypt')
export const createDiffieHellman = missing('createDiffieHellman')
export const createECDH = missing('createECDH')
export const createPrivateKey = missing('createPrivateKey', 'crypto.subtle.importKey')
export const createPublicKey = missing('createPublicKey', 'crypto.subtle.importKey')
export const createSign = missing('createSign', 'crypto.subtle.sign')
export const createVerify = missing('createVerify', 'crypto.subtle.verify')
export const generateKeyPair = missing('generateKeyPair', 'crypto.subtle.generateKey')
export const generateKeyPairSync = missing('generateKeyPairSync', 'crypto.subtle.generateKey')
export const privateDecrypt = missing('privateDecrypt')
export const publicEncrypt = missing('publicEncrypt', 'crypto.subtle.encrypt')
export const scrypt = missing('scrypt', 'pbkdf2')
export const scryptSync = missing('scryptSync', 'pbkdf2')
export const sign = missing('sign', 'crypto.subtle.sign')
export const verify = missing('verify', 'crypto.subtle.verify')

export const constants = {}
export const getCiphers = (): string[] => []
export const getCurves = (): string[] => []
export const webcrypto = globalThis.crypto
export const { subtle } = globalThis.crypto
export const getRandomValues = <T extends Uint8Array<ArrayBuffer>>(view: T): T =>
  globalThis.crypto.getRandomValues(view)

export { createHash, createHmac, createSecretKey, getHashes, Hash, hash, hkdf, hkdfSync, Hmac }
export { KeyObject, pbkdf2, pbkdf2Sync, randomBytes, randomFill, randomFillSync, randomInt }
export { randomUUID }

export default {
  constants,
  createCipheriv,
  createDecipheriv,
  createDiffieHellman,
  createECDH,
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  createSign,
  createVerify,
  generateKeyPair,
  generateKeyPairSync,
  getCiphers,
  getCurves,
  getHashes,
  getRandomValues,
  Hash,
  hash,
  hkdf,
  hkdfSync,
  Hmac,
  KeyObject,
  pbkdf2,
  pbkdf2Sync,
  privateDecrypt,
  publicEncrypt,
  randomBytes,
  randomFill,
  randomFillSync,
  randomInt,
  randomUUID,
  scrypt,
  scryptSync,
  sign,
  subtle,
  timingSafeEqual,
  verify,
  webcrypto,
}
