/** Sends the browser to the upstream server, after the user has allowed what is asked for. */
import type { AuthorizationRequest } from '../authorize/authorization-request.ts'
import { randomText } from '../crypto/random.ts'
import { forwardPage, problemPage } from '../pages/consent-page.ts'
import type { Scope } from '../scope.ts'
import { keepFlow } from './flow.ts'
import { beginGithub } from './github.ts'
import { beginOidc } from './oidc.ts'
import { logged } from './log.ts'
import { refusedVisit } from './may-visit.ts'
import { problemOf, visitOf } from './visit.ts'

/**
 * @param request that the user has allowed; `undefined` for the page of grants.
 * @param digest of the browser.
 * @throws {ConfigurationError}
 */
export async function startUpstream(
  scope: Scope,
  digest: string,
  request?: AuthorizationRequest,
): Promise<Response> {
  const visit = visitOf(scope)
  if (!visit) return problemPage('Users of this server have a pass phrase.')
  const refused = await refusedVisit(scope)
  if (refused) return refused
  const { upstream } = visit
  const trip = { state: randomText(16), nonce: randomText(16), verifier: randomText(32) }
  try {
    const begin = upstream.kind === 'github' ? beginGithub : beginOidc
    const address = await begin(visit, trip)
    const flow = { trip, prefix: upstream.prefix, digest, ...(request && { request }) }
    const cookies = await keepFlow(scope, flow)
    if (!cookies)
      return problemPage('The request of the client is too long for a sign-in at another server.')
    return forwardPage(upstream.label, address, cookies)
  } catch (error) {
    const { message } = logged(problemOf(visit, error))
    return problemPage(message, { status: 502 })
  }
}
