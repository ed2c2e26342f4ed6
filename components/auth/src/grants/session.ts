/** A user who looks at the page of grants. Never a consent: each client still has to ask. */
import { isObject, isString } from 'ftl-contract'
import { isBrowser } from '../authorize/browser.ts'
import { readCookie, setCookie } from '../authorize/cookies.ts'
import { PATHS } from '../metadata.ts'
import type { Scope } from '../scope.ts'
import { currentUser } from '../users/current-user.ts'
import type { User } from './book.ts'
import { isUser, readBook } from './books.ts'

const NAME = 'ftl-auth-session'
const SESSION_MS = 15 * 60_000

/** @param digest of the browser. @returns a cookie. */
export async function startSession(scope: Scope, user: User, digest: string): Promise<string> {
  const until = scope.platform.now() + SESSION_MS
  const value = await scope.sealer.seal('session', { user, digest, until })
  return setCookie(scope, NAME, value, { seconds: SESSION_MS / 1000, path: PATHS.grants })
}

export function endSession(scope: Scope): string {
  return setCookie(scope, NAME, '', { seconds: 0, path: PATHS.grants })
}

/** @returns `undefined` if no user has signed in here, it has signed out since, or the operator has removed the user. */
export async function sessionUser(scope: Scope): Promise<User | undefined> {
  const text = readCookie(scope, NAME, PATHS.grants)
  const value = text === undefined ? undefined : await scope.sealer.open('session', text)
  if (!isObject(value)) return undefined
  const { user, digest, until } = value
  if (typeof until !== 'number' || until <= scope.platform.now()) return undefined
  if (!isString(digest) || !isUser(user) || !(await isBrowser(scope, digest))) return undefined
  const { left = 0 } = (await readBook(scope.vault, user.sub)) ?? {}
  // A cookie that was copied before ends, too.
  return until - SESSION_MS < left ? undefined : currentUser(scope.settings, user)
}
