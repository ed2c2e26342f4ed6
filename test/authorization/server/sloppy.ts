/** An authorization server that does almost everything wrong, which shows that a row can fail. */
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * It sends each user back at once after the first time, wherever the request says, and checks nothing that a client sends.
 */
export async function startSloppyServer(): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (text: string) => (body += text))
    request.on('end', () => answer(request, response, new URLSearchParams(body)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  function answer(request: IncomingMessage, response: ServerResponse, form: URLSearchParams): void {
    const { pathname, searchParams } = new URL(request.url ?? '/', url)
    const send = (status: number, value: object, type = 'text/plain') =>
      response.writeHead(status, { 'content-type': type }).end(JSON.stringify(value))
    if (pathname.startsWith('/.well-known/')) {
      return void send(200, {
        issuer: `${url}/`,
        authorization_endpoint: `${url}/authorize`,
        token_endpoint: `${url}/token`,
        registration_endpoint: `${url}/register`,
        revocation_endpoint: `${url}/revoke`,
        jwks_uri: `${url}/keys`,
        response_types_supported: ['token'],
        scopes_supported: [],
        code_challenge_methods_supported: ['plain'],
        authorization_response_iss_parameter_supported: 'yes',
        client_id_metadata_document_supported: true,
      })
    }
    if (pathname === '/register') return void send(201, { client_id: 'one', client_secret: 's' })
    if (pathname === '/revoke') return void send(400, { error: 'x' })
    if (pathname === '/keys') return void send(200, { keys: [] })
    const get = (name: string) => form.get(name) ?? searchParams.get(name)
    if (pathname === '/authorize') {
      const back = get('redirect_uri') ?? 'https://client.example/callback'
      const isKnown = request.headers.cookie?.includes('known') === true
      // It remembers the user, and asks nothing a second time.
      if (request.method === 'GET' && !isKnown && get('scope') === null && get('x') === null) {
        response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'known=1' })
        const hidden = `<input type="hidden" name="redirect_uri" value="${back}">`
        return void response.end(
          `<form action="/authorize">${hidden}<input name="user"><button>Go</button></form>`,
        )
      }
      const separator = back.includes('?') ? '&' : '?'
      return void response.writeHead(307, { location: `${back}${separator}code=1` }).end()
    }
    if (pathname === '/token') {
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
      const access_token = `${part({ alg: 'none', typ: 'JWT' })}.${part({ aud: 'x', a: randomUUID() })}.`
      const scope = 'everything'
      const tokens = { access_token, token_type: 'Bearer', refresh_token: 'r', scope }
      return void send(200, { ...tokens, expires_in: 86_400 })
    }
    send(404, {})
  }

  return {
    url,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
