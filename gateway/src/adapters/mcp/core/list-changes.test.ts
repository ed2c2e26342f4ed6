import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createWorld, several, tool, type World } from '../../../testing/components.ts'
import { as, keys } from '../../../testing/api-keys.ts'
import { authenticatedWorld, BOTH } from '../../../testing/authenticated.ts'
import { tokenWith } from '../../../testing/issuer.ts'
import { modern, type ModernOptions } from '../../../testing/modern.ts'
import { MAX_LISTENERS } from './listener-places.ts'

/** Digests, keys and signatures that are computed now, in another thread. */
const running = new Set<Promise<unknown>>()

function track(name: 'digest' | 'importKey' | 'verify'): void {
  const real = crypto.subtle[name].bind(crypto.subtle) as (...asked: unknown[]) => Promise<never>
  vi.spyOn(crypto.subtle, name).mockImplementation((...asked: unknown[]) => {
    const made = real(...asked)
    running.add(made)
    const over = () => running.delete(made)
    made.then(over, over)
    return made
  })
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  for (const name of ['digest', 'importKey', 'verify'] as const) track(name)
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** Lets time pass. Fake timers do not wait for other threads, and what comes after one digest may make the next. */
async function advance(milliseconds: number): Promise<void> {
  for (let left = milliseconds; left > 0; left -= STEP_MS) {
    await vi.advanceTimersByTimeAsync(Math.min(left, STEP_MS))
    do {
      await Promise.allSettled(running)
      await new Promise((resolve) => setImmediate(resolve))
    } while (running.size > 0)
  }
}

const STEP_MS = 500

const ALL = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true }
const component =
  (name: string, more: object = {}) =>
  () =>
    Response.json({ tools: [tool(name)], ...more })

/** A gateway that `ftl dev` serves. */
const world = (variables: Record<string, string> = {}) =>
  createWorld({
    components: { one: component('old', { prompts: [{ name: 'p' }] }) },
    variables: { dev_build: 'build-1', catalog_ttl_ms: '5000', ...variables },
    now: () => Date.now(),
  })

const get = (headers: Record<string, string> = {}) =>
  new Request('http://localhost:3000/mcp', { headers: { accept: 'text/event-stream', ...headers } })

const listen = (notifications: unknown, options?: ModernOptions) =>
  modern('subscriptions/listen', { notifications }, options)

/** Asks for the stream; the settling of its place takes time. */
async function open(w: World, request: Request): Promise<Response> {
  const response = w.send(request)
  await advance(2_000)
  return response
}

/** Everything that a stream has sent so far. */
function reading(response: Response): { text: () => string; ended: () => boolean; leave(): void } {
  let text = ''
  let ended = false
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  void (async () => {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      text += decoder.decode(value)
    }
    ended = true
  })()
  return { text: () => text, ended: () => ended, leave: () => void reader.cancel() }
}

const listTools = (w: World) => w.rpc({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize' }

async function rename(w: World, name: string): Promise<void> {
  w.components['one'] = component(name, { prompts: [{ name: 'p' }] })
  await advance(6_000)
  await listTools(w)
  await advance(1_000)
}

const declared = async (w: World, protocolVersion: string) =>
  (await w.rpc({ ...initialize, params: { protocolVersion } })) as {
    result: { capabilities: object }
  }

describe('outside of ftl dev', () => {
  it('GET is refused, and no capability is declared', async () => {
    const w = world({ dev_build: '' })
    const response = await open(w, get())
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
    const { result } = await declared(w, '2025-11-25')
    expect(result.capabilities).toEqual({ tools: {}, prompts: {} })
  })

  it('a subscription is acknowledged and ended', async () => {
    const stream = reading(await open(world({ dev_build: '' }), listen(ALL)))
    await advance(10)
    expect(stream.text()).toContain('"notifications":{}')
    expect(stream.ended()).toBe(true)
  })
})

describe('with list_changes=on', () => {
  const on = () => world({ dev_build: '', list_settings: 'list_changes=on' })

  it('clients of both eras learn that changes are announced', async () => {
    const listChanged = true
    const { result } = await declared(on(), '2025-11-25')
    expect(result.capabilities).toEqual({ tools: { listChanged }, prompts: { listChanged } })
    const discovered: unknown = await (await open(on(), modern('server/discover'))).json()
    expect(discovered).toMatchObject({ result: { capabilities: { tools: { listChanged } } } })
  })

  it.each([
    ['the event stream', get()],
    ['a subscription', listen(ALL)],
  ])('%s tells of a change that no client has listed', async (_, request) => {
    const w = on()
    await listTools(w)
    const stream = reading(await open(w, request))
    await advance(3_000)
    w.components['one'] = component('new', { prompts: [{ name: 'p' }] })
    await advance(10_000)
    expect(stream.text().match(/notifications\/\w+\/list_changed/g)).toEqual([
      'notifications/tools/list_changed',
    ])
    stream.leave()
  })

  it('components are asked as often as catalog_ttl_ms says', async () => {
    const w = on()
    await listTools(w)
    const before = w.log.length
    const stream = reading(await open(w, get()))
    await advance(30_000)
    stream.leave()
    expect(w.log.length - before).toBeGreaterThan(0)
    expect(w.log.length - before).toBeLessThanOrEqual(7)
  })
})

describe('when the host stops', () => {
  it.each([
    ['the event stream ends', get(), 0],
    ['a subscription ends with its result', listen(ALL), 1],
  ])('%s', async (_, request, results) => {
    const w = world()
    const { variables } = w.platform
    let stops = 'false'
    w.platform.variables = { get: (name) => (name === 'host_stops' ? stops : variables.get(name)) }
    const stream = reading(await open(w, request))
    await advance(5_000)
    expect(stream.ended()).toBe(false)
    stops = 'true'
    await advance(1_000)
    expect(stream.ended()).toBe(true)
    expect(stream.text().match(/"result":\{"resultType":"complete"/g) ?? []).toHaveLength(results)
  })
})

describe('with list_changes=on and many clients', () => {
  const slow = (name: string) => async () => {
    await new Promise((resolve) => setTimeout(resolve, 300))
    return component(name)()
  }
  const many = async (variables: Record<string, string>, conditionalWrites: boolean) => {
    const w = createWorld({
      // Slow, so that every client would ask before there is an answer.
      components: { one: slow('old'), two: slow('other') },
      variables: { list_settings: 'list_changes=on', catalog_ttl_ms: '5000', ...variables },
      now: () => Date.now(),
      conditionalWrites,
    })
    const first = listTools(w)
    await advance(1_000)
    await first
    const streams = []
    for (let i = 0; i < MAX_LISTENERS; i++) streams.push(reading(await open(w, get())))
    return { w, streams }
  }

  it.each([true, false])(
    'components are asked as often as for one client (store with conditions: %s)',
    async (conditionalWrites) => {
      const { w, streams } = await many({}, conditionalWrites)
      await advance(5_000)
      const before = w.log.length
      await advance(30_000)
      for (const stream of streams) stream.leave()
      expect(w.log.length - before).toBeGreaterThan(2 * 4)
      expect(w.log.length - before).toBeLessThanOrEqual(2 * 7)
    },
    60_000,
  )

  it('components are asked once a second with catalog_ttl_ms=0', async () => {
    const { w, streams } = await many({ catalog_ttl_ms: '0' }, true)
    await advance(5_000)
    const before = w.log.length
    await advance(10_000)
    for (const stream of streams) stream.leave()
    expect(w.log.length - before).toBeGreaterThan(2 * 5)
    expect(w.log.length - before).toBeLessThanOrEqual(2 * 11)
  }, 60_000)
})

describe('where users sign in', () => {
  const signedIn = () =>
    createWorld({
      components: { one: component('open'), two: component('secret') },
      variables: {
        ...{
          list_settings: 'list_changes=on',
          catalog_ttl_ms: '1000',
          api_keys: keys('anna', 'ben'),
        },
        policy: JSON.stringify({
          rules: [
            { effect: 'allow', principals: ['*'], tools: ['open*'] },
            { effect: 'allow', principals: ['key:anna'], tools: ['*'] },
          ],
        }),
      },
      now: () => Date.now(),
    })

  it('a caller hears nothing of the tools of others', async () => {
    const w = signedIn()
    const [anyone, anna] = [await open(w, get(as('ben'))), await open(w, get(as('anna')))]
    expect([anyone.status, anna.status]).toEqual([200, 200])
    const streams = [reading(anyone), reading(anna)]
    await advance(3_000)
    w.components['two'] = component('secret2')
    await advance(6_000)
    expect(streams.map((stream) => stream.text().includes('list_changed'))).toEqual([false, true])
    for (const stream of streams) stream.leave()
  })

  it('a subscription ends with its result when the token of its user expires', async () => {
    const w = authenticatedWorld(
      { ...BOTH, auth_leeway_ms: '0', list_settings: 'list_changes=on' },
      undefined,
      { now: () => Date.now() },
    )
    const token = tokenWith({ claims: { exp: Math.floor(Date.now() / 1000) + 15 } })
    const headers = { authorization: `Bearer ${token}` }
    const stream = reading(await open(w, listen(ALL, { headers })))
    await advance(5_000)
    expect(stream.text()).toContain('acknowledged')
    expect(stream.ended()).toBe(false)
    await advance(10_000)
    for (let turns = 0; turns < 50 && !stream.ended(); turns++) await advance(1)
    expect(stream.ended()).toBe(true)
    expect(stream.text()).toMatch(/"result":\{"resultType":"complete"[^\n]*subscriptionId/)
  })

  it('one user does not take the places of the others', async () => {
    const w = signedIn()
    const statuses = []
    for (let i = 0; i < MAX_LISTENERS; i++) {
      const response = await open(w, get(as('ben')))
      statuses.push(response.status)
      if (response.status === 200) reading(response)
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(MAX_LISTENERS / 2)
    expect((await open(w, get(as('anna')))).status).toBe(200)
  })
})

describe('under ftl dev', () => {
  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    'a client of %s learns that changes are announced',
    async (version) => {
      const { result } = await declared(world(), version)
      const listChanged = true
      expect(result.capabilities).toEqual({ tools: { listChanged }, prompts: { listChanged } })
    },
  )

  it('the event stream sends the changed lists, and no others', async () => {
    const w = world()
    await listTools(w)
    const stream = reading(await open(w, get({ 'mcp-protocol-version': '2025-11-25' })))
    await advance(3_000)
    expect(stream.text()).not.toContain('list_changed')
    await rename(w, 'new')
    expect(stream.text().match(/notifications\/\w+\/list_changed/g)).toEqual([
      'notifications/tools/list_changed',
    ])
    stream.leave()
  })

  it('polling queries no component', async () => {
    const w = world()
    await listTools(w)
    const before = w.log.length
    const stream = reading(await open(w, get()))
    await advance(30_000)
    expect(w.log.length).toBe(before)
    stream.leave()
  })

  it('a client that reconnects learns of a change in between', async () => {
    const w = world()
    await listTools(w)
    const first = reading(await open(w, get()))
    await advance(10)
    const [, id = ''] = /^id: (\S+)$/m.exec(first.text()) ?? []
    first.leave()
    await rename(w, 'new')
    const second = reading(await open(w, get({ 'last-event-id': id })))
    await advance(10)
    expect(second.text()).toContain('notifications/tools/list_changed')
    second.leave()
  })

  it('a subscription gets the types it asked for, each with its id', async () => {
    const w = world()
    await listTools(w)
    const wanted = {
      toolsListChanged: true,
      promptsListChanged: false,
      resourceSubscriptions: ['a:b'],
    }
    const stream = reading(await open(w, listen(wanted, { id: 'mine' })))
    w.components['one'] = component('new', { prompts: [{ name: 'q' }] })
    await rename(w, 'new')
    const messages = [...stream.text().matchAll(/^data: (.+)$/gm)].map(
      ([, json = '']) => JSON.parse(json) as unknown,
    )
    const _meta = { 'io.modelcontextprotocol/subscriptionId': 'mine' }
    const notification = (method: string, params: object) => ({ jsonrpc: '2.0', method, params })
    expect(messages).toEqual([
      notification('notifications/subscriptions/acknowledged', {
        _meta,
        notifications: { toolsListChanged: true },
      }),
      notification('notifications/tools/list_changed', { _meta }),
    ])
    stream.leave()
  })

  it.each([
    [undefined, 'params.notifications must be an object'],
    [['tools'], 'params.notifications must be an object'],
    [{ toolChanged: true }, 'params.notifications.toolChanged is unknown'],
    [{ constructor: true }, 'params.notifications.constructor is unknown'],
    [{ toolsListChanged: 'yes' }, 'params.notifications.toolsListChanged must be boolean'],
  ])('the filter %j is refused, and the error names the field', async (filter, reason) => {
    const body: unknown = await (await open(world(), listen(filter))).json()
    expect(body).toMatchObject({ error: { code: -32602, data: { reason } }, id: 1 })
  })

  it.each([['2026-07-28'], ['1999-01-01'], ['nonsense']])(
    'GET with the revision %s is refused',
    async (revision) => {
      const { status } = await open(world(), get({ 'mcp-protocol-version': revision }))
      expect(status).toBe(405)
    },
  )

  it('a stream ends after stream_limit_ms without a result, so that its client listens again', async () => {
    const w = world({ stream_limit_ms: '20000' })
    const streams = [reading(await open(w, get())), reading(await open(w, listen(ALL)))]
    await advance(21_000)
    // Reading the end takes turns of the event loop, more of them on a busy machine.
    for (let turns = 0; turns < 50 && !streams.every((stream) => stream.ended()); turns++)
      await advance(1)
    expect(streams.map((stream) => stream.ended())).toEqual([true, true])
    expect(streams[1]?.text()).not.toContain('"result"')
  })

  it('a place is free again after its client has left', async () => {
    const w = world()
    const requests = Array.from({ length: MAX_LISTENERS }, () => get())
    const streams = []
    for (const request of requests) streams.push(reading(await open(w, request)))
    expect((await open(w, get())).status).toBe(503)
    const refused = await open(w, listen(ALL))
    expect([refused.status, await refused.json()]).toEqual([
      503,
      expect.objectContaining({ error: { code: -32603, message: 'Too many listeners: 16' } }),
    ])
    streams[3]?.leave()
    await advance(6_000)
    expect((await open(w, get())).status).toBe(200)
  })

  it('of a thousand clients at the same moment at most sixteen listen, and calls are answered', async () => {
    const w = world()
    const answers = Array.from({ length: 1000 }, () => w.send(get()))
    await advance(5_000)
    const statuses = (await Promise.all(answers)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(MAX_LISTENERS)
    expect(statuses.filter((status) => status === 503).length).toBeGreaterThan(900)
    expect(await listTools(w)).toMatchObject({ result: { tools: [{ name: 'old' }] } })
  })
})

describe('a catalog of another build', () => {
  it('is asked again at once, although it is not old', async () => {
    const w = world()
    await listTools(w)
    const values: Record<string, string> = { dev_build: 'build-2' }
    const { variables } = w.platform
    w.platform.variables = { get: (name) => values[name] ?? variables.get(name) }
    w.components['one'] = several([tool('new')])
    expect(await listTools(w)).toMatchObject({ result: { tools: [{ name: 'new' }] } })
  })

  it('that an instance of the old build stores after the reload is not listed by the new one', async () => {
    const w = world()
    await listTools(w)
    const values: Record<string, string> = { dev_build: 'build-2' }
    const { variables } = w.platform
    w.platform.variables = { get: (name) => values[name] ?? variables.get(name) }
    w.components['one'] = several([tool('new')])
    await listTools(w)
    // The old build asks its own old component, and stores the answer over the new one.
    values['dev_build'] = 'build-1'
    w.components['one'] = several([tool('old')])
    await listTools(w)
    values['dev_build'] = 'build-2'
    w.components['one'] = several([tool('new')])
    expect(await listTools(w)).toMatchObject({ result: { tools: [{ name: 'new' }] } })
  })
})
