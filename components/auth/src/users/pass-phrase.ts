/** Checks a pass phrase. */
import { utf8 } from 'ftl-http'
import { LEAST_ITERATIONS, type LocalUser, type PassPhraseDigest } from './local-users.ts'

/** In bytes: more are not read. */
export const LONGEST_PASS_PHRASE = 1_024

/**
 * The user of this name; for a name that no user has, always the same one of the others. Its attempts are counted as those
 * of the other, and take as long: neither tells who exists, and the work for strangers is limited.
 */
export function userOrStandIn(users: readonly LocalUser[], name: string): LocalUser | undefined {
  const sum = [...name].reduce((total, letter) => total + (letter.codePointAt(0) ?? 0), 0)
  return users.find((each) => each.name === name) ?? users[sum % users.length]
}

/** No pass phrase has it. */
function unknownDigest(iterations = LEAST_ITERATIONS): PassPhraseDigest {
  return { iterations, salt: new Uint8Array(16), hash: new Uint8Array(32) }
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
  const { hash, ...settings } =
    user?.digest ?? unknownDigest(userOrStandIn(users, name)?.digest.iterations)
  const found = await digestOf(passPhrase, { hash, ...settings })
  let difference = 0
  for (let at = 0; at < 32; at++) difference |= (found[at] ?? 0) ^ (hash[at] ?? 1)
  return difference === 0 ? user : undefined
}
