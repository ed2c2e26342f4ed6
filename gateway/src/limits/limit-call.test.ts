import { describe, expect, it, vi } from 'vitest'
import { authenticatedWorld, BOTH } from '../testing/authenticated.ts'
import { call, type Component, createWorld, several, tool } from '../testing/components.ts'
import { API_KEY, digestOf } from '../testing/issuer.ts'
import { record } from '../testing/job-component.ts'
import { modern } from '../testing/modern.ts'
import { request, send } from '../testing/rest.ts'

const OTHER_KEY = `ftl_${'b'.repeat(43)}`
const NOON = Date.parse('2026-11-24T12:00:10Z')

/** A component with a tool that starts a new job at each call, and one that only reads. */
function jobs(): Component {
  let started = 0
  const tools = [tool('make'), { ...tool('look'), annotations: { readOnlyHint: true } }]
  return (sent) => {
    const { pathname } = new URL(sent.url)
    if (sent.method === 'GET') return Response.json({ tools, jobs: true })
    if (pathname === '/look') return Response.json({ content: [] })
    const id = `d1eed89c-d2ff-427e-b5d2-${String(++started).padStart(12, '0')}`
    return Response.json(
      { job: record({ id, component: 'images', tool: 'make' }) },
      { status: 202 },
    )
  }
}

function world(settings: string) {
  const clock = { now: NOON }
  const made = createWorld({
    components: { one: several([tool('a')]), images: jobs() },
    variables: { call_settings: settings },
    now: () => clock.now,
  })
  const invoke = (name: string) =>
    send(made, '/invoke', {
      body: { tool: name, params: {} },
      headers: { prefer: 'respond-async' },
    })
  return { ...made, clock, invoke }
}

describe('calls per minute', () => {
  it('[tools.rate-limit] are limited, and begin again with the next minute', async () => {
    const { invoke, clock } = world('calls_per_minute=2')
    expect([(await invoke('a')).status, (await invoke('a')).status]).toEqual([200, 200])
    const refused = await invoke('a')
    expect(refused).toMatchObject({ status: 429, body: { error: { code: 'limit_reached' } } })
    expect(refused.headers.get('retry-after')).toBe('50')
    clock.now += 50_000
    expect((await invoke('a')).status).toBe(200)
  })

  it('are an error that a model can read, for clients of MCP', async () => {
    const one = world('calls_per_minute=1')
    await one.invoke('a')
    const response = await one.send(modern('tools/call', { name: 'a', arguments: {} }))
    const answer = (await response.json()) as unknown
    expect(answer).toMatchObject({
      result: {
        isError: true,
        content: [{ text: 'You have used up your 1 calls per minute. Retry in 50 s.' }],
      },
    })
  })

  it('do not include following a job', async () => {
    const one = world('calls_per_minute=1')
    await one.rpc({ jsonrpc: '2.0', method: 'tools/list', id: 1 })
    const get = call('get_job', { job_id: 'd1eed89c-d2ff-427e-b5d2-cd004a668935' })
    for (let i = 0; i < 3; i++) {
      expect(JSON.stringify(await one.rpc(get))).toContain('no such job')
    }
  })

  it('of one caller are not those of another', async () => {
    const other = { sha256: digestOf(OTHER_KEY), principal: 'other', scopes: [] }
    const keys = [...(JSON.parse(BOTH.api_keys) as object[]), other]
    const one = authenticatedWorld({
      ...BOTH,
      api_keys: JSON.stringify(keys),
      call_settings: 'calls_per_minute=1',
    })
    const sent = () =>
      one.send(
        request('/invoke', {
          body: { tool: 'a' },
          headers: { authorization: `Bearer ${API_KEY}` },
        }),
      )
    expect([(await sent()).status, (await sent()).status]).toEqual([200, 429])
    const another = request('/invoke', {
      body: { tool: 'a' },
      headers: { authorization: `Bearer ${OTHER_KEY}` },
    })
    expect((await one.send(another)).status).toBe(200)
  })
})

describe('jobs per day', () => {
  it('are limited when a call starts one, until midnight', async () => {
    const { invoke, clock } = world('jobs_per_day=2')
    expect([(await invoke('make')).status, (await invoke('make')).status]).toEqual([202, 202])
    const refused = await invoke('make')
    expect(refused).toMatchObject({ status: 429, body: { error: { code: 'limit_reached' } } })
    expect(refused.body['error']).toMatchObject({
      message: expect.stringContaining('2 jobs per day') as string,
    })
    clock.now += 12 * 3_600_000
    expect((await invoke('make')).status).toBe(202)
  })

  it('leave tools that start none, and those that only read', async () => {
    const { invoke } = world('jobs_per_day=1')
    await invoke('make')
    expect((await invoke('a')).status).toBe(200)
    expect((await invoke('look')).status).toBe(200)
  })
})

it('nothing is stored where nothing is limited', async () => {
  const { invoke, platform } = world('')
  // So that the catalog is stored.
  await invoke('a')
  const store = await platform.openKeyValue('default')
  const written: string[] = []
  vi.spyOn(store, 'set').mockImplementation(async (key) => void written.push(key))
  await invoke('a')
  expect(written).toEqual([])
})

it.each([
  ['calls_per_minute=many', 'calls_per_minute'],
  ['calls_per_minute=-1', 'calls_per_minute'],
  ['jobs_per_week=1', 'names and values'],
  ['audit', 'names and values'],
])('%s is refused, with the reason', async (settings, reason) => {
  const { status, body } = await world(settings).invoke('a')
  expect(status).toBe(500)
  expect(JSON.stringify(body)).toContain(reason)
})
