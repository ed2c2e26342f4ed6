/** What clients find. @see https://www.rfc-editor.org/rfc/rfc8414 */
import { supportedScopes } from './authorize/requested.ts'
import type { Settings } from './settings.ts'

export const PATHS = {
  metadata: '/.well-known/oauth-authorization-server',
  authorize: '/auth/authorize',
  consent: '/auth/consent',
  callback: '/auth/callback',
  grants: '/auth/grants',
  operator: '/auth/operator',
  token: '/auth/token',
  register: '/auth/register',
  revoke: '/auth/revoke',
  keys: '/auth/keys',
  style: '/auth/style.css',
} as const

export function metadata(settings: Settings): object {
  const { issuer } = settings
  const scopes = supportedScopes(settings)
  return {
    issuer,
    authorization_endpoint: issuer + PATHS.authorize,
    token_endpoint: issuer + PATHS.token,
    registration_endpoint: issuer + PATHS.register,
    revocation_endpoint: issuer + PATHS.revoke,
    jwks_uri: issuer + PATHS.keys,
    ...(scopes.length > 0 && { scopes_supported: scopes }),
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  }
}
