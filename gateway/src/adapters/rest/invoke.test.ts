import { describe, expect, it } from 'vitest'
import { createWorld, foreign, several, text, tool } from '../../testing/components.ts'
import { send } from '../../testing/rest.ts'

// The arguments of the reference's three examples.
const ARGUMENTS = {
  positive_prompt: 'portrait photo, cinematic lighting',
  negative_prompt: 'blurry, watermark',
  seed: 123456,
}

const FORMS: Record<string, object> = {
  native: { tool: 'example', params: ARGUMENTS },
  mcp: { name: 'example', arguments: ARGUMENTS },
  openai: {
    type: 'function',
    function: {
      name: 'example',
      arguments:
        '{"positive_prompt":"portrait photo, cinematic lighting","negative_prompt":"blurry, watermark","seed":123456}',
    },
  },
  'a whole JSON-RPC message': {
    jsonrpc: '2.0',
    method: 'tools/call',
    params: { name: 'example', arguments: ARGUMENTS },
  },
}

const schema = {
  name: 'example',
  inputSchema: {
    type: 'object',
    properties: { seed: { type: 'integer' }, positive_prompt: { type: 'string' } },
    required: ['positive_prompt'],
  },
}

/** Answers with what it was given. */
const echoing = () =>
  createWorld({ components: { example: foreign(schema, (args) => text(JSON.stringify(args))) } })

const answering = (result: object) =>
  createWorld({ components: { example: foreign(schema, () => Response.json(result)) } })

describe('POST /invoke', () => {
  it.each(Object.entries(FORMS))('takes the form %s', async (_, body) => {
    const seen = await send(echoing(), '/invoke', { body })
    expect(seen.status).toBe(200)
    const [{ text: said }] = seen.body.content as [{ text: string }]
    expect(JSON.parse(said)).toEqual(ARGUMENTS)
  })

  it('asks the component once', async () => {
    const world = echoing()
    await send(world, '/tools')
    world.log.length = 0
    await send(world, '/invoke', { body: FORMS['native'] })
    expect(world.log).toEqual(['POST http://example.spin.internal/'])
  })

  it('gives resultUrl and workflow where the result has them', async () => {
    const workflow = { '6': { class_type: 'CLIPTextEncode' } }
    const structuredContent = { resultUrl: 'https://comfy.example/view?a', workflow }
    const { body } = await send(answering({ content: [], structuredContent }), '/invoke', {
      body: FORMS['native'],
    })
    expect(body).toEqual({ content: [], structuredContent, ...structuredContent })
  })

  it('makes addresses of files absolute', async () => {
    const uri = '/outputs/d1eed89c-d2ff-427e-b5d2-cd004a668935.png'
    const { body } = await send(
      answering({ content: [], structuredContent: { resultUrl: uri } }),
      '/invoke',
      { body: FORMS['native'] },
    )
    expect(body.resultUrl).toBe(`http://localhost:3000${uri}`)
  })

  it('gives a tool’s own error as its result', async () => {
    const result = { content: [{ type: 'text', text: 'not on a Sunday' }], isError: true }
    const { status, body } = await send(answering(result), '/invoke', { body: FORMS['native'] })
    expect({ status, body }).toEqual({ status: 200, body: result })
  })

  it.each([
    [{ kind: 'queue_full', retryAfterSeconds: 7 }, '7'],
    [{ kind: 'queue_full' }, '10'],
  ])('is 429 when the tool says %j', async (_meta, after) => {
    const result = { content: [{ type: 'text', text: 'Too many.' }], isError: true, _meta }
    const { status, headers, body } = await send(answering(result), '/invoke', {
      body: FORMS['native'],
    })
    expect(status).toBe(429)
    expect(headers.get('retry-after')).toBe(after)
    expect(body.error).toMatchObject({
      code: 'queue_full',
      message: 'Too many.',
      tool: 'example',
      retryAfterSeconds: Number(after),
    })
  })

  it('gives an id back', async () => {
    const body = { ...FORMS['openai'], id: 'call_1' }
    expect((await send(echoing(), '/invoke', { body })).body.tool_call_id).toBe('call_1')
  })

  it.each(['', '{}', ' ', undefined])('takes no arguments as %j', async (none) => {
    const world = createWorld({
      components: { bare: foreign(tool('bare'), (args) => text(JSON.stringify(args))) },
    })
    const body = { type: 'function', function: { name: 'bare', arguments: none } }
    const seen = await send(world, '/invoke', { body })
    expect(seen.body).toEqual(text('{}'))
  })

  it('keeps names that an object has of its own', async () => {
    const body =
      '{"tool":"example","params":{"positive_prompt":"p","__proto__":{"seed":"x"},"constructor":1}}'
    const seen = await send(echoing(), '/invoke', { body })
    expect(seen.status).toBe(200)
    expect((seen.body.content as [{ text: string }])[0].text).toBe(
      '{"positive_prompt":"p","__proto__":{"seed":"x"},"constructor":1}',
    )
  })
})

describe('POST /tools/{name}', () => {
  it('takes the arguments as they are', async () => {
    const { status, body } = await send(echoing(), '/tools/example', { body: ARGUMENTS })
    expect(status).toBe(200)
    expect(JSON.parse((body.content as [{ text: string }])[0].text)).toEqual(ARGUMENTS)
  })

  it('takes no body as no arguments', async () => {
    const world = createWorld({ components: { bare: foreign(tool('bare'), () => text('done')) } })
    const { body } = await send(world, '/tools/bare', { method: 'POST' })
    expect(body).toEqual(text('done'))
  })
})

describe('a list of calls', () => {
  const called = (id: string, name: string, args: unknown = {}) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  })
  const tools = [tool('one'), tool('two'), tool('strict', { n: { type: 'number' } }, ['n'])]
  const world = () => createWorld({ components: { all: several(tools) } })

  it.each([
    ['an array', (calls: object[]) => calls],
    ['tool_calls', (tool_calls: object[]) => ({ role: 'assistant', tool_calls })],
  ])('as %s is answered by tool messages in its order', async (_, wrap) => {
    const body = wrap([called('b', 'two'), called('a', 'one')])
    const seen = await send(world(), '/invoke', { body })
    expect(seen.status).toBe(200)
    expect(seen.body).toEqual([
      { role: 'tool', tool_call_id: 'b', content: 'two' },
      { role: 'tool', tool_call_id: 'a', content: 'one' },
    ])
  })

  it('gives what fails only its own message', async () => {
    const calls = [
      called('1', 'nothing'),
      called('2', 'one'),
      called('3', 'strict', { n: 'x' }),
      { id: '4', type: 'function', function: { name: 'one', arguments: '{"a":' } },
      { id: '5', type: 'custom', custom: {} },
    ]
    const { body } = await send(world(), '/invoke', { body: calls })
    const codes = (body as unknown as { content: string }[]).map(({ content }) =>
      content.startsWith('{')
        ? (JSON.parse(content) as { error: { code: string } }).error.code
        : content,
    )
    expect(codes).toEqual([
      'tool_not_found',
      'one',
      'invalid_arguments',
      'invalid_json',
      'invalid_request',
    ])
  })

  it('runs side by side', async () => {
    let waiting = 0
    let release = () => {}
    const both = new Promise<void>((resolve) => (release = resolve))
    const slow = several([tool('slow')])
    const components = {
      slow: async (request: Request) => {
        if (request.method === 'POST' && ++waiting === 2) release()
        if (request.method === 'POST') await both
        return slow(request)
      },
    }
    const body = [called('1', 'slow'), called('2', 'slow')]
    const seen = await send(createWorld({ components }), '/invoke', { body })
    expect(seen.body).toMatchObject([{ content: 'slow' }, { content: 'slow' }])
  })

  it.each([
    [
      { content: [text('a').content[0], { type: 'image', data: 'AA==', mimeType: 'image/png' }] },
      'a\n[image image/png]',
    ],
    [
      { content: [{ type: 'resource_link', uri: 'https://x.example/y', name: 'y' }] },
      'https://x.example/y',
    ],
    [{ content: [{ type: 'resource', resource: { uri: 'a:b', text: 'inside' } }] }, 'inside'],
    [{ content: [{ type: 'custom/chart', data: [1] }] }, '{"type":"custom/chart","data":[1]}'],
    [{ content: [], structuredContent: { n: 1 } }, '{"n":1}'],
  ])('says %j in text', async (result, content) => {
    const { body } = await send(answering(result), '/invoke', {
      body: [called('1', 'example', { positive_prompt: 'p' })],
    })
    expect(body).toEqual([{ role: 'tool', tool_call_id: '1', content }])
  })
})
