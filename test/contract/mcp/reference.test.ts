// The API reference, test/fixtures/seeds/api-reference.md, for clients that name no revision.
import { describe, expect, it } from 'vitest'
import { useApplication } from './application.ts'
import { ask, send } from './client.ts'

const application = useApplication()

const plain = (method: string, params?: Record<string, unknown>) =>
  ask(application.url, method, params, { revision: null })
const call = (name: string, args: object = {}) => plain('tools/call', { name, arguments: args })

describe('a plain client', () => {
  it('[reference.initialize] agrees on 0.1.0', async () => {
    const clientInfo = { name: 'example-client', version: '1.0.0' }
    const params = { protocolVersion: '0.1.0', capabilities: { tools: {} }, clientInfo }
    const { status, result } = await plain('initialize', params)
    expect(status).toBe(200)
    expect(result).toMatchObject({
      protocolVersion: '0.1.0',
      capabilities: { tools: {} },
      serverInfo: { name: application.name },
    })
  })

  it('[reference.list] lists tools without params and without a handshake', async () => {
    const message = { jsonrpc: '2.0', method: 'tools/list', id: 2 }
    const { status, result, messages } = await send(application.url, message)
    expect([status, messages[0]?.id]).toEqual([200, 2])
    const { _meta, ...repeat } =
      (result['tools'] as Record<string, unknown>[]).find(({ name }) => name === 'repeat') ?? {}
    expect(Object.keys(_meta ?? {})).toEqual(_meta === undefined ? [] : ['ftl/reach'])
    expect(repeat).toEqual({
      name: 'repeat',
      description: 'Says what it is told',
      inputSchema: {
        type: 'object',
        properties: { text: { type: 'string' } },
        required: ['text'],
        additionalProperties: false,
      },
    })
  })

  it('[reference.call] gets the content of a tool and nothing else', async () => {
    const { messages } = await call('repeat', { text: 'hello' })
    expect(messages).toEqual([
      { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: 'hello' }] } },
    ])
  })

  it.each([
    ['{"jsonrpc": "2.0", "method"', -32700, 'Parse error'],
    ['{"hello":"world"}', -32600, 'Invalid request'],
    ['{"jsonrpc":"2.0","method":"no/such","id":1}', -32601, 'Method not found'],
    [
      '{"jsonrpc":"2.0","method":"tools/call","params":{"arguments":{}},"id":1}',
      -32602,
      'Invalid params',
    ],
  ])('[reference.standard-errors] is told of %s', async (body, code, message) => {
    expect((await send(application.url, body)).error).toMatchObject({ code, message })
  })

  it('[reference.tool-not-found] is told that a tool is not there', async () => {
    expect((await call('unknown-tool')).error).toEqual({
      code: -32001,
      message: 'Tool not found',
      data: { tool: 'unknown-tool' },
    })
  })

  it('[reference.tool-error] is told that a tool failed', async () => {
    const { error, text } = await call('crashes')
    expect(error).toMatchObject({ code: -32002, message: 'Tool error', data: { tool: 'crashes' } })
    expect(text).not.toContain('secret')
  })

  it('[reference.invalid-arguments] is told that arguments do not fit', async () => {
    const { error, text } = await call('repeat', { text: 5 })
    expect(error).toMatchObject({
      code: -32602,
      message: 'Invalid params',
      data: { tool: 'repeat', code: -32003 },
    })
    expect(text).toContain('"text"')
  })
})
