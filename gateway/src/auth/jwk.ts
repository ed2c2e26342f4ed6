/**
 * Public keys of an issuer. Only what is needed of a key reaches the engine's WebCrypto, and only within limits: a
 * verification with a huge exponent or modulus takes seconds.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7517
 */
import { isArrayOf, isString, memberOf } from 'ftl-contract'
import { fromBase64Url } from './base64url.ts'
import { InvalidToken } from './invalid-token.ts'
import { type Members, stringOf } from './jwt.ts'

/** The signature algorithms that can be allowed. `none` and the symmetric ones are not among them. */
export const ALGORITHMS = [
  'RS256',
  'ES256',
  'EdDSA',
  'Ed25519',
  'PS256',
  'RS384',
  'RS512',
  'PS384',
  'PS512',
  'ES384',
  'ES512',
] as const
export type Algorithm = (typeof ALGORITHMS)[number]

interface Kind {
  kty: string
  crv?: string
  /** The members that make the public key. */
  members: readonly string[]
  /** Bytes of each member of a key on a curve. */
  size?: number
  /** Of the import and of the verification. */
  parameters: AlgorithmIdentifier & EcdsaParams & EcKeyImportParams & RsaPssParams
}

/** @see https://www.rfc-editor.org/rfc/rfc7518#section-3.1 */
function kindOf(algorithm: Algorithm): Kind {
  const bits = Number(algorithm.slice(2))
  const parametersOf = (name: string, namedCurve = '') => ({
    name,
    hash: `SHA-${bits}`,
    namedCurve,
    saltLength: bits / 8,
  })
  if (algorithm === 'EdDSA' || algorithm === 'Ed25519') {
    const crv = 'Ed25519'
    return { kty: 'OKP', crv, members: ['x'], size: 32, parameters: parametersOf(crv) }
  }
  if (!algorithm.startsWith('ES')) {
    const name = algorithm.startsWith('PS') ? 'RSA-PSS' : 'RSASSA-PKCS1-v1_5'
    return { kty: 'RSA', members: ['n', 'e'], parameters: parametersOf(name) }
  }
  const crv = `P-${bits === 512 ? 521 : bits}`
  const size = bits === 512 ? 66 : bits / 8
  return { kty: 'EC', crv, members: ['x', 'y'], size, parameters: parametersOf('ECDSA', crv) }
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
  const { kty, crv, members, size } = kindOf(algorithm)
  if (jwk.kty !== kty || (crv !== undefined && jwk.crv !== crv)) return false
  if (jwk.use !== undefined && jwk.use !== 'sig') return false
  if (jwk.alg !== undefined && jwk.alg !== algorithm) return false
  return size === undefined
    ? isModestRsa(jwk)
    : members.every((name) => fromBase64Url(stringOf(jwk, name) ?? '')?.length === size)
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

/**
 * @returns `false` also for a key that the engine refuses, such as a point that is not on the curve.
 * @throws {InvalidToken} for an algorithm that the engine does not have.
 */
export async function isSignedBy(
  jwk: PublicJwk,
  algorithm: Algorithm,
  signature: Uint8Array<ArrayBuffer>,
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const { kty, crv, members, parameters } = kindOf(algorithm)
  const only: JsonWebKey = { kty, ...(crv !== undefined && { crv }) }
  for (const name of members as readonly (keyof PublicJwk & keyof JsonWebKey)[]) {
    Object.assign(only, { [name]: jwk[name] })
  }
  try {
    const key = await crypto.subtle.importKey('jwk', only, parameters, false, ['verify'])
    return await crypto.subtle.verify(parameters, key, signature, signed)
  } catch (error) {
    if ((error as Error).name !== 'NotSupportedError') return false
    throw new InvalidToken(
      `Signatures of ${algorithm} cannot be verified in the sandbox of this gateway`,
      'let the authorization server sign with RS256, PS256, ES256 or EdDSA',
    )
  }
}
