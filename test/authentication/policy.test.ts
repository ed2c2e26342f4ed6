// The policy on the real host: what a caller may not use is neither called nor named, at any face of the application.
import { createHash, randomBytes } from 'node:crypto'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AuthenticatedApplication, startAuthenticated } from './application.ts'
import { MemoryProvider } from './memory-provider.ts'

const newKey = () => `ftl_${randomBytes(32).toString('base64url')}`
const ADMIN = newKey()
const LIMITED = newKey()
const SILENT = newKey()

const entry = (key: string, principal: string) => ({
  sha256: createHash('sha256').update(key).digest('hex'),
  principal,
  scopes: ['tools'],
})

const POLICY = {
  rules: [
    { name: 'the operator', effect: 'allow', principals: ['key:admin'] },
    { name: 'only echo', effect: 'allow', principals: ['key:limited'], components: ['echo'] },
    { effect: 'allow', principals: ['key:limited'], actions: ['chat'] },
    { effect: 'allow', principals: ['*#ada'], components: ['echo'] },
    { effect: 'allow', principals: ['*#ada'], tools: ['calculator'], scopes: ['tools', 'math'] },
  ],
}

let app: AuthenticatedApplication
/** The names of all that the caller with the key LIMITED must not learn of. */
let hidden: RegExp

beforeAll(async () => {
  app = await startAuthenticated({
    variables: {
      policy: JSON.stringify(POLICY),
      api_keys: JSON.stringify([
        entry(ADMIN, 'admin'),
        entry(LIMITED, 'limited'),
        entry(SILENT, 'silent'),
      ]),
    },
  })
  const read = async (path: string) => (await send(path, ADMIN)).json() as Promise<Lists>
  const { tools = [] } = await read('/tools')
  const { components = [] } = await read('/health/components')
  const others = [
    ...tools.map(({ name }) => name),
    ...components.map(({ component }) => component),
  ].filter((name) => !['echo', 'get_job', 'cancel_job'].includes(name))
  expect(others).toEqual(expect.arrayContaining(['calculator', 'generate_image', 'workflows']))
  hidden = new RegExp(others.join('|'))
})
afterAll(() => app.close())

interface Lists {
  tools?: { name: string }[]
  components?: { component: string }[]
}

function send(path: string, token: string, body?: unknown, headers = {}): Promise<Response> {
  return fetch(app.url + path, {
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, ...headers },
  })
}

const rpc = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params })
const REVISION = 'io.modelcontextprotocol/protocolVersion'
const modern = (method: string, params: object = {}) => {
  const _meta = { [REVISION]: '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} }
  return rpc(method, { ...params, _meta })
}
const headersOf = (method: string, name?: string) => ({
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': method,
  ...(name !== undefined && { 'mcp-name': name }),
})

/** Everything that a client can ask without naming a tool. */
const LISTS: [face: string, path: string, body?: unknown, headers?: object][] = [
  ...['tools', 'prompts', 'resources', 'resources/templates'].flatMap((kind): typeof LISTS => [
    [`${kind}/list`, '/mcp', rpc(`${kind}/list`)],
    [`${kind}/list of 2026`, '/mcp', modern(`${kind}/list`), headersOf(`${kind}/list`)],
  ]),
  ['initialize', '/mcp', rpc('initialize', { protocolVersion: '2025-11-25' })],
  ['server/discover', '/mcp', modern('server/discover'), headersOf('server/discover')],
  ...['native', 'mcp', 'openai', 'chat'].map((form): (typeof LISTS)[number] => [
    `the list in the form ${form}`,
    `/tools?format=${form}`,
  ]),
  ['/openapi.json', '/openapi.json'],
  ['/health/components', '/health/components'],
  ['/docs', '/docs'],
  ['/whoami', '/whoami'],
]

describe('a caller with some rights', () => {
  it.each(LISTS)('learns of nothing else by %s', async (_, path, body, headers) => {
    const response = await send(path, LIMITED, body, headers)
    const text = await response.text()
    expect(`${JSON.stringify([...response.headers])} ${text}`).not.toMatch(hidden)
    const all = await (await send(path, ADMIN, body, headers)).text()
    // Otherwise the test could not fail.
    if (/^tools|^the list|openapi|components/.test(_)) expect(all).toMatch(hidden)
  })

  it.each([
    ['MCP', '/mcp', (name: string) => rpc('tools/call', { name })],
    ['MCP of one component', '/mcp/x/calculator', (name: string) => rpc('tools/call', { name })],
    ['/invoke', '/invoke', (name: string) => ({ tool: name, params: {} })],
    ['OpenAI', '/invoke', (name: string) => [{ id: '1', function: { name } }]],
  ])(
    '[tools.access-control] cannot call anything else by %s, nor see that it exists',
    async (_, path, body) => {
      const answer = async (name: string) => {
        const at = path.replace('calculator', name)
        const response = await send(at, LIMITED, body(name))
        const text = (await response.text()).replaceAll(name, '(it)')
        return [response.status, text.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '(id)')]
      }
      expect(await answer('calculator')).toEqual(await answer('kalkulator'))
      expect(
        (await send('/invoke', LIMITED, { tool: 'echo', params: { message: 'x' } })).status,
      ).toBe(200)
    },
  )

  it('of a modern call, too', async () => {
    const call = async (name: string, token: string) => {
      const body = modern('tools/call', { name, arguments: { expression: '6*7' } })
      const text = await (await send('/mcp', token, body, headersOf('tools/call', name))).text()
      return text.replaceAll(name, '(it)')
    }
    expect(await call('calculator', LIMITED)).toBe(await call('kalkulator', LIMITED))
    expect(await call('calculator', ADMIN)).toContain('42')
  })

  it('gets nothing of a job of another caller, by any address', async () => {
    const call = rpc('tools/call', { name: 'generate_image', arguments: { prompt: 'a lake' } })
    const started = (await (await send('/mcp', ADMIN, call)).json()) as {
      params: { stream_id: string }
    }
    const id = started.params.stream_id
    expect((await send(`/jobs/${id}`, ADMIN)).status).toBe(200)
    for (const path of [`/jobs/${id}`, `/jobs/${id}/events`, `/outputs/${id}.png`]) {
      const response = await send(path, LIMITED)
      expect(response.status).toBe(404)
      expect(await response.text()).not.toMatch(hidden)
    }
    for (const name of ['get_job', 'cancel_job']) {
      const body = rpc('tools/call', { name, arguments: { job_id: id } })
      expect(await (await send('/mcp', LIMITED, body)).text()).not.toMatch(hidden)
    }
    expect((await send(`/jobs/${id}`, ADMIN)).status).toBe(200)
  })

  it('chats with a model that gets only the permitted tools, and cannot call another', async () => {
    const before = app.model.requests.length
    const text = await (await send('/api/chat', LIMITED, { message: 'What is 6*7?' })).text()
    const tools = app.model.requests
      .slice(before)
      .map(({ body }) => body.tools?.map((tool) => tool.function.name))
    expect(tools[0]).toEqual(['echo'])
    expect(text).not.toMatch(/"calculator"/)
  })
})

describe('a caller without any right', () => {
  it.each(LISTS)('learns of nothing by %s', async (_, path, body, headers) => {
    const text = await (await send(path, SILENT, body, headers)).text()
    expect(text).not.toMatch(hidden)
    if (path !== '/docs') expect(text).not.toContain('echo')
  })

  it('cannot chat', async () => {
    for (const body of [undefined, { message: 'What is 6*7?' }]) {
      const response = await send('/api/chat', SILENT, body)
      expect(response.status).toBe(403)
      expect(await response.text()).not.toMatch(/demo/)
    }
  })
})

it('an official client gets the scope that a call needs, and repeats the call', async () => {
  const provider = new MemoryProvider()
  const transport = () =>
    new StreamableHTTPClientTransport(new URL(app.resource), { authProvider: provider })
  const connect = async (link = transport()) => {
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(link)
    return client
  }
  const first = transport()
  await expect(connect(first)).rejects.toThrow(UnauthorizedError)
  await first.finishAuth(
    (await app.issuer.signIn(provider.address())).searchParams.get('code') ?? '',
  )

  const wanted = { name: 'calculator', arguments: { expression: '6*7' } }
  const second = transport()
  const client = await connect(second)
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['echo'])
  provider.forgetClient()
  await expect(client.callTool(wanted)).rejects.toThrow(UnauthorizedError)
  expect(provider.address().searchParams.get('scope')).toBe('tools math')
  await second.finishAuth(
    (await app.issuer.signIn(provider.address())).searchParams.get('code') ?? '',
  )

  const stepped = await connect()
  expect((await stepped.listTools()).tools.map(({ name }) => name)).toContain('calculator')
  expect((await stepped.callTool(wanted)).content).toEqual([{ type: 'text', text: '42' }])
  await Promise.all([client.close(), stepped.close()])
})
