import { describe, expect, it } from 'vitest'
import { type Component, createWorld } from '../testing/components.ts'
import { modern } from '../testing/modern.ts'

const OFFER = {
  prompts: [
    { name: 'greet', arguments: [{ name: 'who', required: true }, { name: 'how' }] },
    { name: 'broken' },
  ],
  resources: [
    { name: 'Note', uri: 'note://1' },
    { name: 'Broken', uri: 'broken://1' },
  ],
  resourceTemplates: [{ name: 'Notes', uriTemplate: 'note://{id}/text' }],
  completions: true,
}

const message = (text: string) => ({ role: 'user', content: { type: 'text', text } })

const component: Component = async (request) => {
  const { pathname, searchParams } = new URL(request.url)
  if (pathname === '/') return Response.json(OFFER)
  if (pathname === '/resources') {
    const uri = searchParams.get('uri') ?? ''
    if (uri === 'broken://1') return Response.json({ contents: [] })
    if (uri === 'note://gone/text') return new Response(null, { status: 404 })
    return Response.json({
      contents: [{ uri, text: `text of ${uri}` }],
      ttlMs: 5,
      cacheScope: 'public',
    })
  }
  const body = (await request.json()) as Record<string, unknown>
  if (pathname === '/prompts/greet')
    return Response.json({ messages: [message(String(body['who']))] })
  if (pathname === '/complete') {
    const values = Array.from(
      { length: 150 },
      (_, index) => `${JSON.stringify(body['ref'])} ${index}`,
    )
    return Response.json({ completion: { values } })
  }
  return new Response('secret', { status: 500 })
}

const world = () => createWorld({ components: { one: component } })
const rpc = (method: string, params: object, w = world()) =>
  w.rpc({ jsonrpc: '2.0', method, params, id: 1 })
const ask = async (method: string, params: Record<string, unknown>) =>
  (await (await world().send(modern(method, params))).json()) as unknown

describe('a prompt', () => {
  it('is made by its component', async () => {
    const params = { name: 'greet', arguments: { who: 'Ada' } }
    expect(await rpc('prompts/get', params)).toMatchObject({
      result: { messages: [message('Ada')] },
    })
    expect(await ask('prompts/get', params)).toMatchObject({
      result: { resultType: 'complete', messages: [message('Ada')] },
    })
  })

  it.each([
    [{ name: 'greet' }, 'who: is required'],
    [{ name: 'greet', arguments: { who: 'x', how: 5 } }, 'how: must be string'],
    [{ name: 'none' }, 'unknown prompt: none'],
    [{ name: 'greet', arguments: [] }, 'params.arguments must be an object'],
    [{}, 'params.name'],
  ])('refuses %j', async (params, reason) => {
    expect(await rpc('prompts/get', params)).toMatchObject({
      error: { code: -32602, data: { reason: expect.stringContaining(reason) as string } },
    })
  })

  it('that fails is an internal error, without what the component said', async () => {
    const answer = await rpc('prompts/get', { name: 'broken' })
    expect(answer).toMatchObject({
      error: {
        code: -32603,
        data: {
          reason: expect.stringMatching(
            /^The prompt failed: internal error, request id [\w-]+\.$/,
          ) as string,
        },
      },
    })
  })
})

describe('a resource', () => {
  it.each(['note://1', 'note://%C3%A4/text'])('%s is read from its component', async (uri) => {
    const contents = [{ uri, text: `text of ${uri}` }]
    const legacy = (await rpc('resources/read', { uri })) as { result: object }
    expect(legacy.result).toEqual({ contents })
    expect(await ask('resources/read', { uri })).toMatchObject({
      result: { contents, ttlMs: 5, cacheScope: 'public' },
    })
  })

  it.each(['note://2', 'note://gone/text', 'http://elsewhere', `note://${'x'.repeat(9000)}`])(
    'that is not there is told by its uri: %s',
    async (uri) => {
      const data = { uri }
      expect(await rpc('resources/read', { uri })).toMatchObject({ error: { code: -32002, data } })
      expect(await ask('resources/read', { uri })).toMatchObject({ error: { code: -32602, data } })
    },
  )

  it('without contents is a failure, never an empty result', async () => {
    expect(await rpc('resources/read', { uri: 'broken://1' })).toMatchObject({
      error: { code: -32603 },
    })
  })

  it('may be subscribed to, if it is there', async () => {
    expect(await rpc('resources/subscribe', { uri: 'note://1' })).toMatchObject({ result: {} })
    expect(await rpc('resources/unsubscribe', { uri: 'no://1' })).toMatchObject({
      error: { code: -32002 },
    })
  })
})

describe('a completion', () => {
  const argument = { name: 'who', value: 'A' }

  it.each([
    [{ type: 'ref/prompt', name: 'greet' }],
    [{ type: 'ref/resource', uri: 'note://{id}/text' }],
  ])('of %j comes from its component, a hundred values at most', async (ref) => {
    const answer = (await rpc('completion/complete', { ref, argument })) as {
      result: { completion: { values: string[] } }
    }
    expect(answer.result.completion).toMatchObject({ total: 150, hasMore: true })
    expect(answer.result.completion.values).toHaveLength(100)
    expect(answer.result.completion.values[0]).toBe(`${JSON.stringify(ref)} 0`)
  })

  it.each([
    [{ ref: { type: 'ref/prompt', name: 'none' }, argument }, 'params.ref'],
    [{ ref: { type: 'ref/tool', name: 'x' }, argument }, 'params.ref'],
    [{ ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'x' } }, 'params.argument'],
    [{ argument }, 'params.ref'],
  ])('refuses %j', async (params, field) => {
    expect(await rpc('completion/complete', params)).toMatchObject({
      error: { code: -32602, data: { reason: expect.stringContaining(field) as string } },
    })
  })
})

it('two components with a prompt and a resource of the same name are told apart', async () => {
  const w = createWorld({ components: { one: component, two: component } })
  const prompts = (await rpc('prompts/list', {}, w)) as { result: { prompts: { name: string }[] } }
  expect(prompts.result.prompts.map(({ name }) => name)).toEqual([
    ...['greet', 'broken', 'two__greet', 'two__broken'],
  ])
  const resources = await rpc('resources/list', {}, w)
  expect(resources).toMatchObject({
    result: {
      resources: [{ uri: 'note://1' }, { uri: 'broken://1' }],
      _meta: {
        'ftl/components': [
          {
            component: 'two',
            clashes: expect.arrayContaining([
              { kind: 'resources', name: 'note://1', keptBy: 'one' },
            ]) as object[],
          },
        ],
      },
    },
  })
  await rpc('prompts/get', { name: 'two__greet', arguments: { who: 'x' } }, w)
  expect(w.log).toContain('POST http://two.spin.internal/prompts/greet')
})
