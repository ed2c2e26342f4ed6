/** As which client the page signs users in. */
import * as oauth from 'oauth4webapi'
import { SignInError, toServer } from './authorization-server.ts'

export interface KnownClients {
  /** Client ids that the operator has configured, by issuer. */
  configured: Readonly<Record<string, string>>
  /** Address of the page's metadata, where an authorization server can request it. */
  metadataUrl: string | undefined
  redirectUri: string
  /** Client id of an earlier registration at this issuer. */
  registered: string | undefined
  /** Keeps the client id of a registration. */
  keep: (clientId: string) => void
}

/**
 * The specification's order: what the operator has registered, then a metadata document (CIMD), then registration.
 *
 * @throws {SignInError}
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization/client-registration
 */
export async function clientOf(
  as: oauth.AuthorizationServer,
  clients: KnownClients,
): Promise<string> {
  const { configured, metadataUrl, registered } = clients
  const byOperator = configured[as.issuer] ?? configured['*']
  if (byOperator !== undefined) return byOperator
  if (metadataUrl !== undefined && as['client_id_metadata_document_supported'] === true)
    return metadataUrl
  if (registered !== undefined) return registered
  if (as.registration_endpoint === undefined) {
    throw new SignInError(
      'This page is not registered at the authorization server. Register it as a public client with the redirect ' +
        `address ${clients.redirectUri}, and set auth_client_id.`,
    )
  }
  return register(as, clients)
}

async function register(
  as: oauth.AuthorizationServer,
  { redirectUri, keep }: KnownClients,
): Promise<string> {
  const { protocol, host } = new URL(redirectUri)
  return toServer(as.issuer, async (options) => {
    const response = await oauth.dynamicClientRegistrationRequest(
      as,
      {
        client_name: `ftl on ${host}`,
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
        // Without TLS only this machine has the page, and OpenID calls such a client native.
        application_type: protocol === 'https:' ? 'web' : 'native',
      },
      options,
    )
    const client = await oauth.processDynamicClientRegistrationResponse(response)
    if (client.client_secret !== undefined && client.token_endpoint_auth_method !== 'none') {
      throw new SignInError(
        'The authorization server gives every client a secret, and a page cannot keep one. Register it as a public ' +
          'client, and set auth_client_id.',
      )
    }
    keep(client.client_id)
    return client.client_id
  })
}
