import { processRevocationResponse, ResponseBodyError, revocationRequest } from 'oauth4webapi'
import { serverAddress } from './addresses.ts'
import { boundedFetch, requestOptions } from './bounded-fetch.ts'
import { authenticationOf, type ClientSettings } from './client-identity.ts'
import { discoverIssuer } from './discover-issuer.ts'
import { oauthFailure } from './oauth-failure.ts'
import type { SignIn, TokenStore } from './token-store.ts'

/** Options of {@link signOut}. */
export interface SignOutOptions {
  store: TokenStore
  client?: ClientSettings
  signal?: AbortSignal
  fetch?: typeof globalThis.fetch
}

/** What happened to the tokens of a server. */
export interface SignedOut {
  issuer: string
  /**
   * `partly`: the access token is valid until it expires, and no further one can be got. `unsupported`: the authorization
   * server does not let clients revoke tokens.
   */
  revocation: 'revoked' | 'partly' | 'unsupported' | 'failed'
  /** Why it failed. */
  reason?: string
  /**
   * Milliseconds since 1970 until which a server that reads the access token itself, and does not ask the authorization
   * server, accepts it. @default no such token is known
   */
  acceptedUntil?: number
}

/**
 * Removes the tokens of a server from this machine, and revokes them at the authorization server (RFC 7009).
 *
 * @returns `undefined` when the store has no tokens of this server.
 * @throws {AuthenticationError} when the store is not safe to use.
 */
export async function signOut(
  address: string | URL,
  options: SignOutOptions,
): Promise<SignedOut | undefined> {
  const server = serverAddress(address)
  const { store } = options
  if (!(await store.find(server))) return undefined
  return store.locked(server, async () => {
    const found = await store.find(server)
    if (!found) return undefined
    // First of all, because the authorization server may be down.
    await store.remove(server)
    const { issuer } = found
    try {
      const revocation = await revoke(found, server, options)
      const { accessToken, expiresAt = 0 } = found.tokens
      const isReadable = accessToken.split('.').length === 3 && expiresAt > Date.now()
      return { issuer, revocation, ...(isReadable && { acceptedUntil: expiresAt }) }
    } catch (error) {
      const { message } = oauthFailure(error, 'revoking the tokens failed')
      return { issuer, revocation: 'failed', reason: message }
    }
  })
}

async function revoke(
  { issuer, client, tokens }: SignIn,
  server: URL,
  options: SignOutOptions,
): Promise<'revoked' | 'partly' | 'unsupported'> {
  const fetch = boundedFetch(server, options)
  const as = await discoverIssuer(issuer, server, fetch)
  if (as.revocation_endpoint === undefined) return 'unsupported'
  const authentication = authenticationOf(client, options.client ?? {}, as)
  const { refreshToken, accessToken } = tokens
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
