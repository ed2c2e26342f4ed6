import { describe, expect, it } from 'vitest'
import { createWorld, post, type WorldOptions } from '../testing/components.ts'

const PING = { jsonrpc: '2.0', method: 'ping', id: 1 }

interface Sent {
  url?: string
  origin?: string
  headers?: Record<string, string>
  variables?: WorldOptions['variables']
}

async function send({ url = 'http://localhost:3000/mcp', origin, headers: own, variables }: Sent) {
  const world = createWorld({ variables })
  const headers: Record<string, string> = { ...own, ...(origin !== undefined && { origin }) }
  const response = await world.send(new Request(url, post(PING, headers)))
  const { reads } = world
  return { status: response.status, response, reads, text: await response.text() }
}

/** The variables that decide about access. */
const ACCESS = ['allowed_hosts', 'allowed_origins']

// https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http, "Security & Endpoint"
describe('a host that cannot be rebound', () => {
  it.each([
    'http://localhost:3000/mcp',
    'http://LOCALHOST/mcp',
    'http://app.localhost:3000/mcp',
    'http://127.0.0.1:3000/mcp',
    'http://127.8.9.10/mcp',
    'http://[::1]:3000/mcp',
    'http://192.168.1.5:3000/mcp',
    'http://[fe80::1]/mcp',
    'http://mcp-gateway.spin.internal/mcp',
  ])('is served without a look at any variable: %s', async (url) => {
    const { status, reads } = await send({ url })
    expect(status).toBe(200)
    expect(reads.filter((name) => ACCESS.includes(name))).toEqual([])
  })
})

describe('a host with a name', () => {
  it.each([
    'http://evil.example:3000/mcp',
    'http://localhost.evil.example/mcp',
    'http://127.0.0.1.evil.example/mcp',
    'http://notlocalhost/mcp',
    'http://echo.spin.internal.evil.example/mcp',
  ])('is refused unless it is listed: %s', async (url) => {
    expect((await send({ url })).status).toBe(403)
    const { host, hostname } = new URL(url)
    for (const allowed_hosts of [host, hostname, hostname.toUpperCase(), `x, ${host}`, '*']) {
      expect((await send({ url, variables: { allowed_hosts } })).status).toBe(200)
    }
  })

  it.each(['spin.internal', 'A.SPIN.INTERNAL', 'a.b.spin.internal', 'a.spin.internal.'])(
    'is refused to a client if it is one of components, whatever is listed: %s',
    async (name) => {
      for (const allowed_hosts of ['*', `${name}`]) {
        const headers = { 'spin-client-addr': '203.0.113.7:80' }
        const sent = await send({
          url: `http://${name}/mcp`,
          headers,
          variables: { allowed_hosts },
        })
        expect(sent.status).toBe(421)
        expect(sent.text).toContain('Use the address of the server.')
      }
    },
  )

  it('may be listed with its port, or all below a domain', async () => {
    const at = (url: string, allowed_hosts: string) => send({ url, variables: { allowed_hosts } })
    expect((await at('http://gw.example:3000/mcp', 'gw.example:3001')).status).toBe(403)
    expect((await at('http://a.gw.example:3000/mcp', '*.gw.example')).status).toBe(200)
    expect((await at('http://gw.example/mcp', '*.gw.example')).status).toBe(403)
  })

  it('is told what to set, in JSON-RPC at the endpoint of MCP', async () => {
    const { response, text } = await send({ url: 'http://evil.example:3000/mcp' })
    expect(response.headers.get('content-type')).toBe('application/json')
    // No id: the request was not read. https://www.jsonrpc.org/specification#error_object
    expect(JSON.parse(text)).toEqual({
      jsonrpc: '2.0',
      error: {
        code: -32600,
        message: 'Host "evil.example:3000" is not allowed. Add it to the variable allowed_hosts.',
      },
    })
  })

  it('is refused in JSON-RPC at the endpoint of one component too', async () => {
    const { status, text } = await send({ url: 'http://evil.example/mcp/x/echo' })
    expect(status).toBe(403)
    expect(JSON.parse(text)).toMatchObject({ jsonrpc: '2.0', error: { code: -32600 } })
  })

  it.each(['/health', '/jobs/x', '/outputs/x.png', '/nothing'])(
    'is refused on %s too',
    async (path) => {
      const response = await createWorld().send(new Request(`http://evil.example${path}`))
      expect(response.status).toBe(403)
      expect(await response.json()).toMatchObject({ error: { code: 'forbidden' } })
    },
  )

  it('asks no component', async () => {
    const world = createWorld({ components: { echo: () => new Response() } })
    const list = { jsonrpc: '2.0', method: 'tools/list', id: 1 }
    await world.send(new Request('http://evil.example/mcp', post(list)))
    expect(world.log).toEqual([])
  })
})

describe('an origin of this machine, or the gateway’s own', () => {
  it.each([
    ['http://localhost:6274', 'http://localhost:3000/mcp'],
    ['https://localhost', 'http://127.0.0.1:3000/mcp'],
    ['http://app.localhost:5173', 'http://localhost:3000/mcp'],
    ['http://127.0.0.2:5173', 'http://localhost:3000/mcp'],
    ['http://[::1]:5173', 'http://localhost:3000/mcp'],
    ['http://192.168.1.5:3000', 'http://192.168.1.5:3000/mcp'],
    // A proxy ended TLS.
    ['https://192.168.1.5', 'http://192.168.1.5/mcp'],
  ])('%s is served at %s without a look at any variable', async (origin, url) => {
    const { status, reads } = await send({ origin, url })
    expect(status).toBe(200)
    expect(reads.filter((name) => ACCESS.includes(name))).toEqual([])
  })
})

describe('any other origin', () => {
  const others = [
    'https://evil.example',
    'null',
    '',
    'http://localhost.evil.example',
    'http://127.0.0.1@evil.example',
    'http://127.0.0.1.evil.example',
    'http://localhost:3000, https://evil.example',
    'http://192.168.1.5:8080',
    'file://',
    'ftp://localhost',
  ]

  it.each(others)('is refused: %j', async (origin) => {
    expect((await send({ origin })).status).toBe(403)
    const variables = { allowed_origins: 'https://app.example' }
    expect((await send({ origin, variables })).status).toBe(403)
  })

  it.each(others)('is served when every origin is allowed: %j', async (origin) => {
    expect((await send({ origin, variables: { allowed_origins: '*' } })).status).toBe(200)
  })

  it.each([
    ['https://app.example', 'https://other.example, HTTPS://App.Example'],
    ['https://app.example:8443', 'https://app.example:8443'],
    ['https://a.app.example', 'https://*.app.example'],
    ['vscode-webview://1a2b', 'vscode-webview://1a2b'],
  ])('is served when it is listed: %s in %s', async (origin, allowed_origins) => {
    expect((await send({ origin, variables: { allowed_origins } })).status).toBe(200)
  })

  it('of a host that is not allowed is refused also when both are the same', async () => {
    const url = 'http://rebound.example:3000/mcp'
    expect((await send({ url, origin: 'http://rebound.example:3000' })).status).toBe(403)
  })

  it('is told what to set, and never more of itself than fits a line', async () => {
    const { text } = await send({ origin: `https://"<script>${'x'.repeat(5_000)}` })
    expect(text).toContain('Add it to the variable allowed_origins.')
    expect(text.length).toBeLessThan(400)
    expect(JSON.parse(text)).toMatchObject({ jsonrpc: '2.0' })
  })
})

describe('a list that cannot be used', () => {
  it.each([
    [{ allowed_hosts: 'https://gw.example' }, { url: 'http://gw.example/mcp' }],
    [{ allowed_origins: 'https://app.example/' }, { origin: 'https://app.example' }],
  ])('lets nobody in and names the variable: %j', async (variables, sent) => {
    const { status, text } = await send({ ...sent, variables })
    expect(status).toBe(500)
    expect(text).toContain(`\\"${Object.keys(variables)[0]}\\"`)
  })
})
