import {
  type AuthorizationServer,
  dynamicClientRegistrationRequest,
  processDynamicClientRegistrationResponse,
  ResponseBodyError,
} from 'oauth4webapi'
import { AuthenticationError } from '../errors.ts'
import { type BoundedFetch, requestOptions } from './bounded-fetch.ts'
import { type ClientSettings, configuredClient, type RegisteredClient } from './client-identity.ts'
import { oauthFailure } from './oauth-failure.ts'
import { parseUrl } from './parse-url.ts'

export interface Registration {
  redirectUri: string
  scope: string | undefined
  /** Shown to the user. @default 'ftl' */
  name?: string
  /** @default 'native', a program on the user's machine */
  kind?: 'native' | 'web'
}

/**
 * The client to sign in with: the configured one, else the metadata document, else a newly registered one.
 *
 * @throws {AuthenticationError}
 */
export async function clientFor(
  as: AuthorizationServer,
  settings: ClientSettings,
  registration: Registration,
  fetch: BoundedFetch,
): Promise<RegisteredClient> {
  const configured = configuredClient(settings, as)
  if (configured) return configured
  const { metadataUrl } = settings
  if (metadataUrl !== undefined && as['client_id_metadata_document_supported'] === true) {
    return { id: documentAddress(metadataUrl) }
  }
  if (as.registration_endpoint !== undefined) return register(as, registration, fetch)
  throw new AuthenticationError(
    `${as.issuer} does not let clients register themselves: register one there with the redirect address ` +
      'http://127.0.0.1/callback, and give its id with --client-id or FTL_CLIENT_ID',
  )
}

/** Draft "OAuth Client ID Metadata Document": https, with a path, without fragment and user. */
function documentAddress(address: string): string {
  const url = parseUrl(address)
  if (url?.protocol === 'https:' && url.pathname !== '/' && !url.hash && !url.username)
    return address
  throw new AuthenticationError(
    'the address of the client metadata must begin with https:// and have a path, ' +
      'for example https://example.com/ftl-client.json',
  )
}

/**
 * As a public client first: a secret on this machine protects nothing, and some servers take public clients although
 * their metadata does not list `none` (Keycloak, django-oauth-toolkit).
 */
async function register(
  as: AuthorizationServer,
  registration: Registration,
  fetch: BoundedFetch,
): Promise<RegisteredClient> {
  try {
    return await registerAs('none')
  } catch (error) {
    const methods = as.token_endpoint_auth_methods_supported
    const mayNeedSecret = methods !== undefined && !methods.includes('none')
    if (!mayNeedSecret || !(error instanceof ResponseBodyError)) throw failure(error)
    return registerAs('client_secret_basic').catch((second: unknown) => {
      throw failure(second)
    })
  }

  function failure(error: unknown) {
    return oauthFailure(error, `${as.issuer} did not register this client`)
  }

  async function registerAs(method: string): Promise<RegisteredClient> {
    const { redirectUri, scope, name = 'ftl', kind = 'native' } = registration
    const metadata = {
      client_name: name,
      application_type: kind,
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: method,
      ...(scope !== undefined && { scope }),
    }
    const response = await dynamicClientRegistrationRequest(as, metadata, requestOptions(fetch))
    const registered = await processDynamicClientRegistrationResponse(response)
    const { client_id: id, client_secret: secret, token_endpoint_auth_method: given } = registered
    return { id, ...(typeof secret === 'string' && given !== 'none' && { secret }) }
  }
}
