import { createHash } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import type { ToolResult } from 'ftl-contract'
import { type Component, createWorld, text, tool } from '../testing/components.ts'
import { modern, type ModernOptions } from '../testing/modern.ts'
import { request } from '../testing/rest.ts'

const KEY = 'ftl/approval'
const keyFor = (principal: string) =>
  `ftl_${createHash('sha256').update(principal).digest('base64url')}`
const keyOf = (principal: string) => ({
  sha256: createHash('sha256').update(keyFor(principal)).digest('hex'),
  principal,
  scopes: [],
})
const POLICY = JSON.stringify({
  rules: [
    { effect: 'ask', tools: ['delete', 'rename', 'drop'] },
    { effect: 'ask', prompts: ['*'] },
    { effect: 'allow' },
  ],
})
const TTL_MS = 600_000

/** Calls that ran, with what the component received. */
type Ran = { path: string; type: string | null; body: unknown }

/** `delete` answers, `rename` asks the client first, with state or without. */
function world({ keepsState = true } = {}) {
  const clock = { now: 1_000_000 }
  const ran: Ran[] = []
  const files: Component = async (incoming) => {
    const path = new URL(incoming.url).pathname
    if (incoming.method === 'GET') {
      const names = ['delete', 'rename', 'read']
      return Response.json({
        tools: names.map((name) => tool(name, { path: { type: 'string' } })),
        prompts: [{ name: 'greet' }],
      })
    }
    const type = incoming.headers.get('content-type')
    const body = (await incoming.json()) as { inputResponses?: Record<string, unknown> }
    ran.push({ path, type, body })
    if (path === '/rename' && !body.inputResponses?.['to']) {
      return Response.json({
        resultType: 'input_required',
        inputRequests: { to: { method: 'elicitation/create', params: { message: 'To what?' } } },
        ...(keepsState && { requestState: 'noted' }),
      })
    }
    return Response.json(text(`did ${path}`))
  }
  const made = createWorld({
    components: { files, other: files },
    variables: {
      tool_components: 'files,other',
      api_keys: JSON.stringify([keyOf('ada'), keyOf('eve')]),
      policy: POLICY,
      request_state_ttl_ms: String(TTL_MS),
      catalog_ttl_ms: '60000',
    },
    now: () => clock.now,
  })
  return { ...made, clock, ran }
}
type TestWorld = ReturnType<typeof world>

const as = (principal: string) => ({ authorization: `Bearer ${keyFor(principal)}` })
const ELICITS = { elicitation: {} }

interface Result extends Partial<ToolResult> {
  resultType?: string
  requestState?: string
  inputRequests?: Record<string, { params: { message: string; requestedSchema: object } }>
}

async function ask(
  made: TestWorld,
  params: Record<string, unknown>,
  {
    who = 'ada',
    capabilities = ELICITS,
    headers = {},
    ...more
  }: ModernOptions & { who?: string } = {},
): Promise<{ result: Result; error?: { message: string; data?: unknown } }> {
  const sent = { capabilities, headers: { ...as(who), ...headers }, ...more }
  const response = await made.send(
    modern('tools/call', { arguments: { path: '/a' }, ...params }, sent),
  )
  return (await response.json()) as { result: Result; error?: { message: string } }
}

const answer = (action: string) => ({ inputResponses: { [KEY]: { action, content: {} } } })
const said = ({ result, error }: Awaited<ReturnType<typeof ask>>) =>
  JSON.stringify(error ?? result.content ?? result)

describe('a client of 2026-07-28 that can be asked', () => {
  it('is asked with tool, component and arguments, and the call runs when it accepts', async () => {
    const made = world()
    const { result } = await ask(made, { name: 'delete' })
    expect(result.resultType).toBe('input_required')
    expect(made.ran).toEqual([])
    const { params } = result.inputRequests?.[KEY] ?? {
      params: { message: '', requestedSchema: {} },
    }
    expect(params.message).toBe(
      'Approve this call?\nTool: delete\nComponent: files\nArguments: {\n  "path": "/a"\n}',
    )
    const { requestState } = result
    const done = await ask(made, { name: 'delete', requestState, ...answer('accept') })
    expect(done.result).toMatchObject(text('did /delete'))
    // The component receives what it would have received at once.
    expect(made.ran).toEqual([{ path: '/delete', type: 'application/json', body: { path: '/a' } }])
  })

  it('is not asked for a tool that the policy allows', async () => {
    const made = world()
    expect((await ask(made, { name: 'read' })).result).toMatchObject(text('did /read'))
  })

  it('is asked only for arguments that fit', async () => {
    const made = world()
    const { result } = await ask(made, { name: 'delete', arguments: { path: 5 } })
    expect(result).toMatchObject({ isError: true })
  })

  it('sees hidden characters in the arguments, and how much is not shown', async () => {
    const made = world()
    const path = `\u202e${'x'.repeat(9_000)}`
    const { result } = await ask(made, { name: 'delete', arguments: { path } })
    const message = result.inputRequests?.[KEY]?.params.message ?? ''
    expect(message).toContain('"path": "\\u202ex')
    expect(message).toMatch(/… and \d+ characters that are not shown$/)
  })

  it.each([
    ['decline', 'it was declined'],
    ['cancel', 'the question was cancelled'],
  ])('and answers %s: nothing runs, also if it then accepts', async (action, reason) => {
    const made = world()
    const { requestState } = (await ask(made, { name: 'delete' })).result
    const answered = await ask(made, { name: 'delete', requestState, ...answer(action) })
    expect(answered.result.isError).toBe(true)
    expect(said(answered)).toContain(reason)
    const again = await ask(made, { name: 'delete', requestState, ...answer('accept') })
    expect(said(again)).toContain('was used before')
    expect(made.ran).toEqual([])
  })

  it.each([
    {},
    { [KEY]: null },
    { [KEY]: { action: 'ACCEPT' } },
    { [KEY]: true },
    { other: { action: 'accept' } },
  ])('is asked again when its answer is %j', async (inputResponses) => {
    const made = world()
    const { requestState } = (await ask(made, { name: 'delete' })).result
    const { result } = await ask(made, { name: 'delete', requestState, inputResponses })
    expect(result.resultType).toBe('input_required')
    expect(made.ran).toEqual([])
  })

  it('cannot answer before it was asked', async () => {
    const made = world()
    const { result } = await ask(made, { name: 'delete', ...answer('accept') })
    expect(result.resultType).toBe('input_required')
    expect(made.ran).toEqual([])
  })
})

describe('an answer is refused', () => {
  const refusals: [string, (made: TestWorld, state: string) => ReturnType<typeof ask>, RegExp][] = [
    [
      'with other arguments',
      (made, requestState) =>
        ask(made, { name: 'delete', arguments: { path: '/' }, requestState, ...answer('accept') }),
      /was not given out for this request/,
    ],
    [
      'of another caller',
      (made, requestState) =>
        ask(made, { name: 'delete', requestState, ...answer('accept') }, { who: 'eve' }),
      /was not given out for this request/,
    ],
    [
      'for another tool',
      (made, requestState) => ask(made, { name: 'rename', requestState, ...answer('accept') }),
      /was not given out for this request/,
    ],
    [
      'after it has expired',
      (made, requestState) => {
        made.clock.now += TTL_MS + 1
        return ask(made, { name: 'delete', requestState, ...answer('accept') })
      },
      /has expired/,
    ],
    [
      'that was used before',
      async (made, requestState) => {
        await ask(made, { name: 'delete', requestState, ...answer('accept') })
        expect(made.ran.splice(0)).toHaveLength(1)
        return ask(made, { name: 'delete', requestState, ...answer('accept') })
      },
      /was used before, and is valid for one call/,
    ],
  ]
  it.each(refusals)('%s', async (_what, repeat, reason) => {
    const made = world()
    const { requestState = '' } = (await ask(made, { name: 'delete' })).result
    const answered = await repeat(made, requestState)
    expect(said(answered)).toMatch(reason)
    expect(made.ran).toEqual([])
  })

  it('for a tool of another component with the same name', async () => {
    const made = world()
    const { requestState } = (await ask(made, { name: 'delete' })).result
    const sent = modern(
      'tools/call',
      { name: 'delete', arguments: { path: '/a' }, requestState, ...answer('accept') },
      { capabilities: ELICITS, headers: as('ada') },
    )
    const response = await made.send(
      new Request('http://localhost:3000/mcp/x/other', {
        method: 'POST',
        headers: sent.headers,
        body: await sent.text(),
      }),
    )
    expect(await response.text()).toContain('a tool of another component')
    expect(made.ran).toEqual([])
  })

  it('when the gateway cannot record it', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const made = world()
    const { requestState } = (await ask(made, { name: 'delete' })).result
    const store = await made.platform.openKeyValue('default')
    vi.spyOn(store, 'set').mockRejectedValue(new Error('full'))
    made.platform.openKeyValue = async () => store
    const answered = await ask(made, { name: 'delete', requestState, ...answer('accept') })
    expect(said(answered)).toContain('cannot record the approval')
    expect(made.ran).toEqual([])
  })
})

describe.each([true, false])('a component that asks itself (keeps state: %s)', (keepsState) => {
  it('is answered after the approval, and the approval is valid for that call only', async () => {
    const made = world({ keepsState })
    const first = (await ask(made, { name: 'rename' })).result
    expect(Object.keys(first.inputRequests ?? {})).toEqual([KEY])
    const approved = { name: 'rename', requestState: first.requestState, ...answer('accept') }
    const second = (await ask(made, approved)).result
    expect(Object.keys(second.inputRequests ?? {})).toEqual(['to'])
    const inputResponses = { to: { action: 'accept', content: { name: '/b' } } }
    const repeated = { name: 'rename', requestState: second.requestState, inputResponses }
    const third = await ask(made, repeated)
    expect(third.result).toMatchObject(text('did /rename'))
    expect(made.ran.map(({ body }) => body)).toEqual([
      { path: '/a' },
      { arguments: { path: '/a' }, inputResponses, ...(keepsState && { requestState: 'noted' }) },
    ])
    expect(said(await ask(made, repeated))).toContain('was used before')
    expect(made.ran).toHaveLength(2)
    // The answer to the component without its state is a new call, which needs an approval.
    const bare = (await ask(made, { name: 'rename', inputResponses })).result
    expect(Object.keys(bare.inputRequests ?? {})).toEqual([KEY])
  })
})

describe('a caller that cannot be asked', () => {
  const PATH = { path: '/a' }
  const tokenOf = async (made: TestWorld, who = 'ada') => {
    const response = await made.send(request('/tools/delete', { body: PATH, headers: as(who) }))
    expect(response.status).toBe(403)
    const { error } = (await response.json()) as {
      error: { code: string; approval: { token: string; expiresAt: string } }
    }
    expect(error.code).toBe('approval_required')
    expect(Date.parse(error.approval.expiresAt)).toBe(made.clock.now + TTL_MS)
    return error.approval.token
  }
  const confirm = async (
    made: TestWorld,
    token: string,
    body: object = PATH,
    who = 'ada',
    path = '/tools/delete',
  ) => {
    const response = await made.send(
      request(path, { body, headers: { ...as(who), 'ftl-approval': token } }),
    )
    return { status: response.status, text: await response.text() }
  }

  it('gets a token over plain HTTP, which confirms the call once', async () => {
    const made = world()
    const token = await tokenOf(made)
    expect(made.ran).toEqual([])
    expect(await confirm(made, token)).toMatchObject({ status: 200 })
    expect(made.ran).toHaveLength(1)
    const again = await confirm(made, token)
    expect(again.status).toBe(403)
    expect(again.text).toContain('was used before')
    expect(made.ran).toHaveLength(1)
  })

  it.each<[string, (made: TestWorld, token: string) => ReturnType<typeof confirm>, RegExp]>([
    ['other arguments', (made, token) => confirm(made, token, { path: '/' }), /another call/],
    [
      'further arguments',
      (made, token) => confirm(made, token, { ...PATH, all: true }),
      /another call/,
    ],
    ['another caller', (made, token) => confirm(made, token, PATH, 'eve'), /another call/],
    [
      'another tool',
      (made, token) => confirm(made, token, PATH, 'ada', '/tools/rename'),
      /another call/,
    ],
    [
      'a changed token',
      (made, token) => confirm(made, `${token.slice(0, -1)}${token.endsWith('A') ? 'E' : 'A'}`),
      /another call/,
    ],
    [
      'another id in the token',
      (made, token) =>
        confirm(
          made,
          token.replace(/^./, (c) => (c === 'a' ? 'b' : 'a')),
        ),
      /another call/,
    ],
    [
      'a later expiry in the token',
      (made, token) =>
        confirm(
          made,
          token.replace(
            /\.(\w+)\./,
            (_, time: string) => `.${(parseInt(time, 36) + 1).toString(36)}.`,
          ),
        ),
      /another call/,
    ],
    [
      'an expired token',
      (made, token) => {
        made.clock.now += TTL_MS
        return confirm(made, token)
      },
      /has expired/,
    ],
    ['no token', (made) => confirm(made, ''), /another call/],
    ['what is no token', (made) => confirm(made, `${'x,'.repeat(5_000)}.`), /another call/],
  ])('is refused with %s', async (_what, use, reason) => {
    const made = world()
    const { status, text: body } = await use(made, await tokenOf(made))
    expect(status).toBe(403)
    expect(body).toMatch(reason)
    expect(body).toContain('not_approved')
    expect(made.ran).toEqual([])
  })

  it('may send the arguments in another order', async () => {
    const made = world()
    const send = (body: object, token = '') =>
      made.send(
        request('/tools/delete', {
          body,
          headers: { ...as('ada'), ...(token && { 'ftl-approval': token }) },
        }),
      )
    const response = await send({ path: '/a', more: { b: 1, c: 2 } })
    const { error } = (await response.json()) as { error: { approval: { token: string } } }
    const { status } = await send({ more: { c: 2, b: 1 }, path: '/a' }, error.approval.token)
    expect(status).toBe(200)
  })

  it('confirms several calls of one request with all their tokens', async () => {
    const made = world()
    const calls = ['/a', '/b'].map((path) => ({
      id: path,
      type: 'function',
      function: { name: 'delete', arguments: JSON.stringify({ path }) },
    }))
    const send = async (token?: string) => {
      const headers = { ...as('ada'), ...(token !== undefined && { 'ftl-approval': token }) }
      const response = await made.send(request('/invoke', { body: calls, headers }))
      return (await response.json()) as { content: string }[]
    }
    const tokens = (await send()).map(
      ({ content }) =>
        (JSON.parse(content) as { error: { approval: { token: string } } }).error.approval.token,
    )
    const done = await send(tokens.join(', '))
    expect(done.map(({ content }) => content)).toEqual(['did /delete', 'did /delete'])
    expect(made.ran.map(({ body }) => body)).toEqual([{ path: '/a' }, { path: '/b' }])
  })

  it('has the token in _meta of a result, where no model reads it, and sends it back there', async () => {
    const made = world()
    const { result } = await ask(made, { name: 'delete' }, { capabilities: {} })
    expect(result.isError).toBe(true)
    const { token } = (result._meta?.[KEY] ?? {}) as { token: string }
    expect(token).toMatch(/^[\w.-]{80,120}$/)
    expect(JSON.stringify(result.content)).not.toContain(token)
    const done = await ask(made, { name: 'delete' }, { capabilities: {}, meta: { [KEY]: token } })
    expect(done.result).toMatchObject(text('did /delete'))
  })

  it('is one of an older revision, or a plain one', async () => {
    const versions: Record<string, string>[] = [{ 'mcp-protocol-version': '2025-11-25' }, {}]
    for (const version of versions) {
      const made = world()
      const call = async (meta = {}) => {
        const params = { name: 'delete', arguments: PATH, _meta: meta }
        const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
        return JSON.stringify(await made.rpc(message, { ...as('ada'), ...version }))
      }
      const refusal = await call()
      const token = /"token":"([^"]+)"/.exec(refusal)?.[1] ?? ''
      expect(refusal).toContain('only after a person has approved')
      expect(await call({ [KEY]: token })).toContain('did /delete')
      expect(made.ran).toHaveLength(1)
    }
  })

  it('can use the token also where it could be asked', async () => {
    const made = world()
    const token = await tokenOf(made)
    const { result } = await ask(made, { name: 'delete' }, { headers: { 'ftl-approval': token } })
    expect(result).toMatchObject(text('did /delete'))
  })
})

it('a prompt for which the policy says ask is refused: only calls can be approved', async () => {
  const made = world()
  const sent = modern(
    'prompts/get',
    { name: 'greet' },
    { capabilities: ELICITS, headers: as('ada') },
  )
  const body = await (await made.send(sent)).text()
  expect(body).toContain('only calls of tools can be approved')
  expect(made.ran).toEqual([])
})

it('a component that publishes a tool like a resource cannot avoid the rule', async () => {
  const ran: string[] = []
  const made = createWorld({
    components: {
      thief: (incoming) => {
        if (incoming.method === 'GET') return Response.json([{ ...tool('drop'), uri: 'a:b' }])
        ran.push(incoming.url)
        return Response.json(text('dropped'))
      },
    },
    variables: { api_keys: JSON.stringify([keyOf('ada')]), policy: POLICY },
  })
  const sent = modern('tools/call', { name: 'drop', arguments: {} }, { headers: as('ada') })
  expect(await (await made.send(sent)).text()).toContain('only after a person has approved')
  expect(ran).toEqual([])
})

it('used approvals take a bounded number of places', async () => {
  const made = world()
  const store = await made.platform.openKeyValue('default')
  for (let round = 0; round < 3; round++) {
    const { requestState } = (await ask(made, { name: 'delete' })).result
    await ask(made, { name: 'delete', requestState, ...answer('accept') })
  }
  const places = (await store.keys()).filter((key) => key.startsWith('gateway:approval:'))
  expect(places.length).toBeGreaterThan(0)
  for (const place of places) expect(place).toMatch(/^gateway:approval:[0-9a-f]{3}$/)
})
