import { describe, expect, it } from 'vitest'
import { call, createWorld, post, several, tool } from '../../testing/components.ts'

const world = createWorld({ components: { one: several([tool('a'), tool('b')]) } })
const request = (method: string, params: object = {}, id: unknown = 1) => ({
  jsonrpc: '2.0',
  method,
  params,
  id,
})
const initialize = (protocolVersion: unknown) => request('initialize', { protocolVersion })

describe('the endpoint', () => {
  it.each([
    ['725653563933458432', 'id'],
    ['1e400', 'id'],
    ['[{"a":-9007199254740993}]', 'id[0].a'],
  ])('refuses the argument %s, which it could not pass on, at %s', async (number, path) => {
    const params = `{"name":"a","arguments":{"id":${number}}}`
    const body = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":${params}}`
    for (const text of [body, `[${body}]`]) {
      const before = world.log.length
      const response = await world.send(post(text))
      const said = JSON.stringify(await response.json())
      expect(said).toContain('send it as a string')
      expect(said).toContain(path)
      expect(world.log.slice(before).filter((line) => line.startsWith('POST'))).toEqual([])
    }
    const modern = (await world.rpc(body, { 'mcp-protocol-version': '2025-11-25' })) as object
    expect(modern).toMatchObject({ id: 7, result: { isError: true } })
  })

  it.each(['GET', 'DELETE', 'PUT'])('refuses %s with 405', async (method) => {
    const response = await world.send(new Request('http://localhost:3000/mcp', { method }))
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('POST')
  })

  it('answers in JSON', async () => {
    const response = await world.send(post(request('ping')))
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(await response.text()).toBe('{"jsonrpc":"2.0","result":{},"id":1}')
  })

  it.each(['application/json; charset=utf-8', 'application/vnd.api+json'])(
    'takes the content type %j',
    async (type) => {
      const response = await world.send(post(request('ping'), { 'content-type': type }))
      expect(response.status).toBe(200)
    },
  )

  it.each([
    ['2025-11-25, 2025-11-25', { result: {} }],
    ['2025-11-25,2025-11-25', { result: {} }],
    ['2025-11-25, 2025-06-18', { error: {} }],
  ])('takes the protocol header %j, if it is the same one twice', async (header, answer) => {
    const headers = { 'mcp-protocol-version': header }
    expect(await world.rpc(request('ping'), headers)).toMatchObject(answer)
  })

  it.each(['text/plain', 'application/x-www-form-urlencoded', ''])(
    'refuses the content type %j with 415',
    async (type) => {
      const response = await world.send(post(request('ping'), { 'content-type': type }))
      expect(response.status).toBe(415)
      expect(await response.json()).toMatchObject({ error: { code: -32600 }, id: null })
    },
  )

  it('refuses JSON that nests too deep with 400', async () => {
    const deep = `{"jsonrpc":"2.0","id":1,"method":"ping","params":${'{"a":'.repeat(80)}1${'}'.repeat(81)}`
    const response = await world.send(post(deep))
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { code: -32600 }, id: null })
  })

  it('refuses more than 4 MiB with 413', async () => {
    const response = await world.send(post('x'.repeat(4 * 1024 * 1024 + 1)))
    expect(response.status).toBe(413)
  })

  it.each([
    ['notifications/initialized', { jsonrpc: '2.0', method: 'notifications/initialized' }],
    ['an unknown notification', { jsonrpc: '2.0', method: 'tools/call', params: {} }],
    ['a response', { jsonrpc: '2.0', id: 1, result: {} }],
  ])('takes %s with 202 and no body', async (_what, message) => {
    const response = await world.send(post(message))
    expect(response.status).toBe(202)
    expect(await response.text()).toBe('')
  })

  it.each([
    ['not JSON', '{', -32700, null],
    ['nothing', '', -32700, null],
    ['a number', '5', -32600, null],
    ['another version of JSON-RPC', '{"jsonrpc":"1.0","method":"ping","id":7}', -32600, 7],
    ['no method', '{"jsonrpc":"2.0","id":"x"}', -32600, 'x'],
    ['the id null', '{"jsonrpc":"2.0","method":"ping","id":null}', -32600, null],
    ['an object as id', '{"jsonrpc":"2.0","method":"ping","id":{}}', -32600, null],
    ['params in an array', '{"jsonrpc":"2.0","method":"ping","params":[1],"id":7}', -32602, 7],
  ])('refuses %s with 400', async (_what, body, code, id) => {
    const response = await world.send(post(body))
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error: { code }, id })
  })

  it.each([1, 0, -1, 'one', ''])('gives the id %j back as it came', async (id) => {
    expect(await world.rpc(request('ping', {}, id))).toEqual({ jsonrpc: '2.0', result: {}, id })
  })

  it.each(['tools/none', 'constructor', '__proto__', 'server/discover'])(
    'does not know the method %s',
    async (method) => {
      const response = await world.send(post(request(method)))
      expect(response.status).toBe(200)
      expect(await response.json()).toMatchObject({ error: { code: -32601 }, id: 1 })
    },
  )

  it.each([
    [{ arguments: {} }, 'name'],
    [{ name: 5 }, 'name'],
    [{ name: 'a', arguments: [] }, 'arguments'],
    [{ name: 'a', arguments: 'x' }, 'arguments'],
  ])('refuses a call with %j', async (params, field) => {
    const answer = await world.rpc(request('tools/call', params))
    expect(answer).toMatchObject({ error: { code: -32602 }, id: 1 })
    expect(JSON.stringify(answer)).toContain(`params.${field}`)
  })

  it('refuses a cursor it never gave out', async () => {
    expect(await world.rpc(request('tools/list', { cursor: 'x' }))).toMatchObject({
      error: { code: -32602 },
    })
  })
})

describe('the version', () => {
  it.each(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '0.1.0'])(
    '%s is echoed',
    async (version) => {
      expect(await world.rpc(initialize(version))).toMatchObject({
        result: { protocolVersion: version, capabilities: { tools: {} } },
      })
    },
  )

  it.each(['1999-01-01', '2026-07-28', ''])('%j is answered with the newest', async (version) => {
    expect(await world.rpc(initialize(version))).toMatchObject({
      result: { protocolVersion: '2025-11-25' },
    })
  })

  it('must be there', async () => {
    expect(await world.rpc(request('initialize'))).toMatchObject({ error: { code: -32602 } })
  })

  it('in the header must be a known one', async () => {
    const response = await world.send(
      post(request('ping'), { 'mcp-protocol-version': '1999-01-01' }),
    )
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { code: -32600 }, id: 1 })
  })

  it.each(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '0.1.0'])(
    '%s is taken in the header',
    async (version) => {
      const response = await world.send(post(request('ping'), { 'mcp-protocol-version': version }))
      expect(response.status).toBe(200)
    },
  )
})

describe('a batch', () => {
  const batch = [
    request('ping', {}, 'x'),
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', id: 9 },
    call('a', {}, 2),
    initialize('2025-03-26'),
  ]

  it.each([[{}], [{ 'mcp-protocol-version': '2025-03-26' }]])(
    'is answered message by message with %j',
    async (headers) => {
      expect(await world.rpc(batch, headers)).toMatchObject([
        { result: {}, id: 'x' },
        { error: { code: -32600 }, id: 9 },
        { result: { content: [{ text: 'a' }] }, id: 2 },
        { error: { code: -32600 }, id: 1 },
      ])
    },
  )

  it('of notifications only is taken with 202', async () => {
    const response = await world.send(post([{ jsonrpc: '2.0', method: 'notifications/x' }]))
    expect(response.status).toBe(202)
  })

  it.each([
    ['for another revision', batch, { 'mcp-protocol-version': '2025-06-18' }],
    ['when it is empty', [], undefined],
    ['of more than 50', Array.from({ length: 51 }, () => request('ping')), undefined],
    [
      'with a modern message',
      [request('ping', { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } })],
      undefined,
    ],
  ])('is refused %s', async (_why, messages, headers) => {
    const response = await world.send(post(messages, headers))
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { code: -32600 }, id: null })
  })
})
