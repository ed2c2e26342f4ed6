/** Remembers in a browser that a user has signed in there. It permits nothing: only its attempts are counted apart. */
import { isObject, isString } from 'ftl-contract'
import { readCookie, setCookie } from '../authorize/cookies.ts'
import type { Scope } from '../scope.ts'

const NAME = 'ftl-auth-known'
const PATH = '/auth/'
const SECONDS = 90 * 86_400

export async function knownCookie(scope: Scope, user: string): Promise<string> {
  const until = scope.platform.now() + SECONDS * 1000
  const value = await scope.sealer.seal('known', { user, until })
  return setCookie(scope, NAME, value, { seconds: SECONDS, path: PATH })
}

/** @returns who has signed in there. */
export async function knownUser(scope: Scope): Promise<string | undefined> {
  const text = readCookie(scope, NAME, PATH)
  const value = text === undefined ? undefined : await scope.sealer.open('known', text)
  if (!isObject(value)) return undefined
  const { user, until } = value
  const isCurrent = typeof until === 'number' && until > scope.platform.now()
  return isCurrent && isString(user) ? user : undefined
}
