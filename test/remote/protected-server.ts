/** A server on the official SDK with its bearer middleware: it knows only tokens of one authorization server, for itself. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { requireBearerAuth } from '@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js'
import { InvalidTokenError } from '@modelcontextprotocol/sdk/server/auth/errors.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import express, { type Handler } from 'express'
import { createRemoteJWKSet, jwtVerify } from 'jose'

export interface ProtectedServer {
  url: string
  /** Every token that it accepted. */
  tokens: Set<string>
  /** Tokens that it does not accept any more. */
  revoked: Set<string>
  /** Whether it accepts no token at all. @default false */
  refusesAll: boolean
  /** The `resource` of its metadata. @default its own address */
  resource: string
  /** The authorization server that its metadata names. */
  issuer: string
  close(): Promise<void>
}

export async function startProtected(issuer: string): Promise<ProtectedServer> {
  const app = express()
  const web = createServer(app)
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(web.address() as AddressInfo).port}`
  const url = `${origin}/mcp`
  const keys = createRemoteJWKSet(new URL(`${issuer}/jwks`))
  const state: ProtectedServer = {
    url,
    tokens: new Set(),
    revoked: new Set(),
    refusesAll: false,
    resource: url,
    issuer,
    close: () =>
      new Promise((resolve) => {
        web.close(() => resolve())
        web.closeAllConnections()
      }),
  }

  async function verifyAccessToken(token: string) {
    if (state.refusesAll || state.revoked.has(token))
      throw new InvalidTokenError('The token was revoked')
    try {
      const { payload } = await jwtVerify(token, keys, { issuer, audience: url })
      const { sub = '', exp = 0, scope = '', client_id: clientId = '' } = payload
      state.tokens.add(token)
      const scopes = String(scope).split(' ')
      const resource = new URL(url)
      return {
        token,
        clientId: String(clientId),
        scopes,
        expiresAt: exp,
        resource,
        extra: { sub },
      }
    } catch {
      throw new InvalidTokenError('The token is not valid')
    }
  }

  const metadata: Handler = (request, response, next) => {
    if (request.url !== '/.well-known/oauth-protected-resource/mcp') return next()
    response.setHeader('content-type', 'application/json')
    const { resource } = state
    const document = {
      resource,
      authorization_servers: [state.issuer],
      scopes_supported: ['tools'],
    }
    response.end(JSON.stringify(document))
  }
  const guard = requireBearerAuth({
    verifier: { verifyAccessToken },
    resourceMetadataUrl: `${origin}/.well-known/oauth-protected-resource/mcp`,
  }) as unknown as Handler
  app.use(express.json(), metadata, guard)
  app.post('/mcp', async (request, response) => {
    const server = new McpServer({ name: 'protected', version: '1' })
    server.registerTool('whoami', { description: 'Who is signed in' }, ({ authInfo }) => ({
      content: [{ type: 'text', text: String(authInfo?.extra?.['sub']) }],
    }))
    server.registerTool('echo_token', { description: 'Repeats the token' }, ({ authInfo }) => ({
      content: [{ type: 'text', text: `It is ${authInfo?.token}` }],
    }))
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true })
    await server.connect(transport)
    await transport.handleRequest(request, response, request.body)
  })
  return state
}
