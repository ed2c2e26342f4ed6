import { describe, expect, it } from 'vitest'
import { call, type Component, createWorld, post, text, tool } from '../../../testing/components.ts'
import { modern, type ModernOptions } from '../../../testing/modern.ts'
import { STORED_KEY } from '../../../sealing-key.ts'

const QUESTION = {
  who: { method: 'elicitation/create', params: { message: 'Who?', requestedSchema: {} } },
}
const seen: { type: string | null; body: unknown }[] = []

/** Asks for a name once, then returns the client's answer and its own state. */
const asks: Component = async (request) => {
  if (request.method === 'GET') return Response.json([tool('greet'), tool('plain')])
  const type = request.headers.get('content-type')
  const body = (await request.json()) as {
    inputResponses?: { who?: string }
    requestState?: string
  }
  seen.push({ type, body })
  if (type === 'application/json') {
    return Response.json({
      resultType: 'input_required',
      inputRequests: QUESTION,
      requestState: 'noted',
    })
  }
  return Response.json(text(`${body.inputResponses?.who} ${body.requestState}`))
}

const ELICITS = { capabilities: { elicitation: {} } }
let now = 1_000
const world = (variables = {}) =>
  createWorld({ components: { one: asks }, variables, now: () => now })

async function ask(
  w: ReturnType<typeof world>,
  params: Record<string, unknown>,
  options: ModernOptions = ELICITS,
) {
  const response = await w.send(modern('tools/call', { name: 'greet', ...params }, options))
  const body = (await response.json()) as {
    result?: Record<string, unknown> & { requestState?: string }
    error?: { code: number; data?: unknown }
  }
  return { status: response.status, ...body }
}

describe('a tool that asks', () => {
  it('is answered by the same request with answers', async () => {
    const w = world()
    const { result } = await ask(w, {})
    expect(result).toMatchObject({ resultType: 'input_required', inputRequests: QUESTION })
    expect(result).not.toHaveProperty('content')
    const requestState = result?.requestState
    const again = await ask(w, { inputResponses: { who: 'Ada', extra: 1 }, requestState })
    expect(again.result).toMatchObject({ resultType: 'complete', ...text('Ada noted') })
    expect(seen.at(-1)).toEqual({
      type: 'application/vnd.ftl.call+json',
      body: {
        arguments: {},
        inputResponses: { who: 'Ada', extra: 1 },
        requestState: 'noted',
      },
    })
  })

  it('cannot ask what the client cannot answer', async () => {
    const { status, error } = await ask(world(), {}, {})
    expect(status).toBe(400)
    expect(error).toMatchObject({
      code: -32021,
      message: expect.stringMatching(/elicitation.*asks the user.*do not try again/) as string,
      data: { requiredCapabilities: { elicitation: {} } },
    })
  })

  it('is a result for a client that shows a model no errors', async () => {
    const { status, result } = await ask(world(), {}, { meta: { 'ftl/reach': {} } })
    expect(status).toBe(200)
    expect(result).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: expect.stringContaining('asks the user') as string }],
    })
  })

  it.each([
    ['a plain client', {}, { error: { code: -32002 } }],
    ['an older revision', { 'mcp-protocol-version': '2025-11-25' }, { result: { isError: true } }],
  ])('fails for %s, with the reason', async (_who, headers, expected) => {
    const response = await world().send(post(call('greet', {}), headers))
    const body: unknown = await response.json()
    expect(body).toMatchObject(expected)
    expect(JSON.stringify(body)).toContain('2026-07-28')
  })

  it.each([[{ inputResponses: [] }], [{ requestState: 5 }]])('refuses %j', async (params) => {
    expect((await ask(world(), params)).error).toMatchObject({ code: -32602 })
  })
})

describe('its state', () => {
  const given = async (w: ReturnType<typeof world>, params = {}) =>
    (await ask(w, params)).result?.requestState ?? ''
  const back = (w: ReturnType<typeof world>, requestState: string, params = {}) =>
    ask(w, { inputResponses: { who: 'x' }, requestState, ...params })

  it.each([
    ['made up', () => 'noted'],
    ['empty', () => ''],
    [
      'changed at the end',
      (state: string) => state.slice(0, -2) + (state.endsWith('AA') ? 'BB' : 'AA'),
    ],
    ['changed at the beginning', (state: string) => `A${state.slice(1)}`],
    ['longer', (state: string) => `${state}.x`],
    ['padded', (state: string) => `${state}=`],
  ])('is refused when it is %s', async (_how, change) => {
    const w = world()
    const { error } = await back(w, change(await given(w)))
    expect(error).toMatchObject({ code: -32602 })
  })

  it('is refused for other arguments and for another tool', async () => {
    const w = world()
    const state = await given(w, { arguments: { a: 1, b: [2] } })
    expect((await back(w, state, { arguments: { a: 2, b: [2] } })).error?.code).toBe(-32602)
    expect((await back(w, state, { name: 'plain', arguments: { a: 1, b: [2] } })).error?.code).toBe(
      -32602,
    )
    expect((await back(w, state, { arguments: { b: [2], a: 1 } })).error).toBeUndefined()
  })

  it.each([
    [{ a: 1 }, [['a', 1]]],
    [{ a: { b: 1 } }, { a: [['b', 1]] }],
    [{ a: 1 }, { a: '1' }],
    [{ a: null }, {}],
    [{ a: {} }, { a: [] }],
    [{ a: { properties: [] } }, { a: {} }],
    [{ a: 1, b: 2 }, { 'a,1,b': 2 }],
  ])('of %j is refused for %j', async (before, after) => {
    const w = world()
    const state = await given(w, { arguments: { x: before } })
    expect((await back(w, state, { arguments: { x: after } })).error?.code).toBe(-32602)
    expect((await back(w, state, { arguments: { x: before } })).error).toBeUndefined()
  })

  it('is not sent to another component that has the name by then', async () => {
    const w = createWorld({ components: { one: asks, two: asks }, now: () => now })
    const state = await given(w)
    w.components['one'] = (request) =>
      request.method === 'GET' ? Response.json([]) : new Response(null, { status: 404 })
    seen.length = 0
    const { result } = await back(w, state)
    expect(result).toMatchObject({ isError: true })
    expect(JSON.stringify(result)).toContain('was issued by another component')
    expect(seen).toEqual([])
  })

  it.each([
    ['half of it', (state: string) => state.slice(0, state.length / 2)],
    ['without a seal', (state: string) => state.split('.')[0] ?? ''],
    ['with a short seal', (state: string) => `${state.split('.')[0]}.${btoa('short')}`],
    ['with a seal that is no base64', (state: string) => `${state.split('.')[0]}.%%%`],
    ['with a seal alone', (state: string) => `.${state.split('.')[1]}`],
    ['a million dots', () => '.'.repeat(1_000_000)],
  ])('is refused: %s', async (_, change) => {
    const w = world()
    expect((await back(w, change(await given(w)))).error?.code).toBe(-32602)
  })

  it('[mrtr.state-principal] of one user is refused for another', async () => {
    const w = world({ trust_forwarded_user: 'without-secret' })
    const as = (user: string) => ({ ...ELICITS, headers: { 'x-forwarded-user': user } })
    const state = (await ask(w, {}, as('ada'))).result?.requestState ?? ''
    const answered = { inputResponses: { who: 'x' }, requestState: state }
    expect((await ask(w, answered, as('eve'))).error?.code).toBe(-32602)
    expect((await ask(w, answered, as('ada'))).error).toBeUndefined()
  })

  it('expires', async () => {
    const w = world({ request_state_ttl_ms: '100' })
    const state = await given(w)
    now += 99
    expect((await back(w, state)).error).toBeUndefined()
    now += 1
    expect((await back(w, state)).error?.code).toBe(-32602)
  })

  it('is sealed with the key that is configured, and nothing is stored then', async () => {
    const key = { request_state_key: 'a secret of some length' }
    const w = world(key)
    const state = await given(w)
    expect((await back(world(key), state)).error).toBeUndefined()
    expect(
      (await back(world({ request_state_key: 'another secret of it' }), state)).error,
    ).toBeDefined()
    const store = await w.platform.openKeyValue('default')
    expect(await store.exists(STORED_KEY)).toBe(false)
  })

  it('is sealed with a random key of this application where none is configured', async () => {
    const w = world()
    const state = await given(w)
    expect((await back(w, state)).error).toBeUndefined()
    expect((await back(world(), state)).error).toBeDefined()
    const store = await w.platform.openKeyValue('default')
    expect((await store.get(STORED_KEY))?.length).toBe(32)
  })
})
