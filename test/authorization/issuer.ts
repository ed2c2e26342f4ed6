/** The authorization server of the suite. Its address is configured at the server under test. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
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
  /** Of other algorithms, published beside it. */
  furtherKeys: ReadonlyMap<Algorithm, SigningKey>
  /** What it says of opaque tokens (RFC 7662). @default not active */
  opaque: Map<string, object>
  /** Requests about opaque tokens. */
  introspections: Introspection[]
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

export interface Introspection {
  method: string
  type: string
  token: string
  /** Whether it has the credentials of {@link INTROSPECTING}. */
  isAuthenticated: boolean
}

/** The server under test as a client that may ask about tokens. */
export const INTROSPECTING = { id: 'suite', secret: 'only-for-the-suite' }

const FURTHER = ['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA'] as const

export async function startIssuer(options: IssuerOptions): Promise<Issuer> {
  const { algorithm, host = '127.0.0.1', port = 0 } = options
  const server = createServer((request, response) => {
    void answer(request, response)
  })
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', 'http://issuer').pathname
    issuer.requests.push(path)
    const body = path === '/introspect' ? await introspect(request) : documents(path)
    response.writeHead(body ? 200 : issuer.isDown ? 503 : 404, {
      'content-type': 'application/json',
      'access-control-allow-origin': '*',
    })
    response.end(JSON.stringify(body ?? { error: 'not available' }))
  }
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const url = options.publicUrl ?? `http://${host}:${(server.address() as AddressInfo).port}`
  const published: SigningKey[] = []
  const furtherKeys = new Map(
    FURTHER.filter((each) => each !== algorithm).map((each) => [each, createKey(each)]),
  )
  const issuer: Issuer = {
    url,
    furtherKeys,
    opaque: new Map(),
    introspections: [],
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
  published.push(issuer.key, issuer.encryptionKey, ...furtherKeys.values())

  async function introspect(request: IncomingMessage): Promise<object | undefined> {
    const token = new URLSearchParams(await text(request)).get('token') ?? ''
    const { id, secret } = INTROSPECTING
    const basic = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
    issuer.introspections.push({
      method: request.method ?? '',
      type: request.headers['content-type'] ?? '',
      token,
      isAuthenticated: request.headers.authorization === basic,
    })
    if (issuer.isDown) return undefined
    return issuer.opaque.get(token) ?? { active: false }
  }

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
