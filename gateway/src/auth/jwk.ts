/**
 * Public keys of an issuer. Only what is needed of a key reaches the engine's WebCrypto, and only within limits: a
 * verification with a huge exponent or modulus takes seconds.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7517
 */
import { isArrayOf, isString, memberOf } from 'ftl-contract'
import { fromBase64Url } from './base64url.ts'
import { type Members, stringOf } from './jwt.ts'

/** The signature algorithms that can be allowed. `none` and the symmetric ones are not among them. */
export const ALGORITHMS = ['RS256', 'ES256', 'EdDSA', 'Ed25519'] as const
export type Algorithm = (typeof ALGORITHMS)[number]

interface Kind {
  kty: string
  crv?: string
  /** The members that make the public key. */
  members: readonly string[]
  parameters: RsaHashedImportParams | EcKeyImportParams | AlgorithmIdentifier
  verification: AlgorithmIdentifier | EcdsaParams
}

const ED25519: Kind = {
  kty: 'OKP',
  crv: 'Ed25519',
  members: ['x'],
  parameters: { name: 'Ed25519' },
  verification: { name: 'Ed25519' },
}

const KINDS: Record<Algorithm, Kind> = {
  RS256: {
    kty: 'RSA',
    members: ['n', 'e'],
    parameters: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
    verification: { name: 'RSASSA-PKCS1-v1_5' },
  },
  ES256: {
    kty: 'EC',
    crv: 'P-256',
    members: ['x', 'y'],
    parameters: { name: 'ECDSA', namedCurve: 'P-256' },
    verification: { name: 'ECDSA', hash: 'SHA-256' },
  },
  EdDSA: ED25519,
  Ed25519: ED25519,
}

/** What is kept of a published key. */
const KEPT = ['kty', 'crv', 'n', 'e', 'x', 'y', 'kid', 'alg', 'use'] as const

/** Characters of one member: the modulus of an RSA key of 4096 bits has 683. */
const MEMBER_LIMIT = 1024

/** A key as it is stored: strings only. */
export type PublicJwk = Partial<Record<(typeof KEPT)[number], string>>

/** @returns `undefined` for a key that no allowed algorithm can use: private, symmetric, too large, or not for signatures. */
export function publicJwk(key: Members): PublicJwk | undefined {
  if (memberOf(key, 'd') !== undefined || memberOf(key, 'k') !== undefined) return undefined
  const operations = memberOf(key, 'key_ops')
  if (
    operations !== undefined &&
    !(isArrayOf(operations, isString) && operations.includes('verify'))
  ) {
    return undefined
  }
  const kept: PublicJwk = {}
  for (const name of KEPT) {
    const value = memberOf(key, name)
    if (value === undefined) continue
    if (!isString(value) || value.length > MEMBER_LIMIT) return undefined
    kept[name] = value
  }
  return ALGORITHMS.some((algorithm) => fits(kept, algorithm)) ? kept : undefined
}

/** Whether the key is one for this algorithm. A token cannot use a key with another algorithm than its own. */
export function fits(jwk: PublicJwk, algorithm: Algorithm): boolean {
  const { kty, crv } = KINDS[algorithm]
  if (jwk.kty !== kty || (crv !== undefined && jwk.crv !== crv)) return false
  if (jwk.use !== undefined && jwk.use !== 'sig') return false
  if (jwk.alg !== undefined && jwk.alg !== algorithm) return false
  return kty === 'RSA'
    ? isModestRsa(jwk)
    : KINDS[algorithm].members.every((name) => is32Bytes(jwk, name))
}

/** 2048 to 4096 bits, and an odd exponent from 3 to 2^32: every common issuer uses 65537. */
function isModestRsa({ n, e }: PublicJwk): boolean {
  const modulus = fromBase64Url(n ?? '')
  const exponent = fromBase64Url(e ?? '')
  if (!modulus || !exponent || exponent.length === 0 || exponent.length > 4) return false
  const value = exponent.reduce((sum, byte) => sum * 256 + byte, 0)
  const bits = modulus.length * 8 - Math.clz32(modulus[0] ?? 0) + 24
  return value >= 3 && value % 2 === 1 && bits >= 2048 && bits <= 4096 && exponent[0] !== 0
}

function is32Bytes(jwk: PublicJwk, name: string): boolean {
  return fromBase64Url(stringOf(jwk, name) ?? '')?.length === 32
}

/** @returns `false` also for a key that the engine refuses, such as a point that is not on the curve. */
export async function isSignedBy(
  jwk: PublicJwk,
  algorithm: Algorithm,
  signature: Uint8Array<ArrayBuffer>,
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const { kty, crv, members, parameters, verification } = KINDS[algorithm]
  const only: JsonWebKey = { kty, ...(crv !== undefined && { crv }) }
  for (const name of members as readonly (keyof PublicJwk & keyof JsonWebKey)[]) {
    Object.assign(only, { [name]: jwk[name] })
  }
  try {
    const key = await crypto.subtle.importKey('jwk', only, parameters, false, ['verify'])
    return await crypto.subtle.verify(verification, key, signature, signed)
  } catch {
    return false
  }
}
