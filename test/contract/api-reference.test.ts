// Every request of the API reference, typed as it stands, on real components.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApplication, type TestApplication } from '../support/application.ts'
import { callTool, post, rpc } from '../support/rpc.ts'

let application: TestApplication
beforeAll(async () => (application = await startApplication()))
afterAll(() => application.close())

/** The answer, and the status it came with. */
async function send(body: unknown): Promise<{ status: number; answer: unknown }> {
  const response = await post(application.url, body)
  return { status: response.status, answer: await response.json() }
}

describe('the API reference', () => {
  it('initialize', async () => {
    const { status, answer } = await send({
      jsonrpc: '2.0',
      method: 'initialize',
      params: {
        protocolVersion: '0.1.0',
        capabilities: { tools: {} },
        clientInfo: { name: 'example-client', version: '1.0.0' },
      },
      id: 1,
    })
    expect(status).toBe(200)
    expect(answer).toEqual({
      jsonrpc: '2.0',
      result: {
        protocolVersion: '0.1.0',
        capabilities: { tools: {} },
        serverInfo: { name: 'ftl-mcp-gateway', version: '0.1.0' },
      },
      id: 1,
    })
  })

  it('tools/list', async () => {
    const { answer } = await send({ jsonrpc: '2.0', method: 'tools/list', id: 2 })
    expect(answer).toMatchObject({ jsonrpc: '2.0', id: 2 })
    const { tools } = (answer as { result: { tools: { _meta?: unknown }[] } }).result
    // Beside what the reference has, the gateway says what each tool may reach.
    expect(tools.map(({ _meta, ...tool }) => tool)).toContainEqual({
      name: 'weather',
      description: 'Get weather information for a location',
      inputSchema: {
        type: 'object',
        properties: { location: { type: 'string', description: 'City name or coordinates' } },
        required: ['location'],
      },
    })
  })

  it('tools/call', async () => {
    const { answer } = await send({
      jsonrpc: '2.0',
      method: 'tools/call',
      params: { name: 'weather', arguments: { location: 'San Francisco' } },
      id: 3,
    })
    expect(answer).toEqual({
      jsonrpc: '2.0',
      result: {
        content: [{ type: 'text', text: 'Current weather in San Francisco: 68°F, partly cloudy' }],
      },
      id: 3,
    })
  })

  it('the error format', async () => {
    const { answer } = await send({
      jsonrpc: '2.0',
      method: 'tools/call',
      params: { name: 'unknown-tool', arguments: {} },
      id: 4,
    })
    expect(answer).toEqual({
      jsonrpc: '2.0',
      error: { code: -32001, message: 'Tool not found', data: { tool: 'unknown-tool' } },
      id: 4,
    })
  })

  it.each([
    ['{"jsonrpc": "2.0", "method"', -32700],
    ['{"hello":"world"}', -32600],
    ['{"jsonrpc":"2.0","method":"no/such","id":1}', -32601],
    ['{"jsonrpc":"2.0","method":"tools/call","params":{"arguments":{}},"id":1}', -32602],
  ])('the standard error of %s', async (body, code) => {
    const { answer } = await send(body)
    expect(answer).toMatchObject({ jsonrpc: '2.0', error: { code } })
  })

  it('a tool that fails', async () => {
    const { error } = await callTool(application.url, 'fails')
    expect(error).toMatchObject({ code: -32002, data: { tool: 'fails' } })
    expect(JSON.stringify(error)).not.toContain('secret')
  })

  it('arguments that do not fit the schema', async () => {
    const { error } = await callTool(application.url, 'weather', { location: 5 })
    expect(error).toMatchObject({ code: -32602, data: { tool: 'weather', code: -32003 } })
    expect(JSON.stringify(error)).toContain('location')
  })

  it('the TypeScript SDK example, unchanged', async () => {
    const answer = await rpc(application.url, 'tools/call', {
      name: 'example',
      arguments: { message: 'Hello' },
    })
    expect(answer.result).toEqual({ content: [{ type: 'text', text: 'You said: Hello' }] })
  })
})

describe('the content types', () => {
  it.each([
    ['image', { type: 'image', data: 'AAEC/f7/', mimeType: 'image/png' }],
    ['audio', { type: 'audio', data: 'AAEC/f7/', mimeType: 'audio/wav' }],
    [
      'resource',
      {
        type: 'resource',
        resource: { uri: 'file:///a.txt', text: 'Resource content', mimeType: 'text/plain' },
      },
    ],
    ['link', { type: 'resource_link', uri: 'https://example.com/a', name: 'a' }],
    ['chart', { type: 'custom/chart', data: [1, 2], metadata: { chartType: 'bar' } }],
  ])('%s', async (tool, content) => {
    const { result } = await callTool(application.url, tool)
    expect(result).toEqual({ content: [content] })
  })

  it('structured content beside its text', async () => {
    const { result } = await callTool(application.url, 'plain', { level: 'low' })
    expect(result).toEqual({
      content: [{ type: 'text', text: '{"level":"low"}' }],
      structuredContent: { level: 'low' },
    })
  })

  it('a failure the model should read', async () => {
    const { result } = await callTool(application.url, 'refuses')
    expect(result).toEqual({ content: [{ type: 'text', text: 'not on a Sunday' }], isError: true })
  })
})

describe('schemas of every kind are checked', () => {
  it.each([
    ['zod3', { count: 0 }, 'count'],
    ['zod3', { count: 1.5 }, 'count'],
    ['plain', { level: 'middle' }, 'level'],
    ['plain', { level: 'low', more: 1 }, 'more'],
    ['example', {}, 'message'],
  ])('%s refuses %j', async (tool, args, named) => {
    const { error } = await callTool(application.url, tool, args)
    expect(error).toMatchObject({ code: -32602, data: { tool, code: -32003 } })
    expect(JSON.stringify(error?.data)).toContain(named)
  })

  it('and what fits is taken', async () => {
    const { result } = await callTool(application.url, 'zod3', { count: 2, tags: ['a', 'b'] })
    expect(result).toEqual({ content: [{ type: 'text', text: '2 a+b' }] })
  })
})
