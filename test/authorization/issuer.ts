/** The authorization server of the suite. Its address is configured at the server under test. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Algorithm, createKey, type SigningKey } from './tokens.ts'

export interface IssuerOptions {
  algorithm: Algorithm
  /** @default 127.0.0.1 */
  host?: string
  /** @default a free one */
  port?: number
  /** The address that others use, if it is another one than this listens on. */
  publicUrl?: string
  /** @default a new one */
  key?: SigningKey
}

export interface Issuer {
  url: string
  jwksUri: string
  /** Signs now. */
  key: SigningKey
  /** Published for encryption, so no signature by it is valid. */
  encryptionKey: SigningKey
  /** Not published, except at `strangerJwksUri`. */
  stranger: SigningKey
  strangerJwksUri: string
  /** Paths that were requested. */
  requests: string[]
  /** Publishes another key beside the present one, which signs from now on. */
  rotate(): void
  /** Answers 503 to everything while it is true. */
  isDown: boolean
  close(): Promise<void>
}

export async function startIssuer(options: IssuerOptions): Promise<Issuer> {
  const { algorithm, host = '127.0.0.1', port = 0 } = options
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://issuer').pathname
    issuer.requests.push(path)
    const body = documents(path)
    response.writeHead(body ? 200 : issuer.isDown ? 503 : 404, {
      'content-type': 'application/json',
      'access-control-allow-origin': '*',
    })
    response.end(JSON.stringify(body ?? { error: 'not available' }))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const url = options.publicUrl ?? `http://${host}:${(server.address() as AddressInfo).port}`
  const published: SigningKey[] = []
  const issuer: Issuer = {
    url,
    jwksUri: `${url}/keys`,
    key: options.key ?? createKey(algorithm),
    encryptionKey: createKey(algorithm, 'enc'),
    stranger: createKey(algorithm),
    strangerJwksUri: `${url}/stranger-keys`,
    requests: [],
    isDown: false,
    rotate() {
      issuer.key = createKey(algorithm)
      published.push(issuer.key)
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  published.push(issuer.key, issuer.encryptionKey)

  function documents(path: string): object | undefined {
    if (path === '/stranger-keys') return { keys: [issuer.stranger.publicJwk] }
    if (issuer.isDown) return undefined
    if (path === '/keys') return { keys: published.map(({ publicJwk }) => publicJwk) }
    const names = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration']
    return names.includes(path) ? metadata() : undefined
  }

  const metadata = () => ({
    issuer: url,
    jwks_uri: issuer.jwksUri,
    authorization_endpoint: `${url}/authorize`,
    token_endpoint: `${url}/token`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [algorithm],
    code_challenge_methods_supported: ['S256'],
  })
  return issuer
}
