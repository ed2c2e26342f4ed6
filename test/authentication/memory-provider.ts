/** The state of a client that signs in, for both versions of the official SDK. */

interface Tokens {
  access_token: string
  token_type: string
}

export class MemoryProvider {
  readonly redirectUrl = 'http://127.0.0.1:9/callback'
  readonly clientMetadata = {
    client_name: 'test',
    redirect_uris: [this.redirectUrl],
    token_endpoint_auth_method: 'none',
    application_type: 'native',
  }
  #client: { client_id: string } | undefined
  #tokens: Tokens | undefined
  #verifier = ''
  #address: URL | undefined

  clientInformation() {
    return this.#client
  }
  saveClientInformation(client: { client_id: string }) {
    this.#client = client
  }
  /** The SDK registers a client for the scopes it then knows; with another scope it has to register again. */
  forgetClient() {
    this.#client = undefined
  }
  tokens() {
    return this.#tokens
  }
  saveTokens(tokens: Tokens) {
    this.#tokens = tokens
  }
  codeVerifier() {
    return this.#verifier
  }
  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier
  }
  redirectToAuthorization(address: URL) {
    this.#address = address
  }

  /** Where the user is sent. */
  address(): URL {
    if (!this.#address) throw new Error('the client did not ask to sign in')
    return this.#address
  }
}
