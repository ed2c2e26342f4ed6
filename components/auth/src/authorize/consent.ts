/** `POST /auth/consent`: the user has decided. */
import { consentPage, problemPage, returnPage } from '../pages/consent-page.ts'
import type { Scope } from '../scope.ts'
import { readForm } from '../token/form.ts'
import { startUpstream } from '../upstream/start.ts'
import { signIn } from '../users/sign-in.ts'
import { waysOf } from '../users/ways.ts'
import { answerAddress } from './authorization-request.ts'
import { isOwnForm } from './browser.ts'
import { createCode } from './code.ts'
import { openPending } from './pending.ts'

const NOT_OWN =
  'This page has expired, or another page or browser sent its form. Start again in the client, and check that the browser takes cookies.'

/** @throws {OAuthError} for a body that is not a form. */
export async function answerConsent(scope: Scope): Promise<Response> {
  const { issuer } = scope.settings
  const form = await readForm(scope.request)
  const sealed = form.get('request') ?? ''
  const pending = await openPending(scope, sealed)
  if (!pending || !(await isOwnForm(scope, pending.digest)))
    return problemPage(NOT_OWN, { status: 403 })
  const { request } = pending
  const { redirectUri, state } = request
  const decision = form.get('decision')
  if (decision === 'deny') {
    const denied = { error: 'access_denied', error_description: 'The user has not allowed it' }
    return returnPage('Denied', answerAddress(issuer, redirectUri, state, denied), issuer)
  }
  if (decision === 'upstream') return startUpstream(scope, pending.digest, request)
  if (decision !== 'allow') return problemPage('The form has no decision.')
  const found = await signIn(scope, form)
  if ('problem' in found) {
    return consentPage(
      {
        issuer,
        request,
        sealed,
        ways: waysOf(scope),
        problem: found.problem,
      },
      { status: found.status, headers: found.headers },
    )
  }
  const code = await createCode(scope, found.user, request)
  return returnPage(
    'Allowed',
    answerAddress(issuer, redirectUri, state, { code }),
    issuer,
    found.cookies,
  )
}
