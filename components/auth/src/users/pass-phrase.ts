/** Checks a pass phrase. */
import { utf8 } from 'ftl-http'
import { LEAST_ITERATIONS, type LocalUser, type PassPhraseDigest } from './local-users.ts'

/** In bytes: more are not read. */
export const LONGEST_PASS_PHRASE = 1_024

/** Takes the place of an unknown user's digest, so that the time of an answer does not tell who exists. */
const NOBODY: PassPhraseDigest = {
  iterations: LEAST_ITERATIONS,
  salt: new Uint8Array(16),
  hash: new Uint8Array(32),
}

/**
 * PBKDF2 and not scrypt, because it is native here: scrypt in JavaScript with a cost of 2^14, an eighth of what is
 * recommended, took more than thirty times as long as this.
 */
async function digestOf(passPhrase: string, { iterations, salt }: PassPhraseDigest) {
  // Keyboards and systems differ in how they compose characters.
  const bytes = utf8(passPhrase.normalize('NFKC'))
  const key = await crypto.subtle.importKey('raw', bytes, 'PBKDF2', false, ['deriveBits'])
  const algorithm = { name: 'PBKDF2', hash: 'SHA-512', salt, iterations }
  return new Uint8Array(await crypto.subtle.deriveBits(algorithm, key, 256))
}

/** @returns the user if there is one of this name with this pass phrase. */
export async function userWith(
  users: readonly LocalUser[],
  name: string,
  passPhrase: string,
): Promise<LocalUser | undefined> {
  const user = users.find((each) => each.name === name)
  const { hash, ...settings } = user?.digest ?? NOBODY
  const found = await digestOf(passPhrase, { hash, ...settings })
  let difference = 0
  for (let at = 0; at < 32; at++) difference |= (found[at] ?? 0) ^ (hash[at] ?? 1)
  return difference === 0 ? user : undefined
}
