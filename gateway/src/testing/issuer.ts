/** An authorization server in memory: keys, metadata, and tokens signed by Node. */
import { constants, createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import type { Algorithm } from '../auth/jwk.ts'

export const ISSUER = 'https://issuer.example'
export const AUDIENCE = 'https://gateway.example/mcp'

interface Pair {
  publicJwk: Record<string, unknown>
  privateKey: KeyObject
}

function pairOf(
  { publicKey, privateKey }: { publicKey: KeyObject; privateKey: KeyObject },
  kid: string,
): Pair {
  return { publicJwk: { ...publicKey.export({ format: 'jwk' }), kid }, privateKey }
}

/** Made once a file: to make an RSA key takes longer than most tests. */
export const PAIRS = {
  RS256: pairOf(generateKeyPairSync('rsa', { modulusLength: 2048 }), 'rsa'),
  ES256: pairOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }), 'ec'),
  EdDSA: pairOf(generateKeyPairSync('ed25519'), 'ed'),
}

/** Of algorithms whose keys are not in {@link JWKS}. */
export const MORE_PAIRS = {
  ES384: pairOf(generateKeyPairSync('ec', { namedCurve: 'P-384' }), 'ec384'),
  ES512: pairOf(generateKeyPairSync('ec', { namedCurve: 'P-521' }), 'ec512'),
}

export const JWKS = { keys: Object.values(PAIRS).map(({ publicJwk }) => publicJwk) }

export interface TokenOptions {
  alg?: keyof typeof PAIRS
  header?: object
  claims?: object
  /** Replaces the JSON of the claims. */
  body?: string
}

export const base64Url = (text: string | Uint8Array) => Buffer.from(text).toString('base64url')

/** @param now seconds since the epoch. */
export function claimsAt(now: number): Record<string, unknown> {
  return { iss: ISSUER, aud: AUDIENCE, sub: 'ada', iat: now, exp: now + 300, scope: 'tools' }
}

/** A token of {@link ISSUER}, valid for five minutes, unless the options say otherwise. */
export function tokenWith({ alg = 'ES256', header, claims, body }: TokenOptions = {}): string {
  const now = Math.floor(Date.now() / 1000)
  const { publicJwk } = PAIRS[alg]
  const head = JSON.stringify({ alg, kid: publicJwk.kid, typ: 'at+jwt', ...header })
  const text = body ?? JSON.stringify({ ...claimsAt(now), ...claims })
  return signed(`${base64Url(head)}.${base64Url(text)}`, alg)
}

export function signed(input: string, alg: Exclude<Algorithm, 'Ed25519'>): string {
  const key = {
    key: pairFor(alg).privateKey,
    dsaEncoding: 'ieee-p1363' as const,
    ...(alg.startsWith('PS') && {
      padding: constants.RSA_PKCS1_PSS_PADDING,
      saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
    }),
  }
  const hash = alg === 'EdDSA' ? null : `sha${alg.slice(2)}`
  return `${input}.${base64Url(sign(hash, Buffer.from(input), key))}`
}

/** An RSA key is for all of its algorithms. */
export function pairFor(alg: Exclude<Algorithm, 'Ed25519'>): Pair {
  if (alg === 'ES384' || alg === 'ES512') return MORE_PAIRS[alg]
  return alg === 'ES256' || alg === 'EdDSA' ? PAIRS[alg] : PAIRS.RS256
}

export const digestOf = (text: string) => createHash('sha256').update(text).digest('hex')

export const API_KEY = `ftl_${'k'.repeat(43)}`

/** Which documents the issuer has, by address. A function can answer differently each time. */
export type Documents = Record<string, object | (() => Response | Promise<Response>)>

export const METADATA_URL = `${ISSUER}/.well-known/oauth-authorization-server`
export const JWKS_URL = `${ISSUER}/keys`

export const DOCUMENTS: Documents = {
  [METADATA_URL]: { issuer: ISSUER, jwks_uri: JWKS_URL },
  [JWKS_URL]: JWKS,
}

/** Answers as the issuer, and notes each address in `asked`. */
export function issuerFetch(
  documents: Documents,
  asked: string[] = [],
): (request: Request) => Promise<Response> {
  return async ({ url }) => {
    asked.push(url)
    const found = documents[url]
    if (typeof found === 'function') return (found as () => Response | Promise<Response>)()
    return found ? Response.json(found) : new Response('not found', { status: 404 })
  }
}
