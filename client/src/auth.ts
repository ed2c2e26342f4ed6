/** Signing in at MCP servers (OAuth 2.1), for Node. */
export { authorizedFetch } from './auth/authorized-fetch.ts'
export { clientSettings, configuredFetch } from './auth/configured-fetch.ts'
export type { ClientSettings } from './auth/client-identity.ts'
export { mayHaveToken, serverAddress } from './auth/addresses.ts'
export { signIn, signInMachine, type SignInOptions } from './auth/sign-in.ts'
export { type SignedOut, signOut } from './auth/sign-out.ts'
export { type SignIn, TokenStore } from './auth/token-store.ts'
export { StoredTokens } from './auth/token-source.ts'
