/** The key that a machine signs its assertions with (RFC 7523). */
import { createPrivateKey, type KeyObject } from 'node:crypto'
import { ConfigError } from '../errors.ts'
import { isObject } from '../is-object.ts'
import type { CryptoKey } from 'oauth4webapi'

const SMALLEST_RSA_BITS = 2048

export interface SigningKey {
  key: CryptoKey
  kid?: string
}

/**
 * Reads a private key: PEM (PKCS #8, PKCS #1, SEC 1) or a JWK. RSA signs with RS256, P-256 with ES256, Ed25519 with EdDSA.
 *
 * @param field where the key comes from, for messages.
 * @throws {ConfigError} that contains nothing of the key.
 */
export async function readPrivateKey(text: string, field: string): Promise<SigningKey> {
  const jwk = jwkIn(text)
  let key: KeyObject
  try {
    key = jwk ? createPrivateKey({ key: jwk, format: 'jwk' }) : createPrivateKey(text)
  } catch {
    throw new ConfigError(
      field,
      /ENCRYPTED/.test(text)
        ? 'is encrypted; store it without a passphrase, readable by you only'
        : 'must be a private key: PEM or a JWK',
    )
  }
  const imported = await crypto.subtle.importKey(
    'jwk',
    key.export({ format: 'jwk' }),
    algorithmOf(key, field),
    false,
    ['sign'],
  )
  const kid = jwk?.['kid']
  return { key: imported, ...(typeof kid === 'string' && { kid }) }
}

function algorithmOf(key: KeyObject, field: string) {
  const { modulusLength = 0, namedCurve } = key.asymmetricKeyDetails ?? {}
  if (key.asymmetricKeyType === 'rsa' && modulusLength >= SMALLEST_RSA_BITS) {
    return { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
  }
  if (key.asymmetricKeyType === 'ec' && namedCurve === 'prime256v1') {
    return { name: 'ECDSA', namedCurve: 'P-256' }
  }
  if (key.asymmetricKeyType === 'ed25519') return { name: 'Ed25519' }
  throw new ConfigError(
    field,
    `must be a key for RS256 (RSA, ${SMALLEST_RSA_BITS} bits or more), ES256 (P-256) or EdDSA (Ed25519)`,
  )
}

function jwkIn(text: string): Record<string, unknown> | undefined {
  if (!text.trimStart().startsWith('{')) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
