// Servers that are slow, odd or forget their sessions, on a host that the test controls.
import type { ToolContext } from 'ftl-sdk'
import { beforeEach, describe, expect, it } from 'vitest'
import { callRemote } from './call.ts'
import { offerOf, openRemotes, targetOf } from './catalog.ts'

interface Message {
  id?: number
  method: string
}

type Answer = Response | Promise<Response>
type Server = (message: Message, request: Request) => Answer

const TOOL = { name: 'say', inputSchema: { type: 'object' } }
const RESULTS: Record<string, object> = {
  initialize: { protocolVersion: '2025-06-18', capabilities: {} },
  'tools/list': { tools: [TOOL] },
  'tools/call': { content: [{ type: 'text', text: 'said' }] },
}

const answer = (id: unknown, result: object, headers = {}) =>
  Response.json({ jsonrpc: '2.0', id, result }, { headers })
const rpcError = (id: unknown, code: number, message: string, status = 200) =>
  Response.json({ jsonrpc: '2.0', id, error: { code, message } }, { status })

/** Answers as a server of 2025-06-18 does. */
const usual: Server = ({ id, method }) => {
  if (id === undefined) return new Response(null, { status: 202 })
  const result = RESULTS[method]
  return result ? answer(id, result) : rpcError(id, -32601, 'Method not found')
}

let now: number
let asked: string[]
let background: Promise<unknown>[]
let entries: Map<string, Uint8Array>

beforeEach(() => {
  now = 1_000_000
  asked = []
  background = []
  entries = new Map()
})

function contextOf(server: Server, more: object, deadline: number): ToolContext {
  const used = {
    openKeyValue: async () => ({
      get: async (key: string) => entries.get(key),
      set: async (key: string, value: string) =>
        void entries.set(key, new TextEncoder().encode(value)),
    }),
    variables: { get: () => JSON.stringify({ s: { url: 'http://s.example/mcp', ...more } }) },
    now: () => now,
    async fetch(input: string, init: RequestInit) {
      const request = new Request(input, init)
      const message = JSON.parse(init.body as string) as Message
      asked.push(message.method)
      return server(message, request)
    },
    waitUntil: (work: Promise<unknown>) => void background.push(work),
  }
  return {
    platform: used,
    component: 'remote',
    deadline,
    clientCapabilities: {},
    listens: false,
  } as unknown as ToolContext
}

async function offer(server: Server, more: object = {}, deadline = 60_000) {
  const { tools, problems = [] } = await offerOf(
    await openRemotes(contextOf(server, more, deadline)),
  )
  return { names: tools.map(({ name }) => name), tools, problems }
}

async function call(server: Server, args: Record<string, unknown> = {}): Promise<unknown> {
  const remotes = await openRemotes(contextOf(server, {}, 60_000))
  const found = await targetOf(remotes, 'say')
  if (!found) throw new Error('there is no such tool')
  const running = callRemote(remotes, found.server, found.target, args)
  for (;;) {
    const next = await running.next()
    if (next.done) return next.value
  }
}

describe('a slow server', () => {
  it('is asked on after the answer, and listed by itself when it has answered', async () => {
    let release = (): void => undefined
    const released = new Promise<void>((resolve) => (release = resolve))
    const slow: Server = async (message, request) => {
      await released
      return usual(message, request)
    }
    const first = await offer(slow, {}, 410)
    expect(first.names).toEqual([])
    expect(first.problems).toEqual(['server "s": gave no answer within 10 ms, and is still asked'])
    // Meanwhile it is not asked again.
    expect((await offer(slow, {}, 410)).problems).toHaveLength(1)
    expect(asked).toEqual(['server/discover'])
    release()
    await Promise.all(background)
    expect(await offer(slow, {}, 410)).toMatchObject({ names: ['say'], problems: [] })
  })

  it('keeps its last list until then', async () => {
    expect((await offer(usual)).names).toEqual(['say'])
    now += 120_000
    const { names, problems } = await offer(() => new Promise<Response>(() => undefined), {}, 410)
    expect(names).toEqual(['say'])
    expect(problems[0]).toMatch(/still asked; its list of .* is shown/)
  })
})

describe('a server that refuses server/discover', () => {
  const html = new Headers({ 'content-type': 'text/html' })
  it.each<[string, () => Answer]>([
    ['with 500', () => new Response('', { status: 500 })],
    ['with 401', () => new Response('', { status: 401 })],
    ['with 403', () => new Response('', { status: 403 })],
    ['with a page', () => new Response('<p>', { headers: html })],
    ['with an empty answer', () => new Response('')],
    ['by closing the connection', () => Promise.reject(new Error('reset'))],
    ['with silence', () => new Promise<Response>(() => undefined)],
  ])('%s is of an older revision', async (_, refuse) => {
    const odd: Server = (message, request) =>
      message.method === 'server/discover' ? refuse() : usual(message, request)
    expect(await offer(odd, { timeoutMs: 600 })).toMatchObject({ names: ['say'], problems: [] })
  })

  it('is not asked if the configuration names its revision', async () => {
    expect((await offer(usual, { protocol: '2025-03-26' })).names).toEqual(['say'])
    expect(asked).not.toContain('server/discover')
    expect((await offer(usual, { protocol: '2026-07-28' })).names).toEqual(['say'])
    expect(asked.slice(-1)).toEqual(['tools/list'])
  })
})

describe('a session that the server has lost', () => {
  let session = 0
  const forgetting =
    (refuse: (id: unknown) => Response): Server =>
    (message, request) => {
      const { id, method } = message
      if (method === 'initialize') {
        return answer(id, RESULTS['initialize'] ?? {}, { 'mcp-session-id': `s${++session}` })
      }
      const sent = request.headers.get('mcp-session-id')
      if (id === undefined || sent === null || sent === `s${session}`)
        return usual(message, request)
      return refuse(id)
    }
  const LOST: [string, (id: unknown) => Response][] = [
    ['500', () => new Response('', { status: 500 })],
    ['401', () => new Response('', { status: 401 })],
    ['410', () => new Response('', { status: 410 })],
    ['200 and an error', (id) => rpcError(id, -32600, 'Session not found')],
  ]

  it.each(LOST)('with %s is opened again for a list', async (_, refuse) => {
    const server = forgetting(refuse)
    await offer(server)
    session++
    now += 120_000
    expect(await offer(server)).toMatchObject({ names: ['say'], problems: [] })
  })

  it.each(LOST)('with %s is opened again for a call', async (status, refuse) => {
    const server = forgetting(refuse)
    await call(server)
    session++
    now += 20_000
    // After a 500 the call may have run: only the next one gets a new session.
    if (status === '500') await expect(call(server)).rejects.toThrow('answered with status 500')
    expect(await call(server)).toMatchObject({ content: [{ text: 'said' }] })
  })

  it('is not opened again and again', async () => {
    const server: Server = forgetting(() => new Response('', { status: 401 }))
    await call(server)
    session++
    const before = asked.length
    await expect(call(server)).rejects.toThrow('refused access')
    expect(asked.slice(before)).toEqual(['tools/call'])
  })
})

describe('an answer', () => {
  const answering =
    (make: (id: number) => Response): Server =>
    (message, request) =>
      message.method === 'tools/call' ? make(message.id ?? 0) : usual(message, request)

  it('may have the id as text, after events of other kinds', async () => {
    const message = (id: unknown) =>
      JSON.stringify({ jsonrpc: '2.0', id, result: RESULTS['tools/call'] })
    const server = answering((id) => {
      const text = `event: ping\ndata: {"type":"ping"}\n\ndata: ${message(String(id))}\n\n`
      return new Response(text, { headers: { 'content-type': 'text/event-stream' } })
    })
    expect(await call(server)).toMatchObject({ content: [{ text: 'said' }] })
  })

  it('loses a structured part with a number that would be another one', async () => {
    const server = answering((id) => {
      const text = '"content":[{"type":"text","text":"725653563933458432"}]'
      const body = `{"jsonrpc":"2.0","id":${id},"result":{${text},"structuredContent":{"id":725653563933458432}}}`
      return new Response(body, { headers: { 'content-type': 'application/json' } })
    })
    const result = (await call(server)) as { content: object[] }
    expect(result.content[0]).toEqual({ type: 'text', text: '725653563933458432' })
    expect(result.content).toHaveLength(2)
    expect(result).not.toHaveProperty('structuredContent')
  })

  it('has an id that fits a signed integer of 32 bits', async () => {
    const ids: number[] = []
    const server = answering((id) => {
      ids.push(id)
      return answer(id, RESULTS['tools/call'] ?? {})
    })
    for (let calls = 0; calls < 50; calls++) await call(server)
    expect(Math.max(...ids)).toBeLessThan(2 ** 31)
  })

  it('may lead to another path of the same origin, and to no other origin', async () => {
    const reached: string[] = []
    const redirecting =
      (location: string): Server =>
      (message, request) => {
        reached.push(request.url)
        if (request.url.endsWith('/mcp'))
          return new Response(null, { status: 307, headers: { location } })
        return usual(message, request)
      }
    expect((await offer(redirecting('/mcp/'))).names).toEqual(['say'])
    now += 120_000
    const { problems } = await offer(redirecting('http://t.example/other'), { timeoutMs: 1000 })
    expect(problems[0]).toContain('answered with status 307')
    expect(reached.filter((url) => url.includes('t.example'))).toEqual([])
  })
})

it('a schema of which a part cannot be checked is published without that part, and reported', async () => {
  const properties = { a: { type: 'str', pattern: '(?P<x>a)\\Z' }, b: { $ref: '#/$defs/none' } }
  const outputSchema = {
    type: 'object',
    properties: { at: { type: 'string', format: 'date-time' } },
  }
  const odd = { ...TOOL, inputSchema: { type: 'object', properties }, outputSchema }
  const server: Server = (message, request) =>
    message.method === 'tools/list' ? answer(message.id, { tools: [odd] }) : usual(message, request)
  const { tools, problems } = await offer(server)
  expect(tools[0]).toMatchObject({
    inputSchema: { properties: { a: { type: 'string', pattern: '(a)$' }, b: {} } },
    outputSchema: { properties: { at: { type: 'string' } } },
  })
  expect(tools[0]?.outputSchema).toEqual({ type: 'object', properties: { at: { type: 'string' } } })
  expect(problems).toEqual([
    'server "s": its tool "say": part of its inputSchema cannot be checked, and arguments pass unchecked there: $ref "#/$defs/none" leads nowhere',
  ])
})

// Anthropic and OpenAI refuse a request with such a tool, and all others with it.
it('a schema that providers of models refuse is published in another form, and the server gets what it knows', async () => {
  const properties = { 'DateCreated<': { type: 'string' }, page: {} }
  const oneOf = [{ required: ['DateCreated<'] }, { required: ['page'] }]
  const tool = { ...TOOL, description: 'Says.', inputSchema: { type: 'object', properties, oneOf } }
  let sent: unknown
  const server: Server = (message, request) => {
    if (message.method === 'tools/list') return answer(message.id, { tools: [tool] })
    if (message.method === 'tools/call') {
      sent = (message as unknown as { params: object }).params
    }
    return usual(message, request)
  }
  const { tools, problems } = await offer(server)
  expect(problems).toEqual([])
  expect(tools[0]).toMatchObject({
    description: 'Says.\n\nArguments: exactly one of (DateCreated_lt), (page).',
    inputSchema: {
      type: 'object',
      properties: { DateCreated_lt: { description: '"DateCreated<" of the server.' }, page: {} },
    },
  })
  expect(Object.keys(tools[0]?.inputSchema ?? {})).toEqual(['type', 'properties'])
  await call(server, { DateCreated_lt: '2026-01-01' })
  expect(sent).toMatchObject({ name: 'say', arguments: { 'DateCreated<': '2026-01-01' } })
})
