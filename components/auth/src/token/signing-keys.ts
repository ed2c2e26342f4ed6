/** The signing keys, sealed in the store. */
import { isArrayOf, isObject, isString } from 'ftl-contract'
import { randomText } from '../crypto/random.ts'
import type { Vault } from '../vault.ts'
import { needsKey, signingKey, type StoredKey, usableKeys } from './key-plan.ts'

const KEY = 'auth:keys'
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' }

function keysIn(value: unknown): StoredKey[] {
  const keys = isObject(value) ? value['keys'] : undefined
  return isArrayOf(keys, isStored) ? keys : []
}

function isStored(value: unknown): value is StoredKey {
  return (
    isObject(value) &&
    isString(value['kid']) &&
    typeof value['created'] === 'number' &&
    isObject(value['jwk'])
  )
}

/** All that are in use; makes one if it is time. */
async function currentKeys(vault: Vault, now: number): Promise<StoredKey[]> {
  const kept = keysIn(await vault.read(KEY))
  if (!needsKey(kept, now)) return usableKeys(kept, now)
  const made = await newKey(now)
  await vault.change(KEY, (value) => {
    const keys = keysIn(value)
    // Another request was first.
    if (!needsKey(keys, now)) return { value: undefined, result: undefined }
    return { value: { keys: [...usableKeys(keys, now), made] }, result: undefined }
  })
  // Where a host cannot compare, the key of another request may have replaced ours.
  return usableKeys(keysIn(await vault.read(KEY)), now)
}

async function newKey(now: number): Promise<StoredKey> {
  const pair = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  return {
    kid: randomText(12),
    created: now,
    jwk: await crypto.subtle.exportKey('jwk', pair.privateKey),
  }
}

export interface Signer {
  kid: string
  key: CryptoKey
}

/** The key that signs now. @throws {Error} if the store keeps nothing. */
export async function currentSigner(vault: Vault, now: number): Promise<Signer> {
  const found = signingKey(await currentKeys(vault, now), now)
  if (!found) throw new Error('the key-value store did not keep the signing key')
  const key = await crypto.subtle.importKey('jwk', found.jwk, ALGORITHM, false, ['sign'])
  return { kid: found.kid, key }
}

/** What `jwks_uri` has: the public part of each key. */
export async function publicKeys(vault: Vault, now: number): Promise<object[]> {
  return (await currentKeys(vault, now)).map(({ kid, jwk: { kty, crv, x, y } }) => ({
    ...{ kty, crv, x, y },
    ...{ kid, use: 'sig', alg: 'ES256' },
  }))
}
