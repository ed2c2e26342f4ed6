/** `/auth/grants`: what the user has allowed to which clients. */
import { isObject, isString } from 'ftl-contract'
import { browserOf, isOwnForm } from '../authorize/browser.ts'
import { grantsPage, signInPage } from '../pages/grants-page.ts'
import { problemPage } from '../pages/consent-page.ts'
import type { Scope } from '../scope.ts'
import { readForm } from '../token/form.ts'
import { startUpstream } from '../upstream/start.ts'
import { signIn } from '../users/sign-in.ts'
import { waysOf } from '../users/ways.ts'
import { currentGrants, type User, withoutClient } from './book.ts'
import { changeBook, leave, readBook } from './books.ts'
import { endSession, sessionUser, startSession } from './session.ts'

const FORM_MS = 15 * 60_000

const NOT_OWN =
  'This page has expired, or another page or browser sent its form. Open it again, and check that the browser takes cookies.'

export async function answerGrants(scope: Scope): Promise<Response> {
  const { digest, cookie } = await browserOf(scope)
  return show(scope, digest, await sessionUser(scope), { cookies: [cookie] })
}

/** @throws {OAuthError} for a body that is not a form. */
export async function answerGrantsForm(scope: Scope): Promise<Response> {
  const form = await readForm(scope.request)
  const value = await scope.sealer.open('session', form.get('form') ?? '')
  const { digest, until, page } = isObject(value) ? value : {}
  const isCurrent = page === true && typeof until === 'number' && until > scope.platform.now()
  if (!isCurrent || !isString(digest) || !(await isOwnForm(scope, digest)))
    return problemPage(NOT_OWN, { status: 403 })
  const decision = form.get('decision')
  if (decision === 'upstream') return startUpstream(scope, digest)
  if (decision === 'leave') {
    const leaving = await sessionUser(scope)
    if (leaving) await leave(scope.vault, leaving, scope.platform.now())
    return show(scope, digest, undefined, { cookies: [endSession(scope)] })
  }
  if (decision === 'enter') {
    const found = await signIn(scope, form)
    if ('problem' in found) {
      const { problem, status, headers } = found
      return show(scope, digest, undefined, { problem, status, headers })
    }
    const { user, cookies } = found
    const session = await startSession(scope, user, digest)
    return show(scope, digest, user, { cookies: [...cookies, session] })
  }
  const user = await sessionUser(scope)
  const client = form.get('revoke')
  if (user && client !== undefined) {
    await changeBook(scope.vault, user.sub, (book) => ({
      ...(book && { book: withoutClient(book, client) }),
      result: undefined,
    }))
  }
  return show(scope, digest, user)
}

interface Shown {
  problem?: string
  status?: number
  headers?: Readonly<Record<string, string>>
  cookies?: readonly string[]
}

async function show(
  scope: Scope,
  digest: string,
  user: User | undefined,
  { problem, ...options }: Shown = {},
): Promise<Response> {
  const { sealer, platform, vault } = scope
  const now = platform.now()
  const form = await sealer.seal('session', { page: true, digest, until: now + FORM_MS })
  if (!user) return signInPage({ form, ways: waysOf(scope), problem }, options)
  const book = await readBook(vault, user.sub)
  return grantsPage({ form, user, grants: book ? currentGrants(book, now) : [] }, options)
}
