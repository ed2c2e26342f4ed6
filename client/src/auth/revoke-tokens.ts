/** Revokes tokens at the authorization server (RFC 7009). */
import { processRevocationResponse, ResponseBodyError, revocationRequest } from 'oauth4webapi'
import { requestOptions } from './bounded-fetch.ts'
import { authenticationOf } from './client-identity.ts'
import type { TokenRequest, Tokens } from './token-requests.ts'

/**
 * `partly`: the access token is valid until it expires, and no further one can be got. `unsupported`: the authorization
 * server does not let clients revoke tokens.
 */
export type Revocation = 'revoked' | 'partly' | 'unsupported'

/** @throws {AuthenticationError} and the errors of oauth4webapi. */
export async function revokeTokens(
  { as, client, settings, fetch }: Pick<TokenRequest, 'as' | 'client' | 'settings' | 'fetch'>,
  { refreshToken, accessToken }: Tokens,
): Promise<Revocation> {
  if (as.revocation_endpoint === undefined) return 'unsupported'
  const authentication = authenticationOf(client, settings, as)
  // The refresh token first: at most authorization servers that revokes the whole grant.
  if (refreshToken !== undefined) await revokeOne(refreshToken)
  try {
    await revokeOne(accessToken)
    return 'revoked'
  } catch (error) {
    // A token that carries its own claims cannot be revoked (RFC 7009, section 2.2.1).
    const isKept = error instanceof ResponseBodyError && error.error === 'unsupported_token_type'
    if (!isKept) throw error
    return refreshToken === undefined ? 'unsupported' : 'partly'
  }

  async function revokeOne(token: string): Promise<void> {
    const id = { client_id: client.id }
    const response = await revocationRequest(as, id, authentication, token, requestOptions(fetch))
    await processRevocationResponse(response)
  }
}
