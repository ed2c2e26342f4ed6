import { describe, expect, it } from 'vitest'
import {
  type Component,
  createWorld,
  foreign,
  several,
  text,
  tool,
} from '../../../testing/components.ts'
import { messagesOf, modern, type ModernOptions } from '../../../testing/modern.ts'

const SERVER = {
  'io.modelcontextprotocol/serverInfo': { name: 'ftl-mcp-gateway', version: '0.1.0' },
}
const world = (components: Record<string, Component>, variables = {}) =>
  createWorld({ components, variables })
const echo = { one: several([tool('echo'), tool('other')]) }

async function ask(
  w: ReturnType<typeof world>,
  method: string,
  params?: Record<string, unknown>,
  options?: ModernOptions,
) {
  const response = await w.send(modern(method, params, options))
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

describe('server/discover', () => {
  it('says which revisions are served and what there is', async () => {
    const { status, body } = await ask(world(echo, { catalog_ttl_ms: '7' }), 'server/discover')
    expect(status).toBe(200)
    expect(body).toEqual({
      jsonrpc: '2.0',
      result: {
        resultType: 'complete',
        supportedVersions: ['2026-07-28'],
        capabilities: { tools: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } },
        ttlMs: 7,
        cacheScope: 'public',
        _meta: SERVER,
      },
      id: 1,
    })
  })

  it('declares what some component offers, and nothing else', async () => {
    const offer = {
      prompts: [{ name: 'p' }],
      resourceTemplates: [{ name: 't', uriTemplate: 'a:{b}' }],
      completions: true,
      logging: true,
    }
    const { body } = await ask(world({ one: () => Response.json(offer) }), 'server/discover')
    expect(body).toMatchObject({
      result: {
        capabilities: { tools: {}, prompts: {}, resources: {}, completions: {}, logging: {} },
      },
    })
  })
})

describe('a list', () => {
  it('is whole, with how long it may be kept', async () => {
    const { body } = await ask(world(echo), 'tools/list')
    expect(body).toMatchObject({
      result: {
        resultType: 'complete',
        tools: [{ name: 'echo' }, { name: 'other' }],
        ttlMs: 0,
        cacheScope: 'public',
        _meta: SERVER,
      },
    })
  })

  it.each(['prompts/list', 'resources/list', 'resources/templates/list'])(
    '%s is no method where nothing offers it',
    async (method) => {
      const { status, body } = await ask(world(echo), method)
      expect(status).toBe(404)
      expect(body).toMatchObject({ error: { code: -32601 } })
    },
  )
})

describe('tools/call', () => {
  it('gives the result of the tool', async () => {
    const { status, body } = await ask(world(echo), 'tools/call', { name: 'echo' })
    expect(status).toBe(200)
    expect(body).toEqual({
      jsonrpc: '2.0',
      result: { resultType: 'complete', ...text('echo'), _meta: SERVER },
      id: 1,
    })
  })

  it('keeps the tool’s own _meta', async () => {
    const one = foreign(tool('a'), () => ({ ...text(''), _meta: { mine: 1 } }))
    const { body } = await ask(world({ one }), 'tools/call', { name: 'a' })
    expect(body).toMatchObject({ result: { _meta: { mine: 1, ...SERVER } } })
  })

  it('answers an unknown tool with -32602', async () => {
    const { status, body } = await ask(world(echo), 'tools/call', { name: 'none' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ error: { code: -32602, message: 'Unknown tool: none' } })
  })

  it('answers arguments that do not fit, and a tool that fails, with isError', async () => {
    const one = several([tool('a', { n: { type: 'number' } }), tool('b')], () =>
      Response.json({}, { status: 500 }),
    )
    const w = world({ one })
    const wrong = await ask(w, 'tools/call', { name: 'a', arguments: { n: 'x' } })
    expect(wrong.body).toMatchObject({
      result: { resultType: 'complete', isError: true, content: [{ type: 'text' }] },
    })
    expect(JSON.stringify(wrong.body)).toContain('n: must be number')
    const failed = await ask(w, 'tools/call', { name: 'b' })
    expect(failed.body).toMatchObject({ result: { isError: true } })
  })

  it('wants parameters repeated in headers where the schema says so', async () => {
    const schema = {
      region: { type: 'string', 'x-mcp-header': 'Region' },
      place: { type: 'object', properties: { zip: { type: 'integer', 'x-mcp-header': 'Zip' } } },
    }
    const w = world({ one: several([tool('a', schema)]) })
    const call = (args: object, headers: Record<string, string>) =>
      ask(w, 'tools/call', { name: 'a', arguments: args }, { headers })
    const good = await call(
      { region: 'Köln', place: { zip: 42 } },
      { 'mcp-param-region': '=?base64?S8O2bG4=?=', 'mcp-param-zip': '42.0' },
    )
    expect(good.body).toMatchObject({ result: text('a') })
    expect((await call({ region: null as never }, {})).status).toBe(200)
    for (const [args, headers] of [
      [{ region: 'x' }, {}],
      [{ region: 'x' }, { 'mcp-param-region': 'y' }],
      [{ place: { zip: 42 } }, { 'mcp-param-zip': '0x2a' }],
    ] as [object, Record<string, string>][]) {
      const { status, body } = await call(args, headers)
      expect(status).toBe(400)
      expect(body).toMatchObject({ error: { code: -32020 } })
    }
  })
})

describe('a tool that reports its progress', () => {
  const lines = [
    { type: 'status', progress: 1, total: 3, message: 'one' },
    { type: 'log', level: 'debug', data: 'quiet' },
    { type: 'log', level: 'error', data: { loud: true }, logger: 'l' },
    { type: 'status', progress: 1 },
    { type: 'status', message: 'still one' },
    { type: 'status', progress: 3, total: 3 },
    { type: 'result', result: text('done') },
  ]
  const body = lines.map((line) => JSON.stringify(line)).join('\n')
  const one = several(
    [tool('a')],
    () => new Response(body, { headers: { 'content-type': 'application/x-ndjson' } }),
  )
  const progress = { meta: { progressToken: 'p' } }

  it('is heard as events by a client that gave a token', async () => {
    const response = await world({ one }).send(modern('tools/call', { name: 'a' }, progress))
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(response.headers.get('x-accel-buffering')).toBe('no')
    const messages = await messagesOf(response)
    const { params: told } = messages[1] as { params: { progress: number } }
    expect(messages).toEqual([
      notification('progress', { progressToken: 'p', progress: 1, total: 3, message: 'one' }),
      notification('progress', {
        progressToken: 'p',
        progress: expect.any(Number) as number,
        message: 'still one',
      }),
      notification('progress', { progressToken: 'p', progress: 3, total: 3 }),
      expect.objectContaining({ id: 1, result: expect.objectContaining(text('done')) as object }),
    ])
    expect(told.progress).toBeGreaterThan(1)
  })

  it('logs where the request asks for it, from the level on', async () => {
    const options = { meta: { 'io.modelcontextprotocol/logLevel': 'warning' } }
    const messages = await messagesOf(
      await world({ one }).send(modern('tools/call', { name: 'a' }, options)),
    )
    expect(messages.map(({ method }) => method)).toEqual(['notifications/message', undefined])
    expect(messages[0]).toEqual(
      notification('message', { level: 'error', data: { loud: true }, logger: 'l' }),
    )
  })

  it.each([
    ['that gave no token', {}],
    ['that takes no events', { ...progress, headers: { accept: 'application/json' } }],
  ])('is waited for by a client %s', async (_who, options) => {
    const { body: answer } = await ask(world({ one }), 'tools/call', { name: 'a' }, options)
    expect(answer).toMatchObject({ result: text('done') })
  })
})

function notification(kind: string, params: object) {
  return { jsonrpc: '2.0', method: `notifications/${kind}`, params }
}
