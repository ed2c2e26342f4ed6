/** When signing keys begin and end. A key is published before it signs, and for as long as its tokens are valid. */

/** A key pair as JSON Web Key. */
export interface StoredKey {
  kid: string
  /** Milliseconds since the epoch. */
  created: number
  jwk: JsonWebKey
}

export const TOKEN_MS = 15 * 60_000
/** A key signs for so long. */
export const KEY_MS = 30 * 86_400_000
/** Servers keep the list of keys for minutes: a key waits until they have it. */
export const AHEAD_MS = 3_600_000

/** Whether a further key has to be made. */
export function needsKey(keys: readonly StoredKey[], now: number): boolean {
  const newest = Math.max(...keys.map(({ created }) => created))
  // A clock that was set back must not make keys of the future count for ever.
  return keys.length === 0 || now - newest >= KEY_MS - AHEAD_MS || newest > now + AHEAD_MS
}

/** The key that signs: the newest that was published for long enough, or the only one. */
export function signingKey(keys: readonly StoredKey[], now: number): StoredKey | undefined {
  const newestFirst = keys.toSorted((one, other) => other.created - one.created)
  return newestFirst.find(({ created }) => now - created >= AHEAD_MS) ?? newestFirst.at(-1)
}

/** Without keys of which no token is valid any more. */
export function usableKeys(keys: readonly StoredKey[], now: number): StoredKey[] {
  const signing = signingKey(keys, now)
  const signs = signing?.created ?? 0
  const isReplacedFor = now - signs - AHEAD_MS
  return keys.filter((key) => key.created >= signs || isReplacedFor < TOKEN_MS + AHEAD_MS)
}
