/** A user of the component `auth`: `auth_users` has a digest of the pass phrase. */
import { pbkdf2Sync, randomBytes } from 'node:crypto'

/** https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html#pbkdf2 */
const ITERATIONS = 210_000

/** Without letters and digits that look alike. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'

export interface NewUser {
  passPhrase: string
  entry: { user: string; pass_phrase: string; groups?: string[] }
}

/** @param passPhrase @default a new one that cannot be guessed: 24 characters, 118 bits */
export function newUser(
  user: string,
  groups: readonly string[] = [],
  passPhrase = newPassPhrase(),
): NewUser {
  const salt = randomBytes(16)
  const hash = pbkdf2Sync(passPhrase.normalize('NFKC'), salt, ITERATIONS, 32, 'sha512')
  const digest = `pbkdf2-sha512:${ITERATIONS}:${salt.toString('base64url')}:${hash.toString('base64url')}`
  return {
    passPhrase,
    entry: { user, pass_phrase: digest, ...(groups.length > 0 && { groups: [...groups] }) },
  }
}

function newPassPhrase(): string {
  const letters: string[] = []
  while (letters.length < 24) {
    // The rest would make the first letters of the alphabet more frequent.
    const usable = [...randomBytes(32)].filter((byte) => byte < 248)
    letters.push(...usable.map((byte) => ALPHABET[byte % ALPHABET.length] ?? ''))
  }
  return letters
    .slice(0, 24)
    .join('')
    .replace(/.{6}(?=.)/g, '$&-')
}
