import { serverAddress } from './addresses.ts'
import { boundedFetch } from './bounded-fetch.ts'
import type { ClientSettings } from './client-identity.ts'
import { discoverIssuer } from './discover-issuer.ts'
import { oauthFailure } from './oauth-failure.ts'
import { type Revocation, revokeTokens } from './revoke-tokens.ts'
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
  revocation: Revocation | 'failed'
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
): Promise<Revocation> {
  const fetch = boundedFetch(server, options)
  const as = await discoverIssuer(issuer, server, fetch)
  return revokeTokens({ as, client, settings: options.client ?? {}, fetch }, tokens)
}
