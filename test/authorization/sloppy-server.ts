/** Servers that do almost everything wrong, which shows that a row can fail. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Message {
  id?: number
  method?: string
}

/**
 * It takes a token wherever it finds one, requests the keys each time, and verifies nothing. Without a token it refuses
 * as little as it can.
 */
export async function startSloppyServer(
  jwksUri: string,
): Promise<{ url: string; close(): Promise<void> }> {
  const sessions = new Set<string>()
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (text: string) => (body += text))
    request.on('end', () => void answer(request, response, body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`

  async function answer(
    request: IncomingMessage,
    response: ServerResponse,
    body: string,
  ): Promise<void> {
    const { pathname, search } = new URL(request.url ?? '/', url)
    const send = (status: number, value: object, headers: Record<string, string> = {}) =>
      response
        .writeHead(status, {
          'access-control-allow-origin': request.headers.origin ?? '*',
          'cache-control': 'public, max-age=60',
          ...headers,
        })
        .end(JSON.stringify(value))
    if (pathname.startsWith('/.well-known/')) {
      const document = { resource: `${url}/`, authorization_servers: [], scopes_supported: [] }
      return void send(200, document, { 'content-type': 'text/plain' })
    }
    const credentials = [request.headers.authorization, request.headers.cookie, search, body].join()
    if (pathname === '/nothing') return void send(404, {})
    const [, token = ''] = /([\w-]*\.[\w-]{9,}\.[\w-]*|opaque_[\w-]+)/.exec(credentials) ?? []
    await requestKeys(token)
    const session = request.headers['mcp-session-id']
    const isKnown = typeof session === 'string' && sessions.has(session)
    if (!isKnown && token === '' && request.method === 'POST') {
      const challenge = `Bearer error="a", error="\u00a7", scope="offline_access", resource_metadata="${new URL('/nothing', url).href}"`
      return void send(
        request.headers.authorization ? 500 : 403,
        { tools: ['secret'] },
        {
          'www-authenticate': challenge,
        },
      )
    }
    let message: Message = {}
    try {
      message = JSON.parse(body) as Message
    } catch {
      // It answers all the same.
    }
    sessions.add('1')
    const result = { tools: [{ name: 'secret' }], token }
    return void send(200, { jsonrpc: '2.0', id: message.id, result }, { 'mcp-session-id': '1' })
  }

  async function requestKeys(token: string): Promise<void> {
    const [head = ''] = token.split('.')
    let address = jwksUri
    try {
      const { jku } = JSON.parse(Buffer.from(head, 'base64url').toString()) as { jku?: string }
      address = jku ?? jwksUri
    } catch {
      return
    }
    await fetch(address)
  }

  return {
    url,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** It refuses everything, and says nothing about why. */
export const startClosedServer = () => startRefusing({})

/** It refuses everything, as if each token needed a scope that it only advertises. */
export const startGreedyServer = () =>
  startRefusing({ 'www-authenticate': 'Bearer scope="advertised"' })

async function startRefusing(
  headers: Record<string, string>,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(401, headers).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
