/** Steps of a sign-in by OAuth 2.1 for a server that is a client of other servers. Web APIs only. */
export { AuthenticationError } from './errors.ts'
export { type BoundedFetch, boundedFetch } from './auth/bounded-fetch.ts'
export type { ClientSettings, RegisteredClient } from './auth/client-identity.ts'
export { authorizationAddress, hasPkce, OFFLINE, offersOffline } from './auth/code-flow.ts'
export { scopeUnion } from './auth/challenge.ts'
export { isRefused, oauthFailure } from './auth/oauth-failure.ts'
export { findAuthorizationServer } from './auth/find-authorization-server.ts'
export { clientFor } from './auth/register.ts'
export { type Revocation, revokeTokens } from './auth/revoke-tokens.ts'
export { mayHaveToken } from './auth/addresses.ts'
export { discoverIssuer } from './auth/discover-issuer.ts'
export {
  type Tokens,
  tokensForCode,
  tokensForMachine,
  tokensForRefresh,
  tokensForToken,
} from './auth/token-requests.ts'
