import { machineClient } from './client-identity.ts'
import { scopeUnion } from './challenge.ts'
import {
  type Prepared,
  type PrepareOptions,
  findAuthorizationServer,
} from './find-authorization-server.ts'
import { MARGIN_MS, type TokenSource } from './token-source.ts'
import { tokensForMachine, type Tokens } from './token-requests.ts'
import type { Challenge } from '../errors.ts'

/** Tokens of a client with its own credentials, kept in memory. */
export class MachineTokens implements TokenSource {
  readonly #server: URL
  readonly #options: PrepareOptions
  #prepared: Promise<Prepared> | undefined
  #pending: Promise<string> | undefined
  #tokens: Tokens | undefined

  constructor(server: URL, options: PrepareOptions) {
    this.#server = server
    this.#options = options
  }

  async current(): Promise<string | undefined> {
    const { accessToken, expiresAt = Infinity } = this.#tokens ?? {}
    if (accessToken === undefined || Date.now() < expiresAt - MARGIN_MS) return accessToken
    return this.renew(accessToken, {})
  }

  async renew(refused: string | undefined, challenge: Challenge): Promise<string> {
    // Another request has renewed it meanwhile.
    if (this.#tokens && this.#tokens.accessToken !== refused) return this.#tokens.accessToken
    this.#pending ??= this.#request(challenge).finally(() => (this.#pending = undefined))
    return this.#pending
  }

  async scope(): Promise<string | undefined> {
    return this.#tokens?.scope
  }

  async #request(challenge: Challenge): Promise<string> {
    const { client: settings = {} } = this.#options
    this.#prepared ??= findAuthorizationServer(this.#server, { ...this.#options, challenge })
    const prepared = await this.#prepared.catch((error: unknown) => {
      this.#prepared = undefined
      throw error
    })
    const { as, resource, fetch } = prepared
    const client = machineClient(settings, as)
    const scope = scopeUnion(prepared.scope, this.#tokens?.scope, challenge.scope)
    this.#tokens = await tokensForMachine({ as, client, settings, resource, scope, fetch })
    return this.#tokens.accessToken
  }
}
