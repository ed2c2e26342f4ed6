/** Requests to the token endpoint. Each names the resource (RFC 8707), so that a token is good for that server only. */
import {
  type AuthorizationServer,
  clientCredentialsGrantRequest,
  genericTokenEndpointRequest,
  processClientCredentialsResponse,
  processGenericTokenEndpointResponse,
  type TokenEndpointResponse,
} from 'oauth4webapi'
import { AuthenticationError } from '../errors.ts'
import { type BoundedFetch, requestOptions } from './bounded-fetch.ts'
import { isScopes } from './challenge.ts'
import { authenticationOf, type ClientSettings, type RegisteredClient } from './client-identity.ts'
import { type Code, refreshedTokens, type TokenClient, tokensOfCode } from './code-flow.ts'
import { oauthFailure } from './oauth-failure.ts'

export interface Tokens {
  accessToken: string
  /** In milliseconds since 1970; unknown where the authorization server does not say. */
  expiresAt?: number
  refreshToken?: string
  /** Granted scopes, separated by spaces. */
  scope?: string
}

export interface TokenRequest {
  as: AuthorizationServer
  client: RegisteredClient
  settings: ClientSettings
  resource: string
  scope: string | undefined
  fetch: BoundedFetch
}

/** @throws {AuthenticationError} */
export async function tokensForCode(request: TokenRequest, code: Code): Promise<Tokens> {
  const client = tokenClient(request)
  return granted(request, () => tokensOfCode(client, code))
}

/**
 * The tokens have the refresh token that holds from now on: a new one where the authorization server rotates them.
 *
 * @throws {AuthenticationError}
 */
export async function tokensForRefresh(
  request: TokenRequest,
  refreshToken: string,
): Promise<Tokens> {
  const client = tokenClient(request)
  return granted(request, () => refreshedTokens(client, refreshToken))
}

function tokenClient({ as, client, settings, resource, fetch }: TokenRequest): TokenClient {
  const authentication = authenticationOf(client, settings, as)
  return { as, clientId: client.id, authentication, resource, options: requestOptions(fetch) }
}

/** @throws {AuthenticationError} */
export async function tokensForMachine(request: TokenRequest): Promise<Tokens> {
  const { as, resource, scope, fetch } = request
  const client = { client_id: request.client.id }
  const authentication = authenticationOf(request.client, request.settings, as)
  const parameters = { resource, ...(scope !== undefined && { scope }) }
  return granted(request, async () =>
    processClientCredentialsResponse(
      as,
      client,
      await clientCredentialsGrantRequest(
        as,
        client,
        authentication,
        parameters,
        requestOptions(fetch),
      ),
    ),
  )
}

const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token'
const TOKEN_TYPES: unknown[] = [ACCESS_TOKEN, 'urn:ietf:params:oauth:token-type:jwt', undefined]

/**
 * Exchanges the access token of a user for one of this server.
 *
 * @param audience what the authorization server calls this server, if not by its address.
 * @throws {AuthenticationError}
 * @see https://www.rfc-editor.org/rfc/rfc8693
 */
export async function tokensForToken(
  request: TokenRequest,
  subjectToken: string,
  audience?: string,
): Promise<Tokens> {
  const { as, resource, scope, fetch } = request
  const client = { client_id: request.client.id }
  const authentication = authenticationOf(request.client, request.settings, as)
  const parameters = {
    subject_token: subjectToken,
    subject_token_type: ACCESS_TOKEN,
    requested_token_type: ACCESS_TOKEN,
    ...(audience === undefined ? { resource } : { audience }),
    ...(scope !== undefined && { scope }),
  }
  const options = requestOptions(fetch)
  return granted(request, async () => {
    const response = await processGenericTokenEndpointResponse(
      as,
      client,
      await genericTokenEndpointRequest(as, client, authentication, EXCHANGE, parameters, options),
    )
    if (TOKEN_TYPES.includes(response['issued_token_type'])) return response
    throw new AuthenticationError(`${as.issuer} gave a token that is not an access token`)
  })
}

/** RFC 6750, section 2.1: what may be in the header. */
const TOKEN = /^[A-Za-z0-9._~+/-]+=*$/

async function granted(
  { as, scope: asked }: TokenRequest,
  request: () => Promise<TokenEndpointResponse>,
): Promise<Tokens> {
  const began = Date.now()
  let response: TokenEndpointResponse
  try {
    response = await request()
  } catch (error) {
    throw oauthFailure(error, `${as.issuer} gave no token`)
  }
  const { access_token: accessToken, expires_in: seconds, refresh_token: refreshToken } = response
  if (!TOKEN.test(accessToken)) {
    throw new AuthenticationError(`${as.issuer} gave a token that cannot be sent in a header`)
  }
  if (response.token_type !== 'bearer') {
    throw new AuthenticationError(`${as.issuer} gave a token that needs a proof of its client`)
  }
  const scope = isScopes(response.scope) ? response.scope : asked
  return {
    accessToken,
    // Some servers say 0 for a token without an end; one that has ended at once would be of no use.
    ...(seconds !== undefined && seconds > 0 && { expiresAt: began + seconds * 1000 }),
    ...(refreshToken !== undefined && { refreshToken }),
    ...(scope !== undefined && { scope }),
  }
}
