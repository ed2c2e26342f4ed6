/** Makes tokens, good and bad. The bad ones cannot be made by a library, which would refuse. */
import {
  constants,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomUUID,
  sign,
} from 'node:crypto'

export const ALGORITHMS = [
  ...(['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'] as const),
  ...(['ES256', 'ES384', 'ES512', 'EdDSA'] as const),
] as const
export type Algorithm = (typeof ALGORITHMS)[number]

export interface SigningKey {
  kid: string
  algorithm: Algorithm
  privateKey: KeyObject
  publicJwk: Record<string, unknown>
}

/** Changes of a valid token. */
export interface TokenOptions {
  header?: Record<string, unknown>
  claims?: Record<string, unknown>
  /** Replaces the JSON of the claims. */
  text?: string
  /** @default the current key of the issuer */
  key?: SigningKey
  /** Replaces the signature. */
  signature?: (input: Buffer) => Uint8Array
}

export function createKey(algorithm: Algorithm, use = 'sig'): SigningKey {
  return keyOf(algorithm, privateKeyFor(algorithm), `${use}-${randomUUID()}`, use)
}

const CURVES: Partial<Record<Algorithm, string>> = {
  ES256: 'P-256',
  ES384: 'P-384',
  ES512: 'P-521',
}

function privateKeyFor(algorithm: Algorithm): KeyObject {
  const namedCurve = CURVES[algorithm]
  if (namedCurve !== undefined) return generateKeyPairSync('ec', { namedCurve }).privateKey
  if (algorithm === 'EdDSA') return generateKeyPairSync('ed25519').privateKey
  return generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
}

/** @param jwk private, as {@link privateJwk} gives it. */
export function keyFromJwk(jwk: { alg: Algorithm; kid: string }): SigningKey {
  return keyOf(jwk.alg, createPrivateKey({ key: jwk, format: 'jwk' }), jwk.kid, 'sig')
}

export function privateJwk({ privateKey, algorithm, kid }: SigningKey): object {
  return { ...privateKey.export({ format: 'jwk' }), alg: algorithm, kid }
}

function keyOf(algorithm: Algorithm, privateKey: KeyObject, kid: string, use: string): SigningKey {
  const jwk = createPublicKey(privateKey).export({ format: 'jwk' })
  return { kid, algorithm, privateKey, publicJwk: { ...jwk, kid, alg: algorithm, use } }
}

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A token with these claims, unless the options change it. */
export function tokenOf(
  key: SigningKey,
  claims: Record<string, unknown>,
  { header, claims: changes, text, signature }: Omit<TokenOptions, 'key'> = {},
): string {
  const head = { alg: key.algorithm, kid: key.kid, typ: 'at+jwt', ...header }
  const body =
    text === undefined
      ? encoded({ ...claims, ...changes })
      : Buffer.from(text).toString('base64url')
  const input = `${encoded(head)}.${body}`
  const bytes = signature?.(Buffer.from(input)) ?? signed(key, Buffer.from(input))
  return `${input}.${Buffer.from(bytes).toString('base64url')}`
}

function signed({ algorithm, privateKey }: SigningKey, input: Buffer): Buffer {
  if (algorithm === 'EdDSA') return sign(null, input, privateKey)
  const bits = Number(algorithm.slice(2))
  const padding = constants.RSA_PKCS1_PSS_PADDING
  return sign(`sha${bits}`, input, {
    key: privateKey,
    dsaEncoding: 'ieee-p1363',
    ...(algorithm.startsWith('PS') && { padding, saltLength: bits / 8 }),
  })
}

/** By RSA with PSS, although the key is published for PKCS #1. */
export function signedWithPss({ privateKey }: SigningKey, input: Buffer): Buffer {
  const padding = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }
  return sign('sha256', input, { key: privateKey, ...padding })
}
