/**
 * The authorization code flow with PKCE, as far as it is the same in a command and in a page.
 *
 * The callers differ for a reason in the rest: which addresses may be requested, how the answer arrives, which client
 * they are, where tokens are kept, and the words of a failure.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization
 */
import {
  type allowInsecureRequests,
  authorizationCodeGrantRequest,
  type AuthorizationServer,
  calculatePKCECodeChallenge,
  type ClientAuth,
  type customFetch,
  processAuthorizationCodeResponse,
  processRefreshTokenResponse,
  refreshTokenGrantRequest,
  type TokenEndpointResponse,
} from 'oauth4webapi'

/** The scope with which OpenID servers give a refresh token. */
export const OFFLINE = 'offline_access'

/** Without PKCE a stolen code could be used, so MCP forbids a sign-in without it. */
export function hasPkce(as: AuthorizationServer): boolean {
  return as.code_challenge_methods_supported?.includes('S256') === true
}

export function offersOffline(as: AuthorizationServer): boolean {
  return as.scopes_supported?.includes(OFFLINE) === true
}

/** What a sign-in begins with; the callers make `state` and `verifier` with oauth4webapi. */
export interface CodeRequest {
  clientId: string
  redirectUri: string
  resource: string
  scopes: readonly string[]
  state: string
  verifier: string
  /** Further parameters that the authorization server needs, such as `audience`; none of the others is replaced. */
  parameters?: Readonly<Record<string, string>>
}

/** Where to send the user. @param endpoint of the authorization server, whose address the caller has checked. */
export async function authorizationAddress(
  endpoint: URL,
  { clientId, redirectUri, resource, scopes, state, verifier, parameters: more }: CodeRequest,
): Promise<URL> {
  const address = new URL(endpoint)
  const parameters = {
    ...more,
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    resource,
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
    // OpenID Connect ignores a request for offline access without it.
    ...(scopes.includes(OFFLINE) && { prompt: 'consent' }),
  }
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value)
  return address
}

/** A client that asks for tokens, and how its requests are sent. */
export interface TokenClient {
  as: AuthorizationServer
  clientId: string
  authentication: ClientAuth
  resource: string
  options: {
    [allowInsecureRequests]: boolean
    [customFetch]: (url: string, init: RequestInit) => Promise<Response>
  }
}

export interface Code {
  /** As `validateAuthResponse` of oauth4webapi returned them. */
  parameters: URLSearchParams
  redirectUri: string
  verifier: string
}

/** @throws the errors of oauth4webapi and of the caller's `fetch`. */
export async function tokensOfCode(
  { as, clientId, authentication, resource, options }: TokenClient,
  { parameters, redirectUri, verifier }: Code,
): Promise<TokenEndpointResponse> {
  const client = { client_id: clientId }
  const response = await authorizationCodeGrantRequest(
    as,
    client,
    authentication,
    parameters,
    redirectUri,
    verifier,
    { ...options, additionalParameters: { resource } },
  )
  return processAuthorizationCodeResponse(as, client, response)
}

/**
 * Tokens for a refresh token, which the answer has too: a new one where the server rotates them, otherwise the same.
 *
 * @throws as {@link tokensOfCode}.
 */
export async function refreshedTokens(
  { as, clientId, authentication, resource, options }: TokenClient,
  refreshToken: string,
): Promise<TokenEndpointResponse> {
  const client = { client_id: clientId }
  const response = await refreshTokenGrantRequest(as, client, authentication, refreshToken, {
    ...options,
    additionalParameters: { resource },
  })
  return {
    refresh_token: refreshToken,
    ...(await processRefreshTokenResponse(as, client, response)),
  }
}
