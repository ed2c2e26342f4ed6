// Lines of the log of a server, for callers that want them.
import { memoryPlatform } from 'ftl-platform/memory'
import { toComponent } from 'ftl-sdk/serve'
import { describe, expect, it, vi } from 'vitest'
import { tools } from './main.ts'

const SERVER = 'http://127.0.0.1:1/mcp'

interface Sent {
  method: string
  params?: { level?: string; _meta?: Record<string, unknown> }
}

interface World {
  /** A server of 2025-11-25 with sessions. */
  old?: boolean
  logging?: boolean
  /** Its answer to `logging/setLevel`. @default it takes it */
  refusal?: (id: number) => Response | Promise<Response>
}

function world({ old = false, logging = true, refusal }: World = {}) {
  const sent: Sent[] = []
  const capabilities = { tools: {}, ...(logging && { logging: {} }) }
  const component = toComponent({ tools }, 'remote')
  const platform = memoryPlatform({
    variables: { remote_servers: JSON.stringify({ one: { url: SERVER } }) },
    async fetch(input, init) {
      const message = JSON.parse(await new Request(input, init).text()) as Sent & { id?: number }
      const { id, method } = message
      sent.push(message)
      if (id === undefined) return new Response(null, { status: 202 })
      if (method === 'logging/setLevel' && refusal) return refusal(id)
      if (method === 'tools/call') {
        const log = (params: object) => ({
          jsonrpc: '2.0',
          method: 'notifications/message',
          params,
        })
        const lines = [
          log({ level: 'info', data: { rows: 5 }, logger: 'rows' }),
          log({ level: 'debug', data: 'too little' }),
          log({ level: 'notice', data: null, logger: `${'n'.repeat(255)}😀` }),
          log({ level: 'loud', data: 'no level' }),
          log({ level: 'error' }),
          log({ level: 'error', data: 'half is missing', logger: 7 }),
          { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'done' }] } },
        ]
        const text = lines.map((line) => `data: ${JSON.stringify(line)}\n\n`).join('')
        return new Response(text, { headers: { 'content-type': 'text/event-stream' } })
      }
      const results: Record<string, object | undefined> = {
        'server/discover': old ? undefined : { supportedVersions: ['2026-07-28'], capabilities },
        initialize: { protocolVersion: '2025-11-25', capabilities },
        'tools/list': { tools: [{ name: 'count', inputSchema: { type: 'object' } }] },
        'logging/setLevel': {},
      }
      const result = results[method]
      const answer = result ? { result } : { error: { code: -32601, message: 'no such method' } }
      const headers = method === 'initialize' ? { 'mcp-session-id': 'a-session' } : undefined
      return Response.json({ jsonrpc: '2.0', id, ...answer }, headers && { headers })
    },
  })
  const ask = async (path: string, init: RequestInit = {}) => {
    const headers = {
      'content-type': 'application/json',
      'spin-client-addr': '0.0.0.0:0',
      ...(init.headers as Record<string, string>),
    }
    const request = new Request(`http://remote.spin.internal${path}`, { ...init, headers })
    const response = await component.fetch(request, platform)
    const text = await response.text()
    await platform.settled()
    return text
  }
  const call = async (level?: string) => {
    const headers = {
      accept: 'application/json, application/x-ndjson',
      ...(level !== undefined && { 'ftl-log-level': level }),
    }
    const text = await ask('/count', { method: 'POST', body: '{}', headers })
    return text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
  }
  return { sent, ask, call }
}

const WANTED = [
  { type: 'log', level: 'info', data: { rows: 5 }, logger: 'rows' },
  // Half a character is one that JSON parsers of other languages refuse.
  { type: 'log', level: 'notice', data: null, logger: `${'n'.repeat(255)}\ufffd` },
  { type: 'log', level: 'error', data: 'half is missing' },
]
const logsOf = (lines: Record<string, unknown>[]) => lines.filter(({ type }) => type === 'log')

describe.each([
  ['2026-07-28', false],
  ['2025-11-25', true],
])('the log of a server of %s', (_, old) => {
  it('reaches a caller that wants it, from its level on, and no other caller', async () => {
    const { call } = world({ old })
    expect(logsOf(await call('info'))).toEqual(WANTED)
    const others = await call()
    expect(logsOf(others)).toEqual([])
    expect(others.at(-1)).toMatchObject({ type: 'result' })
  })

  it('is announced', async () => {
    expect(JSON.parse(await world({ old }).ask('/'))).toMatchObject({ logging: true })
    const without = JSON.parse(await world({ old, logging: false }).ask('/')) as object
    expect(without).not.toHaveProperty('logging')
  })
})

it('is requested with each call of 2026-07-28', async () => {
  const { call, sent } = world()
  await call('warning')
  await call()
  const levels = sent
    .filter(({ method }) => method === 'tools/call')
    .map(({ params }) => params?._meta?.['io.modelcontextprotocol/logLevel'])
  expect(levels).toEqual(['warning', undefined])
})

it('is requested for a session of an older revision, each less severe level once', async () => {
  const { call, sent } = world({ old: true })
  const wanted = [undefined, 'warning', 'warning', undefined, 'error', 'info', 'warning'] as const
  const lines = []
  for (const level of wanted) lines.push(logsOf(await call(level)).length)
  const levels = sent.filter(({ method }) => method === 'logging/setLevel')
  expect(levels.map(({ params }) => params?.level)).toEqual(['warning', 'info'])
  expect(lines).toEqual([0, 1, 1, 0, 1, 3, 1])
})

const rpc = (id: number, code: number, status: number) =>
  Response.json({ jsonrpc: '2.0', id, error: { code, message: 'no such method' } }, { status })

describe('costs no call of a server that does not take the level', () => {
  it.each<[string, World['refusal']]>([
    ['with an error', (id) => rpc(id, -32601, 200)],
    ['with an error and the status 400', (id) => rpc(id, -32601, 400)],
    ['with an error and the status 404', (id) => rpc(id, -32601, 404)],
    ['with a status', () => new Response('no', { status: 405 })],
    ['with a fault of its own', () => new Response('no', { status: 500 })],
    ['with something else', () => Response.json({ level: 'set' })],
    ['with a broken connection', () => Promise.reject(new TypeError('closed'))],
  ])('%s', async (_, refusal) => {
    const { call, sent } = world({ old: true, ...(refusal && { refusal }) })
    for (let calls = 0; calls < 2; calls++) {
      expect((await call('info')).at(-1)).toMatchObject({ type: 'result' })
    }
    expect(sent.filter(({ method }) => method === 'logging/setLevel')).toHaveLength(1)
    expect(sent.filter(({ method }) => method === 'initialize')).toHaveLength(1)
  })

  it('without an answer', async () => {
    vi.useFakeTimers()
    try {
      const { call, sent } = world({ old: true, refusal: () => new Promise(() => undefined) })
      const lines = call('info')
      await vi.waitFor(() => expect(sent.at(-1)?.method).toBe('logging/setLevel'))
      await vi.advanceTimersByTimeAsync(5_000)
      await expect(lines).resolves.toContainEqual(expect.objectContaining({ type: 'result' }))
    } finally {
      vi.useRealTimers()
    }
  })
})
