import type { JobRecord } from 'ftl-contract'
import { KeyValueError } from 'ftl-platform'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { call, type Component, createWorld, type World } from '../testing/components.ts'
import { JOB_ID, jobComponent, record, store } from '../testing/job-component.ts'
import { keptJobKey } from './kept-jobs.ts'

const OTHER_ID = 'd0000000-0000-4000-8000-000000000000'
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const NOW = Date.parse('2026-01-01T12:00:00Z')
const iso = (milliseconds: number) => new Date(milliseconds).toISOString()

interface Asked {
  started?: Partial<JobRecord>
  now?: () => number
  variables?: Record<string, string>
}

/** A component whose calls answer with `started`; asked for a job, with the `answers`. */
function worldWith(
  answers: Parameters<typeof jobComponent>,
  { started = {}, now = () => NOW, variables = {} }: Asked = {},
): World {
  const { component } = jobComponent(...answers)
  const images: Component = async (request) => {
    const response = await component(request)
    if (response.status !== 202) return response
    return Response.json({ job: { ...record({}, now()), ...started } }, { status: 202 })
  }
  return createWorld({ components: { images }, now, variables })
}

function startCall(world: World, user?: string): Promise<unknown> {
  const params = { ...(call('generate_image', { prompt: 'p' }) as { params: object }).params }
  const message = { jsonrpc: '2.0', method: 'tools/call', id: 1, params }
  return world.rpc(message, user === undefined ? {} : { 'x-forwarded-user': user })
}

async function kept(world: World, id = JOB_ID): Promise<JobRecord | undefined> {
  const bytes = await (await world.platform.openKeyValue('default')).get(keptJobKey(id))
  return bytes && (JSON.parse(new TextDecoder().decode(bytes)) as JobRecord)
}

async function read(world: World, user = ''): Promise<{ status: number; job: JobRecord }> {
  const headers = { 'x-forwarded-user': user }
  const response = await world.send(
    new Request(`http://localhost:3000/jobs/${JOB_ID}`, { headers }),
  )
  return { status: response.status, job: (await response.json()) as JobRecord }
}

describe('a job that a component has answered with', () => {
  it('is kept before the client hears of it, without what only its component needs', async () => {
    const world = worldWith([])
    await startCall(world)
    expect(await kept(world)).toMatchObject({ id: JOB_ID, component: 'images', status: 'working' })
    expect(JSON.stringify(await kept(world))).not.toContain('secret')
  })

  it('belongs to its caller, not to the user its component names', async () => {
    const variables = { trust_forwarded_user: 'without-secret' }
    const world = worldWith([], { started: { owner: 'bob' }, variables })
    await startCall(world, 'alice')
    expect((await read(world, 'alice')).status).toBe(200)
    expect((await read(world, 'bob')).status).toBe(404)
  })

  it.each([
    ['7 days', '', 7 * DAY_MS],
    ['job_ttl_ms', 'job_ttl_ms=60000', MINUTE_MS],
  ])('lives no longer than %s, and is asked about at least once an hour', async (_, set, limit) => {
    const started = {
      expiresAt: iso(NOW + 900 * DAY_MS),
      pollIntervalMs: 1e12,
      updatedAt: iso(1e14),
    }
    const world = worldWith([], { started, variables: { call_settings: set } })
    await startCall(world)
    expect(await kept(world)).toMatchObject({
      expiresAt: iso(NOW + limit),
      pollIntervalMs: 60 * MINUTE_MS,
      updatedAt: iso(NOW),
    })
  })

  it('is refused when it is the job of another component', async () => {
    const world = worldWith([])
    await store(world.platform, record({ component: 'workflows', message: 'mine' }, NOW))
    world.platform.variables = {
      get: (name) => (name === 'tool_components' ? 'images,workflows' : undefined),
    }
    expect(JSON.stringify(await startCall(world))).toContain('not a tool result')
    expect(await kept(world)).toMatchObject({ component: 'workflows', message: 'mine' })
  })

  it('is refused when it is the job of another caller', async () => {
    const world = worldWith([], { variables: { trust_forwarded_user: 'without-secret' } })
    await store(world.platform, record({ owner: 'alice' }, NOW))
    expect(JSON.stringify(await startCall(world, 'bob'))).toContain('not a tool result')
    expect(await kept(world)).toMatchObject({ owner: 'alice' })
  })
})

describe('a job whose record cannot be stored when it starts', () => {
  const AWAY = new KeyValueError('other', 'connect ECONNREFUSED 10.0.0.7:6379')
  let world: World
  let isAway: boolean
  let error: Error
  beforeEach(() => {
    vi.useFakeTimers()
    vi.spyOn(console, 'error').mockImplementation(() => {})
    isAway = false
    error = AWAY
    world = worldWith([])
    const images = world.components['images']
    world.components['images'] = async (request) => {
      isAway = true
      return images?.(request) ?? new Response()
    }
    const stores = world.platform.openKeyValue('default')
    world.platform.openKeyValue = async () => {
      const store = await stores
      return new Proxy(store, {
        get: (target, name) =>
          isAway && name !== 'then'
            ? () => Promise.reject(error)
            : (Reflect.get(target, name) as unknown),
      })
    }
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.restoreAllMocks()
  })

  async function wait(milliseconds: number): Promise<void> {
    await vi.advanceTimersByTimeAsync(milliseconds)
  }

  it('is given to the client, and stored once the store is back', async () => {
    expect(JSON.stringify(await startCall(world))).toContain(JOB_ID)
    await wait(10_000)
    isAway = false
    expect(await kept(world)).toBeUndefined()
    await wait(20_000)
    expect(await kept(world)).toMatchObject({ id: JOB_ID, component: 'images' })
  })

  it('does not replace what another call has stored meanwhile', async () => {
    await startCall(world)
    isAway = false
    await store(world.platform, record({ status: 'completed', seq: 9 }, NOW))
    await wait(60_000)
    expect(await kept(world)).toMatchObject({ status: 'completed', seq: 9 })
  })

  it('is given up after half a minute', async () => {
    await startCall(world)
    await wait(60_000)
    isAway = false
    await wait(600_000)
    expect(await kept(world)).toBeUndefined()
  })

  it('is not tried again where the store may not be opened', async () => {
    error = new KeyValueError('access-denied')
    await startCall(world)
    isAway = false
    await wait(60_000)
    expect(await kept(world)).toBeUndefined()
  })
})

describe('an answer about a kept job', () => {
  const old = iso(NOW - MINUTE_MS)

  it('changes how it is getting on, not whose it is', async () => {
    const forged = { owner: 'bob', tool: 'other', createdAt: iso(NOW - DAY_MS), message: 'Half.' }
    const world = worldWith([{ ...forged, seq: 7 }])
    await store(world.platform, record({ updatedAt: old }, NOW))
    await read(world)
    const job = await kept(world)
    expect(job).toMatchObject({ message: 'Half.', seq: 7, tool: 'generate_image' })
    expect(job).toMatchObject({ createdAt: iso(NOW) })
    expect(job).not.toHaveProperty('owner')
  })

  it('that was overtaken is not believed', async () => {
    const world = worldWith([{ seq: 2, message: 'Late.' }])
    await store(world.platform, record({ updatedAt: old, seq: 5, message: 'Later.' }, NOW))
    expect((await read(world)).job).toMatchObject({ seq: 5, message: 'Later.' })
  })

  it('does not take back an end that another reader has seen meanwhile', async () => {
    const world = worldWith([])
    await store(world.platform, record({ updatedAt: old, seq: 2 }, NOW))
    world.components['images'] = async () => {
      await store(world.platform, record({ status: 'completed', seq: 3 }, NOW))
      return Response.json(record({ seq: 4 }, NOW))
    }
    expect((await read(world)).job).toMatchObject({ status: 'completed', seq: 3 })
    expect(await kept(world)).toMatchObject({ status: 'completed', seq: 3 })
  })

  it('is asked for at once when the record says it is from the future', async () => {
    const world = worldWith([{ seq: 7 }])
    await store(world.platform, record({ updatedAt: iso(NOW + DAY_MS) }, NOW))
    expect((await read(world)).job.seq).toBe(7)
  })

  it('becomes a failure when it is too large to be kept', async () => {
    const text = 'x'.repeat(1_000_001)
    const result = { content: [{ type: 'text' as const, text }] }
    const world = worldWith([{ status: 'completed', result }])
    await store(world.platform, record({ updatedAt: old }, NOW))
    await read(world)
    expect(await kept(world)).toMatchObject({ error: { data: { kind: 'result_too_large' } } })
  })
})

describe('the store', () => {
  it('shows no record that a component has put there', async () => {
    const world = worldWith([])
    const values = await world.platform.openKeyValue('default')
    await values.set(`job:${JOB_ID}`, JSON.stringify(record({}, NOW)))
    expect((await read(world)).status).toBe(404)
  })

  it('leads to no component that tool_components does not name', async () => {
    const world = worldWith([], { variables: { tool_components: 'echo' } })
    await store(world.platform, record({ updatedAt: iso(NOW - MINUTE_MS) }, NOW))
    expect((await read(world)).status).toBe(404)
    expect(world.log).toEqual([])
  })

  it('loses records that are not read again, when a later job begins', async () => {
    let now = NOW
    const started = { id: OTHER_ID, expiresAt: iso(NOW + MINUTE_MS) }
    const world = worldWith([], { started, now: () => now, variables: { stream_start: 'always' } })
    await startCall(world)
    await world.platform.settled()
    expect(await kept(world, OTHER_ID)).toBeDefined()
    now += 2 * MINUTE_MS
    Object.assign(started, { id: JOB_ID, expiresAt: iso(now + MINUTE_MS) })
    await startCall(world)
    await world.platform.settled()
    expect(await kept(world, OTHER_ID)).toBeUndefined()
    expect(await kept(world)).toBeDefined()
  })
})
