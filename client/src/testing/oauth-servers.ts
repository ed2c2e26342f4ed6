/** An MCP server and an authorization server on real sockets, of which a test may replace each answer by a hostile one. */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface Answer {
  status?: number
  headers?: Record<string, string>
  body?: string | object
}

export interface Received {
  method: string
  url: URL
  authorization: string | undefined
  form: URLSearchParams
}

type Handler = (request: Received) => Answer

export interface OAuthServers {
  /** Address of the MCP endpoint. */
  server: string
  issuer: string
  /** By path; a test may set these. */
  routes: Map<string, Handler>
  /** Of both servers, in their order. */
  received: Received[]
  /** Paths that were requested. */
  paths(): string[]
  /** Follows an authorization request as a browser does. @returns the status of the page that it ends at. */
  browse(address: URL): Promise<number>
  close(): Promise<void>
}

export const RESOURCE = '/.well-known/oauth-protected-resource/mcp'
export const METADATA = '/.well-known/oauth-authorization-server'

export async function startOAuthServers(): Promise<OAuthServers> {
  const routes = new Map<string, Handler>()
  const received: Received[] = []
  const mcp = await listen(answer)
  const as = await listen(answer)
  const server = `${mcp.origin}/mcp`
  const issuer = as.origin
  let tokens = 0

  routes.set('/mcp', ({ authorization }) => {
    const isKnown = authorization === `Bearer access-${tokens}`
    return isKnown
      ? { body: { ok: true } }
      : unauthorized(`resource_metadata="${mcp.origin}${RESOURCE}"`)
  })
  routes.set(RESOURCE, () => ({
    body: { resource: server, authorization_servers: [issuer], scopes_supported: ['tools'] },
  }))
  routes.set(METADATA, () => ({ body: metadata(issuer) }))
  routes.set('/register', () => ({ status: 201, body: { client_id: 'registered' } }))
  routes.set('/authorize', ({ url: { searchParams } }) => {
    const back = new URL(searchParams.get('redirect_uri') ?? '')
    back.searchParams.set('code', 'the-code')
    back.searchParams.set('state', searchParams.get('state') ?? '')
    back.searchParams.set('iss', issuer)
    return { status: 302, headers: { location: back.href } }
  })
  routes.set('/token', () => {
    tokens++
    const body = {
      access_token: `access-${tokens}`,
      refresh_token: `refresh-${tokens}`,
      token_type: 'Bearer',
      expires_in: 3600,
    }
    return { body }
  })
  routes.set('/revoke', () => ({}))

  function answer(request: Received): Answer {
    received.push(request)
    return routes.get(request.url.pathname)?.(request) ?? { status: 404 }
  }

  return {
    server,
    issuer,
    routes,
    received,
    paths: () => received.map(({ url }) => url.pathname),
    async browse(address) {
      const { status, headers } = await fetch(address, { redirect: 'manual' })
      const location = headers.get('location')
      return location === null ? status : (await fetch(location)).status
    },
    async close() {
      await Promise.all([mcp.close(), as.close()])
    },
  }
}

export const metadata = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  registration_endpoint: `${issuer}/register`,
  revocation_endpoint: `${issuer}/revoke`,
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['none'],
  authorization_response_iss_parameter_supported: true,
})

export const unauthorized = (challenge: string): Answer => ({
  status: 401,
  headers: { 'www-authenticate': `Bearer ${challenge}` },
})

/** Answers so until the client has a token. */
export const firstly =
  (answer: Answer): Handler =>
  ({ authorization }) =>
    authorization === undefined ? answer : {}

async function listen(answer: (request: Received) => Answer) {
  const server = createServer((request, response) => {
    void received(request).then((each) => {
      const { status = 200, headers = {}, body = '' } = answer(each)
      const type = typeof body === 'string' ? 'text/plain' : 'application/json'
      response.writeHead(status, { 'content-type': type, ...headers })
      response.end(typeof body === 'string' ? body : JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      }),
  }

  async function received(request: IncomingMessage): Promise<Received> {
    return {
      method: request.method ?? '',
      url: new URL(request.url ?? '/', origin),
      authorization: request.headers.authorization,
      form: new URLSearchParams(await text(request)),
    }
  }
}
