/** `GET /auth/authorize`: shows the user who asks for what. */
import { addressOf } from 'ftl-http'
import { findClient } from '../clients/find-client.ts'
import { isHostAllowed, isLocalProgram, placeOf } from '../clients/redirect-uri.ts'
import { consentPage, problemPage } from '../pages/consent-page.ts'
import type { Scope } from '../scope.ts'
import { parametersOf } from '../token/form.ts'
import { OAuthError } from '../token/oauth-error.ts'
import { waysOf } from '../users/ways.ts'
import {
  answerAddress,
  LONGEST_STATE,
  readRequest,
  redirectUriOf,
} from './authorization-request.ts'
import { browserOf } from './browser.ts'
import { sealPending } from './pending.ts'

export async function answerAuthorize(scope: Scope): Promise<Response> {
  const { settings, request } = scope
  let parameters: Map<string, string>
  try {
    parameters = parametersOf(addressOf(request).searchParams)
  } catch (error) {
    if (error instanceof OAuthError) return problemPage(`${error.message}.`)
    throw error
  }
  const id = parameters.get('client_id')
  if (id === undefined) return problemPage('The request has no client_id.')
  const client = await findClient(scope, id)
  if ('problem' in client) {
    const { problem, ...options } = client
    return problemPage(problem, options)
  }
  const redirectUri = redirectUriOf(client, parameters)
  if (redirectUri === undefined || !isHostAllowed(settings.clientHosts, redirectUri))
    return problemPage('The client has not registered the redirect_uri of this request.')
  const read = readRequest(settings, client, redirectUri, parameters)
  if ('error' in read) {
    const { error, description } = read
    const given = parameters.get('state')
    // Half of it would be another state.
    const state = given !== undefined && given.length > LONGEST_STATE ? undefined : given
    const answer = { error, error_description: description }
    const address = answerAddress(settings.issuer, redirectUri, state, answer)
    if (isLocalProgram(redirectUri)) return redirect(address)
    // Any stranger can register an address, and must not get links of this server that lead there at once.
    return problemPage(`${description}.`, {
      back: { address, place: placeOf(redirectUri, settings.issuer) },
    })
  }
  const ways = waysOf(scope)
  const { digest, cookie } = await browserOf(scope)
  const sealed = await sealPending(scope, { request: read, digest })
  return consentPage(
    {
      issuer: settings.issuer,
      request: read,
      sealed,
      ways,
    },
    { cookies: [cookie] },
  )
}

function redirect(address: string): Response {
  return new Response(null, {
    status: 303,
    headers: { location: address, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
  })
}
