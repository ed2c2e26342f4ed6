/** API keys for machines. The gateway knows only their digests. */
import { isArrayOf, isObject, isString } from 'ftl-contract'
import { jsonIn, type Refuse } from 'ftl-http'
import type { Caller } from '../caller.ts'

export interface ApiKey {
  /** SHA-256 of the key, in hexadecimal. */
  sha256: string
  principal: string
  scopes: readonly string[]
}

/**
 * `ftl_` and 32 random bytes in base64url. A short secret could be guessed from its digest, so nothing else is accepted
 * as a key. No JSON Web Token has this form.
 */
const API_KEY = /^ftl_[A-Za-z0-9_-]{43}$/

const NAME = /^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/
/** A scope as a token or a key has it. */
export const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]{1,256}$/
const DIGEST = /^[0-9a-f]{64}$/i

const FORM = '[{ "sha256": "…", "principal": "ci", "scopes": ["…"] }], as "ftl key new" prints it'

/** The messages contain nothing of the text, which is close to a secret. */
export function apiKeys(text: string, refuse: Refuse): ApiKey[] {
  if (text === '') return []
  const value = jsonIn(text)
  if (!Array.isArray(value)) return refuse(`must be a JSON array: ${FORM}`)
  return (value as unknown[]).map((entry, index) => {
    const at = `entry ${index + 1}`
    if (!isObject(entry)) return refuse(`must be a JSON array of objects: ${FORM}`)
    const { sha256, principal, scopes = [] } = entry
    if (!isString(sha256) || !DIGEST.test(sha256)) {
      return refuse(`needs the SHA-256 of the key in "sha256" of ${at}: 64 hexadecimal digits`)
    }
    if (!isString(principal) || !NAME.test(principal)) {
      return refuse(`needs a name in "principal" of ${at}: 1 to 64 letters, digits and . _ @ -`)
    }
    if (!isArrayOf(scopes, (scope): scope is string => isString(scope) && SCOPE.test(scope))) {
      return refuse(`needs a list of scopes in "scopes" of ${at}`)
    }
    return { sha256: sha256.toLowerCase(), principal, scopes }
  })
}

export function isApiKey(token: string): boolean {
  return API_KEY.test(token)
}

/**
 * Compares with every key, and each to its end: the time says neither which key is close nor how close.
 *
 * @param digest SHA-256 of the presented key, in hexadecimal.
 */
export function findApiKey(keys: readonly ApiKey[], digest: string): Caller | undefined {
  let found: ApiKey | undefined
  for (const key of keys) if (isEqual(key.sha256, digest)) found = key
  return found && { principal: `key:${found.principal}`, scopes: found.scopes, digest }
}

/** Takes the same time for every text of the same length. */
export function isEqual(expected: string, given: string): boolean {
  let difference = expected.length ^ given.length
  for (let at = 0; at < given.length; at++) {
    difference |= expected.charCodeAt(at % (expected.length || 1)) ^ given.charCodeAt(at)
  }
  return difference === 0 && expected !== ''
}
