/** Where a client gets its tokens from. */
import { AuthenticationError, type Challenge } from '../errors.ts'
import { boundedFetch } from './bounded-fetch.ts'
import { scopeUnion } from './challenge.ts'
import type { ClientSettings } from './client-identity.ts'
import { discoverIssuer } from './discover-issuer.ts'
import { isRefused } from './oauth-failure.ts'
import type { SignIn, TokenStore } from './token-store.ts'
import { tokensForMachine, tokensForRefresh } from './token-requests.ts'

export interface TokenSource {
  /** The token to send, renewed if it is about to expire; `undefined` before the sign-in. @throws {AuthenticationError} */
  current(): Promise<string | undefined>
  /**
   * Another token, after the server refused this one.
   *
   * @param challenge with `scope` when the token has too few scopes.
   * @returns `undefined` when the user must sign in.
   */
  renew(refused: string | undefined, challenge: Challenge): Promise<string | undefined>
  /** Scopes of the token, separated by spaces; a sign-in for further scopes must not lose them. */
  scope(): Promise<string | undefined>
}

/** A token that expires within this time is renewed before it is sent. */
export const MARGIN_MS = 30_000

export interface StoredSourceOptions {
  store: TokenStore
  /** The client's secret or key, which the store does not have. */
  client?: ClientSettings
  fetch?: typeof globalThis.fetch
}

/** Tokens of the store. Several processes may use it: one of them renews, and the others wait for it. */
export class StoredTokens implements TokenSource {
  readonly #server: URL
  readonly #options: StoredSourceOptions
  /** Why a token could not be renewed before it was sent. */
  #problem: { token: string; error: AuthenticationError } | undefined

  constructor(server: URL, options: StoredSourceOptions) {
    this.#server = server
    this.#options = options
  }

  async current(): Promise<string | undefined> {
    const found = await this.#options.store.find(this.#server)
    if (!found) return undefined
    const { accessToken, expiresAt = Infinity } = found.tokens
    if (Date.now() < expiresAt - MARGIN_MS) return accessToken
    try {
      return (await this.#renewed(accessToken, {})) ?? accessToken
    } catch (error) {
      if (!(error instanceof AuthenticationError)) throw error
      // The server may need no token any more: another application can be served at the address of one that did.
      this.#problem = { token: accessToken, error }
      return accessToken
    }
  }

  async renew(refused: string | undefined, challenge: Challenge): Promise<string | undefined> {
    if (refused === undefined) return undefined
    if (this.#problem?.token === refused) throw this.#problem.error
    return this.#renewed(refused, challenge)
  }

  async scope(): Promise<string | undefined> {
    return (await this.#options.store.find(this.#server))?.tokens.scope
  }

  async #renewed(old: string, challenge: Challenge): Promise<string | undefined> {
    const { store } = this.#options
    return store.locked(this.#server, async () => {
      const found = await store.find(this.#server)
      if (!found) return undefined
      // Another process has renewed it meanwhile.
      if (found.tokens.accessToken !== old) return found.tokens.accessToken
      try {
        const tokens = await this.#request(found, challenge)
        if (tokens) await store.save({ ...found, tokens })
        return tokens?.accessToken
      } catch (error) {
        if (!isRefused(error)) throw this.#withSignIn(error, found, challenge)
        // A refresh token that was used twice or revoked: it never becomes valid again.
        await store.remove(this.#server)
        return undefined
      }
    })
  }

  /** Dex and Ory Hydra refuse a refresh token with `invalid_request`, which may also be a wrong setting of theirs. */
  #withSignIn(error: unknown, { grant }: SignIn, challenge: Challenge): unknown {
    if (!(error instanceof AuthenticationError) || error.cause !== 'invalid_request') return error
    if (grant === 'client_credentials') return error
    const signIn = { server: this.#server.href, challenge }
    return new AuthenticationError(error.message, { cause: error.cause, signIn })
  }

  async #request(found: SignIn, challenge: Challenge) {
    const { issuer, client, resource, grant, tokens } = found
    const isMachine = grant === 'client_credentials'
    const needsScopes = challenge.error === 'insufficient_scope'
    // A refresh never adds scopes (RFC 6749, section 6).
    if (!isMachine && (tokens.refreshToken === undefined || needsScopes)) return undefined
    const fetch = boundedFetch(this.#server, this.#options)
    const as = await discoverIssuer(issuer, this.#server, fetch)
    if (as.issuer !== issuer) {
      throw new AuthenticationError(`${issuer} now has another name, ${as.issuer}: sign in again`)
    }
    const scope = scopeUnion(tokens.scope, challenge.scope)
    const request = { as, client, settings: this.#options.client ?? {}, resource, scope, fetch }
    return isMachine
      ? tokensForMachine(request)
      : tokensForRefresh(request, tokens.refreshToken ?? '')
  }
}
