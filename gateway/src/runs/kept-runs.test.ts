import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Program } from '../testing/code-component.ts'
import { call as rpcCall } from '../testing/components.ts'
import {
  type Answer,
  answering,
  APPROVAL,
  as,
  type Client,
  ELICITS,
  lasting,
  type RunWorld,
  runWorld,
  TASKS,
} from '../testing/run-world.ts'
import { AUDIENCE, ISSUER, JWKS, tokenWith } from '../testing/issuer.ts'
import { request } from '../testing/rest.ts'

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => vi.restoreAllMocks())

const RUN = { name: 'run_code', arguments: { code: 'x' } }
const textOf = ({ content, message, error }: Answer) =>
  content?.[0]?.text ?? message ?? error?.message ?? ''
const saying = (work: Promise<unknown>) =>
  work.then(
    (value) => JSON.stringify(value),
    (error: { code?: string; message: string }) => `${error.code}: ${error.message}`,
  )

/** Appends, deletes what needs an approval, and appends again. */
const program = async ({ call }: Program) => {
  await call('files', 'append', { path: '1' })
  const said = await saying(call('files', 'delete', { path: '/a' }))
  await call('files', 'append', { path: '2' })
  return said
}
const ONE = 'append {"path":"1"}'
const ALL = [ONE, 'delete {"path":"/a"}', 'append {"path":"2"}']

/** How each kind of client approves a call of a program. */
const CLIENTS: [string, (made: RunWorld, action?: string) => Promise<Answer>][] = [
  [
    'a client that can be asked',
    async (made, action = 'accept') => {
      const client = { capabilities: ELICITS }
      const { requestState, inputRequests } = await made.ask('tools/call', RUN, client)
      expect(inputRequests?.[APPROVAL]?.params.message).toBe(
        'Approve this call?\nTool: delete\nComponent: files\nArguments: {\n  "path": "/a"\n}',
      )
      return made.ask('tools/call', { ...RUN, requestState, ...answering(action) }, client)
    },
  ],
  [
    'a client that follows tasks',
    async (made, action = 'accept') => {
      const client = { capabilities: { ...ELICITS, ...TASKS } }
      const { taskId, resultType } = await made.ask('tools/call', RUN, client)
      expect(resultType).toBe('task')
      const asking = await made.ask('tasks/get', { taskId }, client)
      expect(asking).toMatchObject({ status: 'input_required' })
      expect(asking.inputRequests?.[APPROVAL]?.params.message).toContain('Tool: delete')
      // Days later.
      made.lasting.clock.now += 3 * 24 * 3_600_000
      await made.ask('tasks/update', { taskId, ...answering(action) }, client)
      return ended(made, taskId, client)
    },
  ],
]

async function ended(made: RunWorld, taskId: string | undefined, client: Client): Promise<Answer> {
  await made.platform.settled()
  // A record is read again when it is as old as the poll interval.
  made.lasting.clock.now += 1_000
  const { status, result, error } = await made.ask('tasks/get', { taskId }, client)
  return { status, ...result, ...error }
}

describe.each(CLIENTS)('%s', (_who, approve) => {
  it('approves a call of the program, which then goes on: nothing is made twice', async () => {
    const made = runWorld(program)
    const answer = await approve(made)
    expect(textOf(answer)).toContain('did delete /a')
    expect(made.lasting.ran).toEqual(ALL)
    expect(made.capabilities).toHaveLength(2)
  })

  it.each([
    ['decline', 'it was declined'],
    ['cancel', 'the question was cancelled'],
  ])('answers %s, and the program gets an error', async (action, reason) => {
    const made = runWorld(program)
    const answer = await approve(made, action)
    expect(textOf(answer)).toContain(
      `not_approved: The call of files.delete was not approved: ${reason}`,
    )
    expect(made.lasting.ran).toEqual([ONE, 'append {"path":"2"}'])
  })

  it('leaves nothing in the store when it has ended, but its job', async () => {
    const made = runWorld(program)
    await approve(made)
    await made.platform.settled()
    const left = [...made.lasting.entries.keys()].filter((key) => key.startsWith('gateway:run:'))
    expect(left).toEqual([])
  })
})

describe('a client that cannot be asked', () => {
  const first = async (made: RunWorld, who = 'ada') => {
    const answer = await made.ask('tools/call', RUN, { who })
    expect(answer.isError).toBe(true)
    expect(textOf(answer)).toMatch(/waits for its call 2, which runs only after .* approved/)
    expect(textOf(answer)).toContain('"path": "/a"')
    return answer._meta?.[APPROVAL]?.token ?? ''
  }
  const confirm = (made: RunWorld, token: string, params: object = RUN, who = 'ada') =>
    made.ask('tools/call', params as typeof RUN, { who, meta: { [APPROVAL]: token } })

  it('calls again with the token, and the run goes on', async () => {
    const made = runWorld(program)
    const answer = await confirm(made, await first(made))
    expect(textOf(answer)).toContain('did delete /a')
    expect(made.lasting.ran).toEqual(ALL)
  })

  it('gets the token over plain HTTP, too', async () => {
    const made = runWorld(program)
    const send = (headers = {}) =>
      made.send(
        request('/tools/run_code', { body: { code: 'x' }, headers: { ...as('ada'), ...headers } }),
      )
    const response = await send()
    expect(response.status).toBe(403)
    const { error } = (await response.json()) as { error: { approval: { token: string } } }
    const done = await send({ 'ftl-approval': error.approval.token })
    expect(await done.text()).toContain('did delete /a')
    expect(made.lasting.ran).toEqual(ALL)
  })

  it.each<[string, (made: RunWorld, token: string) => Promise<Answer>]>([
    ['of another caller', (made, token) => confirm(made, token, RUN, 'eve')],
    [
      'for another program',
      (made, token) => confirm(made, token, { ...RUN, arguments: { code: 'y' } }),
    ],
    ['with a changed seal', (made, token) => confirm(made, `${token.slice(0, -4)}AAAA`)],
    [
      'with a later expiry',
      (made, token) =>
        confirm(
          made,
          token.replace(/\.(\w)/, (_, digit) => `.z${String(digit)}`),
        ),
    ],
    [
      'after it has expired',
      (made, token) => {
        made.lasting.clock.now += 8 * 24 * 3_600_000
        return confirm(made, token)
      },
    ],
  ])('a token %s approves nothing', async (_what, use) => {
    const made = runWorld(program)
    const answer = await use(made, await first(made))
    // It begins a run of its own, which asks again.
    expect(textOf(answer)).toMatch(/waits for its call 2|not approved/)
    expect(made.lasting.ran.filter((line) => line.startsWith('delete'))).toEqual([])
  })

  it('uses a token once', async () => {
    const made = runWorld(program)
    const token = await first(made)
    await confirm(made, token)
    const again = await confirm(made, token)
    expect(textOf(again)).toMatch(/waits for its call 2/)
    expect(made.lasting.ran).toEqual([...ALL, ONE])
  })
})

describe('an answer to the question of a run', () => {
  const client = { capabilities: ELICITS }

  it('counts once', async () => {
    const made = runWorld(program)
    const { requestState } = await made.ask('tools/call', RUN, client)
    const accept = { ...RUN, requestState, ...answering('accept') }
    await made.ask('tools/call', accept, client)
    expect(textOf(await made.ask('tools/call', accept, client))).toContain('used before')
    expect(made.lasting.ran).toEqual(ALL)
  })

  it('of two at once, one counts', async () => {
    const made = runWorld(program)
    const { requestState } = await made.ask('tools/call', RUN, client)
    const accept = { ...RUN, requestState, ...answering('accept') }
    await Promise.all([
      made.ask('tools/call', accept, client),
      made.ask('tools/call', accept, client),
    ])
    expect(made.lasting.ran).toEqual(ALL)
  })

  it.each([{}, { [APPROVAL]: true }, { other: { action: 'accept' } }])(
    'that is %j is asked for again',
    async (inputResponses) => {
      const made = runWorld(program)
      const { requestState } = await made.ask('tools/call', RUN, client)
      const again = await made.ask('tools/call', { ...RUN, requestState, inputResponses }, client)
      expect(again.resultType).toBe('input_required')
      expect(made.lasting.ran).toEqual([ONE])
    },
  )

  it('is also needed when the program is started again with the approval of another call', async () => {
    const made = runWorld(async ({ call }) => {
      await call('files', 'delete', { path: '/a' })
      await call('files', 'delete', { path: '/b' })
      return 'done'
    })
    const one = await made.ask('tools/call', RUN, client)
    const two = await made.ask(
      'tools/call',
      { ...RUN, requestState: one.requestState, ...answering('accept') },
      client,
    )
    expect(two.inputRequests?.[APPROVAL]?.params.message).toContain('"/b"')
    expect(made.lasting.ran).toEqual(['delete {"path":"/a"}'])
    const three = await made.ask(
      'tools/call',
      { ...RUN, requestState: two.requestState, ...answering('accept') },
      client,
    )
    expect(textOf(three)).toBe('done')
    expect(made.lasting.ran).toEqual(['delete {"path":"/a"}', 'delete {"path":"/b"}'])
  })
})

describe('a run that is started again', () => {
  const client = { capabilities: ELICITS }
  const resumed = async (made: RunWorld) => {
    const { requestState } = await made.ask('tools/call', RUN, client)
    return made.ask('tools/call', { ...RUN, requestState, ...answering('accept') }, client)
  }

  it.each([
    ['another tool', 'read', { path: '1' }, 'was files.append, and now is files.read'],
    ['other arguments', 'append', { path: '9' }, 'was files.append with other arguments'],
  ])('and makes %s than before gets an error', async (_what, name, args, reason) => {
    let attempt = 0
    const made = runWorld(async ({ call }) => {
      attempt++
      const said = await saying(
        attempt === 1 ? call('files', 'append', { path: '1' }) : call('files', name, args),
      )
      if (attempt > 1) return said
      await call('files', 'delete', { path: '/a' })
      return ''
    })
    expect(textOf(await resumed(made))).toContain(
      `not_deterministic: The program is not deterministic: its call 1 ${reason}`,
    )
    expect(made.lasting.ran).toEqual([ONE])
  })

  it('is told so, and has the id and the time of the first attempt', async () => {
    const seen: unknown[] = []
    const made = runWorld(async ({ call, send }) => {
      const answer = (await (await send('/run/tools', { method: 'GET' })).json()) as { run: object }
      seen.push(answer.run)
      made.lasting.clock.now += 1_000
      await call('files', 'delete', { path: '/a' })
      return ''
    })
    await resumed(made)
    const [first, second] = seen as Record<string, unknown>[]
    expect(second).toEqual({ ...first, replayed: true })
  })

  it('refuses the capability of the earlier attempt, and of one that has ended', async () => {
    const used = async (made: RunWorld, capability: string | undefined) => {
      const response = await made.send(
        new Request('http://mcp-gateway.spin.internal/run/call', {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'ftl-run': capability ?? '' },
          body: JSON.stringify({ seq: 9, component: 'files', tool: 'append' }),
        }),
      )
      return `${response.status} ${await response.text()}`
    }
    const made = runWorld(async (given) => {
      const said = await program(given)
      if (made.capabilities.length > 1)
        expect(await used(made, made.capabilities[0])).toMatch(/^410/)
      return said
    })
    await resumed(made)
    expect(await used(made, made.capabilities[1])).toMatch(/^410 .*run_ended/)
    expect(made.lasting.ran).toEqual(ALL)
  })

  it('answers a number that was used before from its journal, also in one attempt', async () => {
    const made = runWorld(async ({ send }) => {
      const body = { seq: 1, component: 'files', tool: 'append', arguments: { path: '1' } }
      await send('/run/call', { body })
      await send('/run/call', { body })
      const other = await send('/run/call', { body: { ...body, tool: 'read' } })
      return other.text()
    })
    expect(textOf(await made.ask('tools/call', RUN))).toContain('not_deterministic')
    expect(made.lasting.ran).toEqual([ONE])
  })

  it('does not believe a component that it is paused', async () => {
    const made = runWorld(async () => 'x')
    made.components.code = (incoming) =>
      incoming.method === 'GET'
        ? Response.json([{ name: 'run_code', inputSchema: { type: 'object' } }])
        : Response.json({ content: [], isError: true, _meta: { 'ftl/run': { paused: 1 } } })
    const answer = await made.ask('tools/call', RUN, client)
    expect(textOf(answer)).toContain('ended before its result')
  })
})

describe('a run of any client, with journal=always', () => {
  const legacy = { 'mcp-protocol-version': '2025-11-25' }

  it('becomes a job when it takes longer, which get_job reads', async () => {
    let go: (() => void) | undefined
    const gate = new Promise<void>((resolve) => (go = resolve))
    const made = runWorld(
      async ({ call }) => {
        await call('files', 'append', { path: '1' })
        await gate
        return 'done'
      },
      { variables: { code_limits: 'journal=always' } },
    )
    const headers = { ...as('ada'), ...legacy }
    const params = { ...RUN, _meta: NO_WAIT }
    const handle = JSON.stringify(
      await made.rpc({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }, headers),
    )
    const id = /"job_id":"([^"]+)"/.exec(handle)?.[1]
    expect(handle).toContain('"status":"working"')
    go?.()
    await made.platform.settled()
    made.lasting.clock.now += 1_000
    const read = await made.rpc(rpcCall('get_job', { job_id: id }), headers)
    expect(read).toMatchObject({ result: { content: [{ text: 'done' }] } })
    expect(made.lasting.ran).toEqual([ONE])
  })

  it('ends its job with a token, and a call with it continues the run as another job', async () => {
    let gate: Promise<void> | undefined
    const made = runWorld(
      async ({ call }) => {
        await call('files', 'append', { path: '1' })
        await gate
        const [first] = (await call('files', 'delete', { path: '/a' })).content
        return (first as { text: string }).text
      },
      { variables: { code_limits: 'journal=always' } },
    )
    const send = async (meta = {}) => {
      let go: (() => void) | undefined
      gate = new Promise<void>((resolve) => (go = resolve))
      const answer = JSON.stringify(
        await made.rpc(
          {
            ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
            params: { ...RUN, _meta: { ...NO_WAIT, ...meta } },
          },
          { ...as('ada'), ...legacy },
        ),
      )
      go?.()
      await made.platform.settled()
      made.lasting.clock.now += 1_000
      const id = /"job_id":"([^"]+)"/.exec(answer)?.[1] ?? ''
      const response = await made.send(request(`/jobs/${id}`, { headers: as('ada') }))
      return { id, text: await response.text() }
    }
    const first = await send()
    const token = /"token":"([^"]+)"/.exec(first.text)?.[1]
    expect(token).toBeDefined()
    const second = await send({ [APPROVAL]: token })
    expect(second.text).toContain('did delete /a')
    expect(second.id).not.toBe(first.id)
    expect(made.lasting.ran).toEqual([ONE, 'delete {"path":"/a"}'])
  })
})

describe('a run that was begun for all components', () => {
  const at = (path: string, made: RunWorld, method: string, params: object, capabilities: object) =>
    made.askAt(path, method, params as typeof RUN, { capabilities })

  it('does not go on by a request to the address of one', async () => {
    const made = runWorld(program)
    const { requestState } = await made.ask('tools/call', RUN, { capabilities: ELICITS })
    const answer = { ...RUN, requestState, ...answering('accept') }
    const refused = await at('/mcp/x/code', made, 'tools/call', answer, ELICITS)
    expect(textOf(refused)).toContain('not continued')
    expect(made.lasting.ran).toEqual([ONE])
    expect(textOf(await at('/mcp', made, 'tools/call', answer, ELICITS))).toContain('did delete')
  })

  it('also not as a task', async () => {
    const capabilities = { ...ELICITS, ...TASKS }
    const made = runWorld(program)
    const { taskId } = await made.ask('tools/call', RUN, { capabilities })
    await at('/mcp/x/code', made, 'tasks/update', { taskId, ...answering('accept') }, capabilities)
    await made.platform.settled()
    expect(made.lasting.ran).toEqual([ONE])
    expect(await made.ask('tasks/get', { taskId }, { capabilities })).toMatchObject({
      status: 'input_required',
    })
  })
})

describe('the credential of the caller', () => {
  const HOUR = 3_600_000
  const claims = (now: number, seconds: number) => {
    const at = Math.floor(now / 1000)
    return { iat: at, nbf: at, exp: at + seconds }
  }

  it('ends the run', async () => {
    const over = lasting()
    over.clock.now = 1_800_000_000_000
    const made = runWorld(async () => '', {
      over,
      variables: { auth_issuers: ISSUER_WITH_KEYS, auth_audience: AUDIENCE, auth_leeway_ms: '0' },
    })
    const token = tokenWith({ claims: { ...claims(over.clock.now, 10), jti: 'a' } })
    const headers = { authorization: `Bearer ${token}` }
    await made.ask('tools/call', RUN, { headers, capabilities: TASKS })
    const [payload = ''] = (made.capabilities[0] ?? '').split('.')
    const grant = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { deadline: number }
    expect(grant.deadline).toBe(over.clock.now + 10_000)
  })

  it('that has expired interrupts a task, and its next reader goes on with another one', async () => {
    const over = lasting()
    over.clock.now = 1_800_000_000_000
    let expire = true
    const made = runWorld(
      async ({ call }) => {
        await call('files', 'append', { path: '1' })
        if (expire) over.clock.now += HOUR
        await call('files', 'append', { path: '2' })
        return 'done'
      },
      {
        over,
        variables: { auth_issuers: ISSUER_WITH_KEYS, auth_audience: AUDIENCE, policy: ASKING },
        onRun: (name) => (name === 'append' && expire ? slow() : undefined),
      },
    )
    const client = () => ({
      headers: { authorization: `Bearer ${tokenWith({ claims: claims(over.clock.now, 60) })}` },
      capabilities: { ...ELICITS, ...TASKS },
    })
    const { taskId } = await made.ask('tools/call', RUN, client())
    await made.platform.settled()
    expire = false
    over.clock.now += 1_000
    expect(await made.ask('tasks/get', { taskId }, client())).toMatchObject({ status: 'working' })
    expect(await ended(made, taskId, client())).toMatchObject({ content: [{ text: 'done' }] })
    expect(over.ran).toEqual([ONE, 'append {"path":"2"}'])
  })
})

const NO_WAIT = { 'ftl/wait_ms': 0 }

/** Longer than a client waits before it gets a task. */
const slow = () => new Promise<void>((resolve) => setTimeout(resolve, 1_100))
const ASKING = '{"rules":[{"effect":"ask","tools":["drop"]},{"effect":"allow"}]}'
const ISSUER_WITH_KEYS = JSON.stringify([{ issuer: ISSUER, jwks: JWKS }])
