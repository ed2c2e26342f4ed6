/**
 * The OAuth client of the page: authorization code with PKCE, for the resource of this server.
 *
 * Loaded with the first sign-in, so it imports nothing of the page: what both use would be a third file.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization
 */
import {
  authorizationAddress,
  hasPkce,
  OFFLINE,
  offersOffline,
  refreshedTokens,
  tokensOfCode,
} from 'ftl-client/oauth'
import * as oauth from 'oauth4webapi'
import {
  discover,
  isLoopback,
  type RequestOptions,
  SignInError,
  toServer,
} from './authorization-server.ts'
import { clientOf, type KnownClients } from './registration.ts'

/** What the page knows before it sends the user away. It contains no token. */
export interface Attempt {
  issuer: string
  clientId: string
  redirectUri: string
  resource: string
  scopes: string[]
  state: string
  verifier: string
}

/** A token, and what can be done with it. */
export interface Grant {
  token: string
  /** Scopes that it was asked for with. */
  asked: readonly string[]
  /** Gets the next one without the user. @default not possible */
  renew?: () => Promise<Grant>
  revoke: () => Promise<void>
}

export interface Wanted extends KnownClients {
  issuer: string
  resource: string
  /** Scopes that the server asks for. */
  scopes: readonly string[]
  redirectUri: string
}

/** @returns where to send the user, and what is needed to use the answer. @throws {SignInError} */
export async function begin(wanted: Wanted): Promise<{ url: string; attempt: Attempt }> {
  const { issuer, resource, redirectUri } = wanted
  const as = await discover(issuer)
  if (!hasPkce(as) || !as.authorization_endpoint) {
    throw new SignInError(
      'This authorization server does not support sign-in with PKCE (S256), which this page needs.',
    )
  }
  const clientId = await clientOf(as, wanted)
  // A refresh token renews the token quietly. OpenID allows it only with the consent of the user.
  const scopes = [...new Set([...wanted.scopes, ...(offersOffline(as) ? [OFFLINE] : [])])]
  const state = oauth.generateRandomState()
  const verifier = oauth.generateRandomCodeVerifier()
  const url = new URL(as.authorization_endpoint)
  // A `javascript:` address would run here.
  if (url.protocol !== 'https:' && !isLoopback(url)) {
    throw new SignInError('This authorization server has an address for sign-in that is not safe.')
  }
  const attempt = { issuer, clientId, redirectUri, resource, scopes, state, verifier }
  return { url: (await authorizationAddress(url, attempt)).href, attempt }
}

/** Exchanges the code of an answer. @param query of the address that the user came back to. @throws {SignInError} */
export async function finish(attempt: Attempt, query: string): Promise<Grant> {
  const { issuer, clientId, redirectUri, state, verifier } = attempt
  const as = await discover(issuer)
  const client = { client_id: clientId }
  return toServer(issuer, async (options) => {
    // Checks `state` and `iss` (RFC 9207) before it looks at anything else.
    const parameters = oauth.validateAuthResponse(as, client, new URLSearchParams(query), state)
    const tokens = tokenClient(attempt, as, options)
    const found = await tokensOfCode(tokens, { parameters, redirectUri, verifier })
    return granted(attempt, as, found)
  })
}

function tokenClient(
  { clientId, resource }: Attempt,
  as: oauth.AuthorizationServer,
  options: RequestOptions,
) {
  return { as, clientId, authentication: oauth.None(), resource, options }
}

function granted(
  attempt: Attempt,
  as: oauth.AuthorizationServer,
  { access_token: token, refresh_token: refresh, token_type: type }: oauth.TokenEndpointResponse,
): Grant {
  const { issuer, clientId, scopes } = attempt
  if (type !== 'bearer')
    throw new SignInError('The token is of a kind that this server does not accept.')
  const client = { client_id: clientId }
  const renew = (refreshToken: string) =>
    toServer(issuer, async (options) =>
      granted(attempt, as, await refreshedTokens(tokenClient(attempt, as, options), refreshToken)),
    )
  return {
    token,
    asked: scopes,
    ...(refresh !== undefined && { renew: () => renew(refresh) }),
    async revoke() {
      if (as.revocation_endpoint === undefined) return
      const signal = AbortSignal.timeout(REVOKE_MS)
      await toServer(issuer, async (options) => {
        for (const each of [refresh, token]) {
          if (each === undefined) continue
          await oauth.revocationRequest(as, client, oauth.None(), each, { ...options, signal })
        }
      })
    },
  }
}

/** A sign-out does not wait longer. */
const REVOKE_MS = 3_000
