// Paths, headers and cursors that a client makes up, and markup that a component publishes.
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { ask } from '../contract/mcp/client.ts'
import { type RunningApplication, startHostile } from './support/application.ts'
import { attack } from './support/attack.ts'
import { gatewayOver, publisher, rpc } from './support/publisher.ts'
import { RawClient } from './support/raw-client.ts'

const MARKUP = '</script><img src=x onerror=alert(1)>'

let host: RunningApplication

beforeAll(async () => {
  const tools = [
    {
      name: 'open',
      title: MARKUP,
      description: `${MARKUP}\n\nevent: message\ndata: forged`,
      inputSchema: { type: 'object' },
    },
    { name: 'other', inputSchema: { type: 'object' } },
  ]
  const said = { content: [{ type: 'text', text: 'called' }] }
  const variables = { discovery_timeout_ms: '20000', list_page_size: '1' }
  host = await startHostile({
    gateway: await gatewayOver(['tool'], variables),
    tool: { wasm: await publisher({ tools, ...said }), route: false },
  })
  await rpc(host.url, 'tools/list', {})
})

afterAll(() => host.close())

describe('a path', () => {
  const PATHS = [
    ...['/mcp/x/constructor', '/mcp/x/__proto__', '/mcp/x/..%2ftool', '/mcp/x/tool%00'],
    ...[
      '/mcp/x/tool.spin.internal',
      '/mcp/x/tool@evil',
      '/outputs/../jobs/x',
      '/outputs/..%2f..%2fx',
    ],
    ...[
      '/outputs/%2e%2e/x',
      '/outputs/x.png%0d%0aset-cookie:a=b',
      '/tools/__proto__',
      '/tools/..%2f',
    ],
    ...[
      '/jobs/__proto__',
      '/jobs/%00',
      '/jobs/%',
      '/tools/%ff',
      '/?__proto__[x]=1',
      '//mcp',
      '/mcp/',
    ],
  ]
  for (const path of PATHS) {
    attack(`request to ${path}`, async () => {
      for (const method of ['GET', 'POST']) {
        const client = new RawClient(host.port)
        const head = [`${method} ${path} HTTP/1.1`, 'Host: localhost', 'Connection: close']
        client.send(...head, 'Content-Type: application/json', 'Content-Length: 2', '', '{}')
        const status = await client.status(10_000)
        expect(status, client.received).toBeGreaterThanOrEqual(400)
        expect(status, client.received).toBeLessThan(500)
        expect(client.received).not.toMatch(/set-cookie: a=b|called/i)
        client.destroy()
      }
      return 'refused'
    })
  }
})

describe('a modern client', () => {
  const LARGE = { elicitation: {}, x: 'y'.repeat(200_000) }
  const CAPABILITIES: [what: string, capabilities: object][] = [
    [
      'characters outside Latin-1',
      { elicitation: {}, experimental: { '☃\r\n': { a: '\u0000é' } } },
    ],
    ['200 KB', LARGE],
  ]
  for (const [what, capabilities] of CAPABILITIES) {
    attack(`capabilities with ${what}`, async () => {
      const params = { name: 'open', arguments: {} }
      const { status, text } = await ask(host.url, 'tools/call', params, { capabilities })
      expect(status, text).toBeLessThan(500)
      expect(text).not.toContain('-32603')
      return text.includes('called') ? 'the tool is called' : String(status)
    })
  }

  const pack = (value: unknown) => btoa(encodeURIComponent(JSON.stringify(value)))
  const CURSORS = [
    ...[
      '',
      'x',
      '%',
      '\u0000',
      pack(null),
      pack(['prompts', 1, 'strict']),
      pack(['tools', -1, 'x']),
    ],
    ...[pack(['tools', 0.5, 'x']), pack(['tools', '1', 'x']), pack({ __proto__: ['tools'] })],
  ]
  attack('cursors that were never given out', async () => {
    for (const cursor of CURSORS) {
      const { error, text } = await ask(host.url, 'tools/list', { cursor })
      expect(error?.code, `${cursor}: ${text}`).toBe(-32602)
    }
    return `${CURSORS.length} forms: -32602`
  })

  attack('a cursor far behind the end', async () => {
    const { result } = await ask(host.url, 'tools/list', { cursor: pack(['tools', 1e15, 'no']) })
    expect(result['tools']).toEqual([])
    return 'an empty page'
  })
})

describe('a component that writes markup into its description', () => {
  attack('markup in a title at /docs', async () => {
    const response = await fetch(`${host.url}/docs`)
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(await response.text()).not.toContain('onerror')
    return 'the page has no text of components'
  })

  attack('markup in a title at /openapi.json and /tools', async () => {
    for (const path of ['/openapi.json', '/tools']) {
      const response = await fetch(`${host.url}${path}`)
      expect(response.headers.get('content-type')).toContain('application/json')
      expect(await response.text()).toContain('onerror')
    }
    return 'sent as application/json'
  })
})
