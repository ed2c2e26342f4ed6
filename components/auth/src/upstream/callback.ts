/** `GET /auth/callback`: the browser comes back from the upstream server. */
import { addressOf } from 'ftl-http'
import { answerAddress } from '../authorize/authorization-request.ts'
import { createCode } from '../authorize/code.ts'
import { placeOf } from '../clients/redirect-uri.ts'
import type { User } from '../grants/book.ts'
import { renewUser } from '../grants/books.ts'
import { startSession } from '../grants/session.ts'
import { PATHS } from '../metadata.ts'
import { forwardPage, problemPage, returnPage } from '../pages/consent-page.ts'
import type { Scope } from '../scope.ts'
import { knownCookie } from '../users/known-browser.ts'
import { type Flow, forgetFlow, openFlow } from './flow.ts'
import { finishGithub } from './github.ts'
import { UpstreamProblem, userOf } from './identity.ts'
import { logged } from './log.ts'
import { refusedVisit } from './may-visit.ts'
import { finishOidc } from './oidc.ts'
import { isPermitted } from './permitted.ts'
import { problemOf, visitOf } from './visit.ts'

const NOT_OWN =
  'This sign-in has expired, or another browser began it. Start again in the client, and check that the browser takes cookies.'

/** @throws {ConfigurationError} */
export async function answerCallback(scope: Scope): Promise<Response> {
  const { searchParams: parameters } = addressOf(scope.request)
  const state = parameters.get('state') ?? ''
  const flow = await openFlow(scope, state)
  if (!flow) return problemPage(NOT_OWN, { status: 403 })
  const cookies = forgetFlow(scope, state)
  const { request, digest } = flow
  const refused = await refusedVisit(scope, { cookies, ...backTo(scope, request) })
  if (refused) return refused
  const user = await userFrom(scope, flow, parameters)
  if (user instanceof UpstreamProblem) {
    const { message } = logged(user)
    return problemPage(message, { status: 403, cookies, ...backTo(scope, request) })
  }
  cookies.push(await knownCookie(scope, user.sub))
  if (!request) {
    const session = await startSession(scope, user, digest)
    return forwardPage('your grants', PATHS.grants, [...cookies, session])
  }
  const code = await createCode(scope, user, request)
  const { redirectUri, state: given } = request
  const { issuer } = scope.settings
  return returnPage('Allowed', answerAddress(issuer, redirectUri, given, { code }), issuer, cookies)
}

async function userFrom(
  scope: Scope,
  { trip, prefix }: Flow,
  parameters: URLSearchParams,
): Promise<User | UpstreamProblem> {
  const visit = visitOf(scope)
  // An answer of one server must not be treated as one of another: the operator has changed the setting meanwhile.
  if (visit?.upstream.prefix !== prefix) return new UpstreamProblem(NOT_OWN)
  const { upstream } = visit
  try {
    const finish = upstream.kind === 'github' ? finishGithub : finishOidc
    const user = userOf(upstream, await finish(visit, trip, parameters))
    await renewUser(scope.vault, user)
    if (isPermitted(user, scope.settings.permitted)) return user
    const named = user.facts?.map((fact) => `"${fact}"`).join(' or ') ?? ''
    return new UpstreamProblem(
      `${upstream.label} says that you are ${user.name}, and this user may not sign in here. The operator of this server can permit it with ${named} in auth_upstream_users.`,
      `${user.sub} (${user.name}) is not in auth_upstream_users`,
    )
  } catch (error) {
    return problemOf(visit, error)
  }
}

/** Shows a link instead of redirecting, because anyone can register a client with any address. */
function backTo({ settings }: Scope, request: Flow['request']) {
  if (!request) return {}
  const { redirectUri, state } = request
  const denied = { error: 'access_denied', error_description: 'The user could not sign in' }
  const address = answerAddress(settings.issuer, redirectUri, state, denied)
  return { back: { address, place: placeOf(redirectUri, settings.issuer) } }
}
