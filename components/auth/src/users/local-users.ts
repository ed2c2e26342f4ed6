/** `auth_users`: users with a pass phrase, of which the variable has a digest. */
import { isArrayOf, isObject, isString } from 'ftl-contract'
import { fromBase64, fromUrlSafe, jsonIn, type Parse, type Refuse } from 'ftl-http'

export interface LocalUser {
  /** Name and `sub`. */
  name: string
  digest: PassPhraseDigest
  groups: readonly string[]
}

export interface PassPhraseDigest {
  iterations: number
  salt: Uint8Array<ArrayBuffer>
  /** 32 bytes. */
  hash: Uint8Array<ArrayBuffer>
}

const MOST_USERS = 200
const MOST_GROUPS = 50
/** Fewer make a stolen digest cheap to guess. https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html */
export const LEAST_ITERATIONS = 210_000
/** More than about two seconds of a processor would let a flood of sign-ins stop the server. */
const MOST_ITERATIONS = 1_000_000

const NAME = /^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/
const GROUP = /^[^\p{C}]{1,128}$/u
const DIGEST = /^pbkdf2-sha512:(\d{1,8}):([\w-]{22,86}):([\w-]{43})$/

export const parseUsers: Parse<readonly LocalUser[]> = (text, refuse) => {
  if (text === '') return []
  const list = jsonIn(text)
  if (!isArrayOf(list, isObject) || list.length > MOST_USERS) {
    return refuse(`must be a JSON array of at most ${MOST_USERS} entries of "ftl auth user"`)
  }
  const users = list.map((entry, index) => userIn(entry, `entry ${index + 1}`, refuse))
  if (new Set(users.map(({ name }) => name)).size < users.length) refuse('names a user twice')
  return users
}

function userIn(entry: Record<string, unknown>, at: string, refuse: Refuse): LocalUser {
  const { user, pass_phrase: digest, groups = [], ...others } = entry
  if (Object.keys(others).length > 0)
    return refuse(`may have only user, pass_phrase and groups in ${at}`)
  if (!isString(user) || !NAME.test(user))
    return refuse(`needs 1 to 64 letters, digits and . _ @ - in "user" of ${at}`)
  if (
    !isArrayOf(groups, isString) ||
    groups.length > MOST_GROUPS ||
    !groups.every((group) => GROUP.test(group))
  )
    return refuse(`needs a list of at most ${MOST_GROUPS} names in "groups" of ${at}`)
  const parsed = isString(digest) ? digestIn(digest) : undefined
  if (!parsed)
    return refuse(
      `needs pbkdf2-sha512:ITERATIONS:SALT:HASH, as "ftl auth user" prints it, with ${LEAST_ITERATIONS} to ${MOST_ITERATIONS} iterations, in "pass_phrase" of ${at}`,
    )
  return { name: user, digest: parsed, groups }
}

function digestIn(text: string): PassPhraseDigest | undefined {
  const [, iterations = '', salt = '', hash = ''] = DIGEST.exec(text) ?? []
  const count = Number(iterations)
  const bytes = [salt, hash].map((part) => fromBase64(fromUrlSafe(part)))
  const [saltBytes, hashBytes] = bytes
  if (!saltBytes || hashBytes?.length !== 32) return undefined
  if (count < LEAST_ITERATIONS || count > MOST_ITERATIONS) return undefined
  return { iterations: count, salt: saltBytes, hash: hashBytes }
}
