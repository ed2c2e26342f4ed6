/**
 * Checks an authorization request. Nothing is sent to the address of a client before the client is known and has
 * registered that address.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9700#section-4.11
 */
import type { Client } from '../clients/client.ts'
import { mayRedirect } from '../clients/redirect-uri.ts'
import type { Settings } from '../settings.ts'
import { grantedScopes, resourceFor } from './requested.ts'

export interface AuthorizationRequest {
  clientId: string
  clientName: string
  redirectUri: string
  state: string | undefined
  challenge: string
  scopes: string[]
  resource: string
}

export interface Refusal {
  error: string
  description: string
}

/** Some clients put what they have to remember into it. With longer ones, servers refuse the address that it returns in. */
export const LONGEST_STATE = 4_000

type Parameters = ReadonlyMap<string, string>

/** @returns the address that the client may use; `undefined` if the request must not be answered there. */
export function redirectUriOf(
  { redirectUris }: Client,
  parameters: Parameters,
): string | undefined {
  const wanted = parameters.get('redirect_uri')
  if (wanted !== undefined) return mayRedirect(redirectUris, wanted) ? wanted : undefined
  const [only, ...others] = redirectUris
  return others.length === 0 ? only : undefined
}

export function readRequest(
  settings: Settings,
  client: Client,
  redirectUri: string,
  parameters: Parameters,
): AuthorizationRequest | Refusal {
  const get = (name: string) => parameters.get(name)
  const state = get('state')
  if (state !== undefined && state.length > LONGEST_STATE)
    return refusal('invalid_request', `state must have at most ${LONGEST_STATE} characters`)
  if (get('request') !== undefined)
    return refusal('request_not_supported', 'request is not supported')
  if (get('request_uri') !== undefined)
    return refusal('request_uri_not_supported', 'request_uri is not supported')
  if (get('response_type') !== 'code')
    return refusal('unsupported_response_type', 'response_type must be code')
  if ((get('response_mode') ?? 'query') !== 'query')
    return refusal('invalid_request', 'response_mode must be query')
  const challenge = get('code_challenge')
  if (challenge === undefined) return refusal('invalid_request', 'code_challenge is missing (PKCE)')
  if (get('code_challenge_method') !== 'S256')
    return refusal('invalid_request', 'code_challenge_method must be S256')
  if (!/^[\w-]{43}$/.test(challenge))
    return refusal('invalid_request', 'code_challenge must be a SHA-256 in base64url')
  const resource = resourceFor(settings, get('resource'))
  if (resource === undefined)
    return refusal('invalid_target', 'resource must be the address of this server')
  // A user is always asked, so that a client cannot use the consent that another one got.
  if (get('prompt') === 'none') return refusal('interaction_required', 'The user must be asked')
  return {
    clientId: client.id,
    clientName: client.name,
    redirectUri,
    state,
    challenge,
    scopes: grantedScopes(settings, get('scope')),
    resource,
  }
}

const refusal = (error: string, description: string): Refusal => ({ error, description })

/** The address of the client with the answer. `iss` tells clients of several servers who answered. */
export function answerAddress(
  issuer: string,
  redirectUri: string,
  state: string | undefined,
  answer: Readonly<Record<string, string>>,
): string {
  const url = new URL(redirectUri)
  const all = { ...answer, ...(state !== undefined && { state }), iss: issuer }
  for (const [name, value] of Object.entries(all)) url.searchParams.set(name, value)
  return url.href
}
