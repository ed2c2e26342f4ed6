import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Rule } from '../policy/policy.ts'
import { authenticatedWorld, BOTH } from '../testing/authenticated.ts'
import {
  call,
  type Component,
  createWorld,
  several,
  text,
  tool,
  type WorldOptions,
} from '../testing/components.ts'
import { guardedWorld } from '../testing/guarded.ts'
import { API_KEY } from '../testing/issuer.ts'
import { JOB_ID, jobComponent, record, store } from '../testing/job-component.ts'
import { messagesOf, modern } from '../testing/modern.ts'
import { request } from '../testing/rest.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const TRACEPARENT = `00-${TRACE}-b7ad6b7169203331-01`
const message = { type: 'string' }

let printed: string[]

beforeEach(() => {
  printed = []
  vi.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(line))
})

afterEach(() => vi.restoreAllMocks())

const entries = () => printed.map((line) => JSON.parse(line) as Record<string, unknown>)

function world(options: WorldOptions = {}) {
  const { variables, components } = options
  return createWorld({
    ...options,
    components: {
      one: several(
        [tool('a', { message, key: { ...message, writeOnly: true } }), tool('bad')],
        (name) => (name === 'bad' ? { ...text('no'), isError: true } : text(name)),
      ),
      ...components,
    },
    variables: { call_settings: 'audit=on', ...variables },
  })
}

describe('every face of the gateway writes one line for each call', () => {
  const ARGUMENTS = { message: 'hi', key: 's3cret' }
  const openAi = {
    id: 'x',
    type: 'function',
    function: { name: 'a', arguments: JSON.stringify(ARGUMENTS) },
  }

  it.each<[string, string, Request]>([
    ['MCP 2026-07-28', 'mcp', modern('tools/call', { name: 'a', arguments: ARGUMENTS })],
    [
      'MCP of older revisions',
      'mcp',
      request('/mcp', {
        body: call('a', ARGUMENTS),
        headers: { 'mcp-protocol-version': '2025-06-18' },
      }),
    ],
    ['plain JSON-RPC', 'mcp', request('/mcp', { body: call('a', ARGUMENTS) })],
    ['a batch', 'mcp', request('/mcp', { body: [call('a', ARGUMENTS)] })],
    ['plain HTTP', 'http', request('/invoke', { body: { tool: 'a', params: ARGUMENTS } })],
    ['the form of OpenAI', 'http', request('/invoke', { body: openAi })],
    ['a list of OpenAI', 'http', request('/invoke', { body: [openAi] })],
  ])('%s', async (_, face, sent) => {
    const response = await world().send(sent)
    await response.text()
    expect(entries()).toEqual([
      expect.objectContaining({
        audit: 1,
        event: 'call',
        face,
        tool: 'a',
        component: 'one',
        outcome: 'ok',
      }),
    ])
    expect(printed[0]).not.toContain('s3cret')
  })

  it('with the same digest of the same arguments', async () => {
    const one = world()
    await one.rpc(call('a', { message: 'hi', key: 'k' }))
    await one.rpc(call('a', { key: 'k', message: 'hi' }))
    await one.rpc(call('a', { message: 'hi', key: 'other' }))
    const [first, second, third] = entries().map((entry) => entry['arguments'])
    expect(second).toEqual(first)
    expect(third).not.toEqual(first)
  })

  it('and nothing where the log is off', async () => {
    const off = world({ variables: { call_settings: 'audit=off' } })
    await off.rpc(call('a', {}))
    expect(printed).toEqual([])
  })
})

describe('the line of a call', () => {
  it('says who called, by which client, request and trace, and how long it took', async () => {
    const one = authenticatedWorld({ ...BOTH, call_settings: 'audit=on' })
    const sent = modern(
      'tools/call',
      { name: 'a', arguments: {} },
      {
        meta: { traceparent: TRACEPARENT },
        headers: { authorization: `Bearer ${API_KEY}`, 'user-agent': 'node', 'x-request-id': 'r1' },
      },
    )
    expect((await one.send(sent)).status).toBe(200)
    const [line] = entries()
    expect(line).toMatchObject({
      request: 'r1',
      trace: TRACE,
      principal: 'key:ci',
      client: { name: 'test', version: '1', agent: 'node' },
    })
    expect(line?.['ms']).toBeGreaterThanOrEqual(0)
    expect(Date.parse(String(line?.['time']))).toBeGreaterThan(0)
  })

  it.each<[string, object, object]>([
    ['an error of the tool', call('bad', {}), { outcome: 'tool_error' }],
    ['an unknown tool', call('nope', {}), { outcome: 'refused', reason: 'There is no such tool.' }],
    [
      'invalid arguments',
      call('a', { message: 7 }),
      { outcome: 'refused', reason: expect.stringContaining('message') as string },
    ],
  ])('names %s', async (_, sent, expected) => {
    await world().rpc(sent)
    expect(entries()).toEqual([expect.objectContaining(expected)])
  })

  it('does not quote an argument that is not valid', async () => {
    await world().rpc(call('a', { message: { s3cret: 1 } }))
    expect(printed.join()).not.toContain('s3cret')
  })

  it('names a component that takes too long', async () => {
    const hangs: Component = (request) =>
      request.method === 'GET' ? Response.json([tool('slow')]) : new Promise<never>(() => undefined)
    const one = world({ components: { two: hangs }, variables: { call_timeout_ms: '50' } })
    await one.rpc(call('slow', {}))
    expect(entries()).toEqual([expect.objectContaining({ tool: 'slow', outcome: 'timeout' })])
  })

  it('has arguments only if that is wanted, without secrets', async () => {
    const one = world({ variables: { call_settings: 'audit=on; audit_arguments=true' } })
    await one.rpc(call('a', { message: 'hi', key: 's3cret' }))
    expect(entries()[0]?.['arguments']).toMatchObject({
      values: { message: 'hi', key: '[redacted]' },
    })
  })

  it('has no arguments of a tool that is not known', async () => {
    const one = world({ variables: { call_settings: 'audit=on; audit_arguments=true' } })
    await one.rpc(call('nope', { password: 's3cret' }))
    expect(printed.join()).not.toContain('s3cret')
  })

  it('cannot be split by the name of a tool', async () => {
    await world().rpc(call('x\n{"audit":1,"principal":"root"}', {}))
    expect(printed).toHaveLength(1)
    expect(printed[0]).not.toContain('\n')
    expect(entries()[0]).not.toHaveProperty('principal')
  })
})

describe('jobs', () => {
  const started = () => {
    const { component } = jobComponent({ status: 'completed', result: text('done') })
    const offers = { tools: [tool('generate_image')], jobs: true }
    const images: Component = (request) =>
      new URL(request.url).pathname === '/' && request.method === 'GET'
        ? Response.json(offers)
        : component(request)
    return world({ components: { images } })
  }

  it('have a line when a call starts one, with its id', async () => {
    const one = started()
    const sent = request('/invoke', {
      body: { tool: 'generate_image', params: { prompt: 'x' } },
      headers: { prefer: 'respond-async' },
    })
    expect((await one.send(sent)).status).toBe(202)
    expect(entries()).toEqual([
      expect.objectContaining({ tool: 'generate_image', outcome: 'job', job: JOB_ID }),
    ])
  })

  it('have a line for each job tool, and for each read by HTTP', async () => {
    const one = started()
    await store(one.platform, record())
    // So that the job tools exist.
    await one.rpc({ jsonrpc: '2.0', method: 'tools/list', id: 1 })
    printed.length = 0
    await one.rpc(call('get_job', { job_id: JOB_ID }))
    await one.send(request(`/jobs/${JOB_ID}`))
    await one.send(request(`/jobs/${JOB_ID}`, { method: 'DELETE' }))
    await one.send(request('/jobs/00000000-0000-4000-8000-000000000000'))
    await one.send(request(`/outputs/${JOB_ID}.png`))
    expect(
      entries().map(({ event, tool, action, target, outcome }) => [
        event,
        tool ?? action,
        target,
        outcome,
      ]),
    ).toEqual([
      ['call', 'get_job', undefined, 'ok'],
      ['decision', 'GET /jobs', JOB_ID, 'ok'],
      ['job', 'generate_image', undefined, 'cancelled'],
      ['decision', 'DELETE /jobs', JOB_ID, 'ok'],
      ['decision', 'GET /jobs', '00000000-0000-4000-8000-000000000000', 'not_found'],
      ['decision', 'GET /outputs', `${JOB_ID}.png`, 'ok'],
    ])
  })

  it('have a line for each request about a task', async () => {
    const one = started()
    await store(one.platform, record())
    const follows = (taskId: string) => ({
      capabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} } },
      headers: { 'mcp-name': taskId },
    })
    await one.send(modern('tasks/get', { taskId: JOB_ID }, follows(JOB_ID)))
    await one.send(modern('tasks/cancel', { taskId: 'nope' }, follows('nope')))
    expect(entries()).toEqual([
      expect.objectContaining({ action: 'tasks/get', target: JOB_ID, outcome: 'ok' }),
      expect.objectContaining({ action: 'tasks/cancel', target: 'nope', outcome: 'refused' }),
    ])
  })
})

it('a call whose client leaves during its stream is cancelled', async () => {
  const line = (value: object) => `${JSON.stringify(value)}\n`
  const streams = several([tool('long')], () => {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(
          new TextEncoder().encode(line({ type: 'status', progress: 1, message: 'Begun' })),
        )
      },
    })
    return new Response(body, { headers: { 'content-type': 'application/x-ndjson' } })
  })
  const one = world({ components: { two: streams } })
  const response = await one.send(
    modern('tools/call', { name: 'long', arguments: {} }, { meta: { progressToken: 1 } }),
  )
  const reader = response.body?.getReader()
  await reader?.read()
  await reader?.cancel()
  await vi.waitFor(() =>
    expect(entries()).toEqual([expect.objectContaining({ tool: 'long', outcome: 'cancelled' })]),
  )
})

it('a streamed call has its line when it ends', async () => {
  const streams = several([tool('long')], () => {
    const lines = [
      { type: 'status', progress: 1 },
      { type: 'result', result: text('done') },
    ]
    const body = lines.map((value) => `${JSON.stringify(value)}\n`).join('')
    return new Response(body, { headers: { 'content-type': 'application/x-ndjson' } })
  })
  const one = world({ components: { two: streams } })
  const response = await one.send(
    modern('tools/call', { name: 'long', arguments: {} }, { meta: { progressToken: 1 } }),
  )
  expect(await messagesOf(response)).not.toHaveLength(0)
  expect(entries()).toEqual([expect.objectContaining({ tool: 'long', outcome: 'ok' })])
})

describe('a request without a caller', () => {
  const audited = { ...BOTH, call_settings: 'audit=on' }

  it.each<[string, Record<string, string>, string]>([
    ['no credentials', {}, 'No credentials'],
    [
      'a key that is not known',
      { authorization: `Bearer ftl_${'x'.repeat(43)}` },
      'The API key is not known',
    ],
    ['a token that is not valid', { authorization: 'Bearer aaaa.bbbb.cccc' }, 'The token'],
  ])(
    'with %s has a line with the reason, and without the credential',
    async (_, headers, reason) => {
      const one = authenticatedWorld(audited)
      const response = await one.send(request('/mcp', { body: call('a', {}), headers }))
      expect(response.status).toBe(401)
      expect(entries()).toEqual([
        expect.objectContaining({
          event: 'authentication',
          outcome: 'unauthenticated',
          reason: expect.stringContaining(reason) as string,
          status: 401,
        }),
      ])
      const sent = headers['authorization']?.slice('Bearer '.length)
      if (sent !== undefined) expect(printed.join()).not.toContain(sent)
    },
  )
})

describe('what the gateway reports to its host', () => {
  it('is the caller of a request with a credential', async () => {
    const one = authenticatedWorld()
    const response = await one.get('/tools', API_KEY)
    expect(response.headers.get('ftl-authenticated')).toBe('key:ci')
    expect((await one.get('/tools', 'wrong')).headers.get('ftl-authenticated')).toBeNull()
  })

  it('is how many calls a list has', async () => {
    const response = await world().send(
      request('/mcp', { body: [call('a', {}, 1), call('a', {}, 2)] }),
    )
    expect(response.headers.get('ftl-calls')).toBe('2')
  })
})

describe('with a policy', () => {
  const rules: Rule[] = [
    { effect: 'deny', tools: ['open_tool'] },
    { effect: 'allow', components: ['open'] },
  ]
  const headers = { authorization: `Bearer ${API_KEY}` }
  const guarded = () => guardedWorld(rules, { call_settings: 'audit=on' })

  it.each([
    ['a tool that a rule denies', call('open_tool', {}), 'open_tool', 'denied', 1],
    ['a tool that no rule allows', call('vault_tool', {}), 'vault_tool', 'denied', undefined],
    ['a tool that a rule allows', call('open_job', {}), 'open_job', 'job', 2],
    ['a tool that does not exist', call('nope', {}), 'nope', 'refused', undefined],
  ])('%s has a line with the rule', async (_, body, name, outcome, rule) => {
    await (await guarded().send(request('/mcp', { body, headers }))).text()
    expect(entries()).toEqual([expect.objectContaining({ tool: name, outcome })])
    expect(entries()[0]?.['rule']).toBe(rule)
  })

  it('a resource and a prompt that are denied have a line, with the reason', async () => {
    const one = guarded()
    await one.send(modern('resources/read', { uri: 'vault://plan' }, { headers }))
    await one.send(modern('prompts/get', { name: 'open_prompt' }, { headers }))
    expect(entries()).toEqual([
      expect.objectContaining({
        action: 'resources/read',
        target: 'vault://plan',
        outcome: 'denied',
        reason: 'no rule permits it',
      }),
      expect.objectContaining({ action: 'prompts/get', outcome: 'ok', rule: 2 }),
    ])
  })

  it('a call that needs more scopes is denied', async () => {
    const one = guardedWorld([{ effect: 'allow', scopes: ['admin'], components: ['open'] }], {
      call_settings: 'audit=on',
    })
    const response = await one.send(request('/mcp', { body: call('open_tool', {}), headers }))
    expect(response.status).toBe(403)
    expect(entries()).toEqual([
      expect.objectContaining({ tool: 'open_tool', component: 'open', outcome: 'denied' }),
    ])
  })

  it('that is missing, every request of a caller is denied', async () => {
    const one = authenticatedWorld({ ...BOTH, policy: '', call_settings: 'audit=on' })
    await one.send(request('/mcp', { body: call('a', {}), headers }))
    expect(entries()).toEqual([
      expect.objectContaining({ principal: 'key:ci', outcome: 'denied', status: 403 }),
    ])
  })
})
