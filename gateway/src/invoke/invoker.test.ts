import { describe, expect, it } from 'vitest'
import { call, createWorld, foreign, several, text, tool } from '../testing/components.ts'

const LIST = { jsonrpc: '2.0', method: 'tools/list', id: 1 }
const REVISION = { 'mcp-protocol-version': '2025-06-18' }
const message = { message: { type: 'string' } }

describe('a call of a known tool', () => {
  it('costs one internal request and reads six variables', async () => {
    const world = createWorld({
      components: { one: several([tool('a'), tool('b')]) },
      // As the manifest has it.
      variables: {
        call_settings: 'call_timeout_ms=30000; audit=; audit_arguments=false',
        trust_forwarded_user: 'false; policy=',
        policy: '',
      },
    })
    await world.rpc(LIST)
    world.log.length = world.reads.length = 0
    await world.rpc(call('a', {}))
    expect(world.log).toEqual(['POST http://one.spin.internal/a'])
    expect(world.reads.toSorted()).toEqual([
      'api_keys',
      'auth_issuers',
      'call_settings',
      'own_store',
      'tool_components',
      'trust_forwarded_user',
    ])
  })

  it('goes to the root of a component that is one tool, and by name to one of a list', async () => {
    const world = createWorld({
      components: { one: foreign(tool('a'), () => text('fine')), two: several([tool('b')]) },
    })
    await world.rpc(LIST)
    world.log.length = 0
    expect(await world.rpc(call('a', {}))).toMatchObject({ result: text('fine') })
    await world.rpc(call('b', {}))
    expect(world.log).toEqual(['POST http://one.spin.internal/', 'POST http://two.spin.internal/b'])
  })

  it('finds a tool at the root although it was published as a list of one', async () => {
    const component = foreign(tool('a'), () => text('fine'))
    const world = createWorld({
      components: {
        one: (request) =>
          request.method === 'GET' ? Response.json([tool('a')]) : component(request),
      },
    })
    expect(await world.rpc(call('a', {}))).toMatchObject({ result: text('fine') })
  })

  it('works on the first request of all, before any list', async () => {
    const world = createWorld({ components: { one: several([tool('a'), tool('b')]) } })
    expect(await world.rpc(call('b', {}))).toMatchObject({ result: text('b') })
  })

  it('takes missing arguments as none', async () => {
    const world = createWorld({ components: { one: several([tool('a'), tool('b')]) } })
    const request = { jsonrpc: '2.0', method: 'tools/call', params: { name: 'a' }, id: 1 }
    expect(await world.rpc(request)).toMatchObject({ result: text('a') })
  })

  it('passes on a result whose isError the tool has set, in both profiles', async () => {
    const failed = { content: [{ type: 'text', text: 'no such city' }], isError: true } as const
    const world = createWorld({
      components: { one: foreign(tool('a'), () => ({ ...failed, content: [...failed.content] })) },
    })
    expect(await world.rpc(call('a', {}))).toMatchObject({ result: failed })
    expect(await world.rpc(call('a', {}), REVISION)).toMatchObject({ result: failed })
  })

  it('passes on a tool result that came with status 400', async () => {
    const answer = () => Response.json(text('too large'), { status: 400 })
    const world = createWorld({ components: { one: foreign(tool('a'), answer) } })
    expect(await world.rpc(call('a', {}))).toMatchObject({
      result: { ...text('too large'), isError: true },
    })
  })
})

describe('headers', () => {
  it('of the contract are the gateway’s own; of the client’s only its key and trace are passed', async () => {
    let seen = new Headers()
    const spy = foreign(tool('a'), (_args, request) => {
      seen = request.headers
      return text('')
    })
    const world = createWorld({ components: { one: spy }, variables: { call_timeout_ms: '1234' } })
    await world.rpc(call('a', {}), {
      'ftl-principal': 'admin',
      'ftl-deadline': '1',
      'ftl-request-id': 'mine',
      'idempotency-key': 'once',
      prefer: 'wait=1',
      authorization: 'Bearer secret',
      cookie: 'secret',
      'spin-client-addr': '1.2.3.4',
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    })
    expect(Object.fromEntries(seen)).toEqual({
      'content-type': 'application/json',
      accept: 'application/json',
      'ftl-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      'ftl-deadline': '1234',
      prefer: 'respond-async',
      'idempotency-key': 'once',
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    })
  })

  it('carry the trace context of _meta, unless it could break the header', async () => {
    let seen = new Headers()
    const spy = foreign(tool('a'), (_args, request) => {
      seen = request.headers
      return text('')
    })
    const world = createWorld({ components: { one: spy } })
    const _meta = { traceparent: '00-ab-cd-01', tracestate: 'a\r\nx-evil: 1', baggage: 5 }
    const params = { name: 'a', arguments: {}, _meta }
    await world.rpc({ jsonrpc: '2.0', method: 'tools/call', params, id: 1 })
    expect(seen.get('traceparent')).toBe('00-ab-cd-01')
    expect(seen.has('tracestate') || seen.has('baggage') || seen.has('x-evil')).toBe(false)
  })
})

describe('a catalog that has grown old', () => {
  it('does not refuse arguments that fit the tool as it is now', async () => {
    const world = createWorld({
      components: { one: foreign(tool('a', message), () => text('old')) },
    })
    await world.rpc(LIST)
    world.components['one'] = foreign(tool('a', { message: { type: 'number' } }), () => text('new'))
    expect(await world.rpc(call('a', { message: 5 }))).toMatchObject({ result: text('new') })
  })

  it('does not refuse a tool that was added', async () => {
    const world = createWorld({ components: { one: several([tool('a')]) } })
    await world.rpc(LIST)
    world.components['one'] = several([tool('a'), tool('b')])
    expect(await world.rpc(call('b', {}))).toMatchObject({ result: text('b') })
  })

  it('does not refuse the only tool of a component that got a second one', async () => {
    const world = createWorld({ components: { one: foreign(tool('a'), () => text('a')) } })
    await world.rpc(LIST)
    world.components['one'] = several([tool('a'), tool('b')])
    expect(await world.rpc(call('a', {}))).toMatchObject({ result: text('a') })
  })

  it('is looked up again only once', async () => {
    const world = createWorld({ components: { one: foreign(tool('a', message), () => text('')) } })
    await world.rpc(LIST)
    world.log.length = 0
    await world.rpc(call('a', { message: 5 }))
    expect(world.log).toEqual(['GET http://one.spin.internal/'])
  })

  it('gives a tool that is gone the answer for an unknown one', async () => {
    const world = createWorld({ components: { one: several([tool('a'), tool('b')]) } })
    await world.rpc(LIST)
    world.components['one'] = several([tool('b'), tool('c')])
    expect(await world.rpc(call('a', {}))).toMatchObject({
      error: { code: -32001, data: { tool: 'a' } },
    })
  })
})

describe('a client that names its revision', () => {
  it('gets -32602 for an unknown tool', async () => {
    const world = createWorld({ components: { one: several([tool('a')]) } })
    expect(await world.rpc(call('nope', {}), REVISION)).toMatchObject({
      error: { code: -32602, message: 'Unknown tool: nope' },
    })
  })

  it('gets a result with isError for arguments that do not fit', async () => {
    const world = createWorld({ components: { one: foreign(tool('a', message), () => text('')) } })
    expect(await world.rpc(call('a', { message: 5 }), REVISION)).toEqual({
      jsonrpc: '2.0',
      result: {
        content: [
          { type: 'text', text: 'Invalid arguments for the tool a:\nmessage: must be string' },
        ],
        isError: true,
      },
      id: 1,
    })
  })

  it('gets a result with isError for a tool that fails', async () => {
    const crash = () => new Response('secret', { status: 500 })
    const world = createWorld({ components: { one: foreign(tool('a'), crash) } })
    const answer = await world.rpc(call('a', {}), REVISION)
    expect(answer).toMatchObject({ result: { isError: true, content: [{ type: 'text' }] } })
    expect(JSON.stringify(answer)).not.toContain('secret')
  })
})

describe('a schema that cannot be used', () => {
  it('is a clear error of the tool', async () => {
    const bad = { name: 'a', inputSchema: { type: 'object', $schema: 'urn:mine' } }
    const world = createWorld({ components: { one: foreign(bad, () => text('')) } })
    expect(await world.rpc(call('a', {}))).toMatchObject({
      error: {
        code: -32002,
        data: { tool: 'a', reason: expect.stringContaining('urn:mine') as string },
      },
    })
  })
})

describe('a tool with an outputSchema', () => {
  const outputSchema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }
  const giving = (result: object) =>
    createWorld({
      components: {
        one: foreign({ ...tool('a'), outputSchema }, () => ({ content: [], ...result })),
      },
    })

  it('may give what it promised, and fail in words of its own', async () => {
    const good = { structuredContent: { n: 1 } }
    expect(await giving(good).rpc(call('a', {}))).toMatchObject({ result: good })
    const bad = { content: [{ type: 'text', text: 'no' }], isError: true }
    expect(await giving(bad).rpc(call('a', {}))).toMatchObject({ result: bad })
  })

  it.each([
    [{ structuredContent: { n: 'x' } }, 'structuredContent.n must be number'],
    [{ structuredContent: {} }, 'structuredContent.n is required'],
    [{}, 'structuredContent is missing'],
  ])('fails when it gives %j', async (result, rule) => {
    const reason = `The tool's result does not match its outputSchema: ${rule}.`
    expect(await giving(result).rpc(call('a', {}))).toMatchObject({
      error: { code: -32002, data: { tool: 'a', reason } },
    })
    expect(await giving(result).rpc(call('a', {}), REVISION)).toMatchObject({
      result: { isError: true, content: [{ type: 'text', text: reason }] },
    })
  })

  describe('of a server behind a component that relays', () => {
    const relaying = (result: object) =>
      createWorld({
        components: {
          one: (request) =>
            Response.json(
              request.method === 'GET'
                ? { tools: [{ ...tool('a'), outputSchema }], relays: true }
                : result,
            ),
        },
      })
    const said = { type: 'text', text: 'sent' }

    it.each([
      [{ structuredContent: { n: 'x' } }, 'structuredContent.n must be number'],
      [{}, 'structuredContent is missing'],
    ])('keeps what it says when it gives %j, because it has run', async (given, rule) => {
      const world = relaying({ ...given, content: [said] })
      const note = { type: 'text', text: expect.stringContaining(rule) as string }
      const plain = (await world.rpc(call('a', {}))) as { result: object }
      expect(plain.result).toEqual({ content: [said, note] })
      expect(JSON.stringify(plain)).toContain('do not repeat it')
      // Clients that know the outputSchema throw for a result without the structured part.
      expect(await world.rpc(call('a', {}), REVISION)).toMatchObject({
        result: { isError: true, content: [said, note] },
      })
    })

    it('may fail in words of its own, whatever the shape', async () => {
      const bad = { content: [said], isError: true }
      const answer = await relaying({ ...bad, structuredContent: { n: 'x' } }).rpc(call('a', {}))
      expect((answer as { result: object }).result).toEqual(bad)
    })
  })

  it('is believed when only the schema that was known is old', async () => {
    const world = giving({ structuredContent: { n: 'x' } })
    await world.rpc(LIST)
    const now = { ...tool('a'), outputSchema: { type: 'object' } }
    world.components['one'] = foreign(now, () => ({
      content: [],
      structuredContent: { n: 'x' },
    }))
    world.log.length = 0
    expect(await world.rpc(call('a', {}))).toMatchObject({ result: {} })
    expect(world.log.filter((line) => line.startsWith('POST'))).toHaveLength(1)
  })
})
