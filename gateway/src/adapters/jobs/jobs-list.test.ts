// `GET /jobs`: what a caller has started, and for an observer what all have.
import type { JobRecord } from 'ftl-contract'
import { jsonOf, type KeyValue } from 'ftl-platform'
import { beforeEach, describe, expect, it } from 'vitest'
import { ownerTag } from '../../jobs/job-index.ts'
import type { Item } from '../../store-shares.ts'
import { authenticatedWorld, BOTH } from '../../testing/authenticated.ts'
import { call, type Component, createWorld, type World } from '../../testing/components.ts'
import { record } from '../../testing/job-component.ts'
import { API_KEY } from '../../testing/issuer.ts'

const NOW = Date.parse('2026-01-01T12:00:00Z')
const LOCAL = { 'spin-client-addr': '127.0.0.1:5000' }

/** Where the gateway lists the jobs of the component. */
const BOOK = 'gateway:share:images'
const bookOf = async (store: KeyValue) => jsonOf(await store.get(BOOK)) as [number, Item[]]

const idOf = (number: number) =>
  `${(number % 16).toString(16)}${String(number).padStart(7, '0')}-0000-4000-8000-000000000000`

interface Listed {
  jobs: (Record<string, unknown> & { id: string })[]
  next?: string
}

let now: number
let world: World
/** What the component starts next. */
let starting: Partial<JobRecord>

const images: Component = (request) => {
  const tool = (name: string) => ({ name, inputSchema: { type: 'object' } })
  return request.method === 'GET'
    ? Response.json({ contract: 1, tools: [tool('draw'), tool('upscale')] })
    : Response.json({ job: { ...record({ tool: 'draw' }, now), ...starting } }, { status: 202 })
}

beforeEach(() => {
  now = NOW
  const variables = { trust_forwarded_user: 'without-secret' }
  world = createWorld({ components: { images }, variables, now: () => now })
})

async function start(
  number: number,
  user: string,
  changes: Partial<JobRecord> = {},
): Promise<void> {
  now += 1000
  starting = { id: idOf(number), ...changes }
  await world.rpc(call(starting.tool ?? 'draw', {}), { 'x-forwarded-user': user })
}

async function send(query: string, headers: Record<string, string>, to = world) {
  const request = new Request(`http://localhost:3000/jobs${query}`, { headers })
  const response = await to.send(request)
  return { status: response.status, body: (await response.json()) as Listed & { error?: object } }
}

const listOf = async (user: string, query = '') =>
  (await send(query, { 'x-forwarded-user': user })).body
const ids = ({ jobs }: Listed) => jobs.map(({ id }) => id)

describe('a caller', () => {
  it('sees its own jobs only, the newest first', async () => {
    await start(1, 'alice')
    await start(2, 'bob')
    await start(3, 'alice')
    expect(ids(await listOf('alice'))).toEqual([idOf(3), idOf(1)])
    expect(ids(await listOf('bob'))).toEqual([idOf(2)])
    expect(await listOf('carol')).toEqual({ jobs: [] })
  })

  it('gets how a job is and until when it is kept, without its result and where it runs', async () => {
    const progress = { value: 3, total: 20 }
    await start(1, 'alice', {
      ...{ status: 'failed', message: 'Third in the queue.', progress },
      error: { code: -32000, message: 'broke', data: { row: 'opensesame' } },
      result: { content: [{ type: 'text', text: 'opensesame' }] },
    })
    const list = await listOf('alice')
    expect(list.jobs).toEqual([
      {
        ...{ id: idOf(1), tool: 'draw', component: 'images', status: 'failed', progress },
        ...{ message: 'Third in the queue.', error: { code: -32000, message: 'broke' } },
        ...{ owner: 'alice', isOwn: true, createdAt: new Date(now).toISOString() },
        updatedAt: new Date(now).toISOString(),
        expiresAt: new Date(now + 3_600_000).toISOString(),
      },
    ])
    expect(JSON.stringify(list)).not.toContain('opensesame')
  })

  it('reads page after page, each job once', async () => {
    for (let number = 0; number < 25; number++) await start(number, 'alice')
    const seen: string[] = []
    let next: string | undefined
    do {
      const page: Listed = await listOf('alice', `?limit=10${next ? `&after=${next}` : ''}`)
      expect(page.jobs.length).toBeLessThanOrEqual(10)
      seen.push(...ids(page))
      next = page.next
    } while (next !== undefined)
    expect(seen).toEqual(Array.from({ length: 25 }, (_, index) => idOf(24 - index)))
  })

  it('filters by status, tool and component', async () => {
    await start(1, 'alice', { status: 'completed' })
    await start(2, 'alice', { tool: 'upscale' })
    await start(3, 'alice', { status: 'input_required' })
    expect(ids(await listOf('alice', '?status=running'))).toEqual([idOf(3), idOf(2)])
    expect(ids(await listOf('alice', '?status=completed'))).toEqual([idOf(1)])
    expect(ids(await listOf('alice', '?tool=upscale'))).toEqual([idOf(2)])
    expect(ids(await listOf('alice', '?component=other'))).toEqual([])
  })

  it('does not see jobs that have expired', async () => {
    await start(1, 'alice')
    now += 3_600_000
    expect(ids(await listOf('alice'))).toEqual([])
  })

  it('finds its job behind many of others, although one page does not read all records', async () => {
    const store = await world.platform.openKeyValue('default')
    await start(1, 'alice')
    const [version, [own]] = await bookOf(store)
    // With the tag of alice, as if their callers had it too, so each record has to be read.
    const others = Array.from({ length: 300 }, (_, index) => {
      const [, expires, , tag, bytes] = own as Item
      return [idOf(index * 16 + 2), expires, now - 1000, tag, bytes]
    })
    await store.set(BOOK, JSON.stringify([version, [own, ...others]]))
    for (const [id] of others.slice(0, 250)) {
      const job = record({ id: String(id), owner: 'bob', component: 'images' }, now)
      await store.set(`gateway:job:${id}`, JSON.stringify(job))
    }
    const first = await listOf('alice')
    expect(ids(first)).toEqual([idOf(1)])
    expect(first.next).toBeDefined()
    expect(await listOf('alice', `?after=${first.next}`)).toEqual({ jobs: [] })
  })

  it('does not see a job of another caller whose name has the same tag', async () => {
    await start(1, 'bob')
    const store = await world.platform.openKeyValue('default')
    await start(17, 'alice')
    const [version, items] = await bookOf(store)
    const tag = items.find(([id]) => id === idOf(17))?.[3]
    const same = items.map(([id, expires, created, , bytes]) => [id, expires, created, tag, bytes])
    await store.set(BOOK, JSON.stringify([version, same]))
    expect(ids(await listOf('alice'))).toEqual([idOf(17)])
  })
})

describe('all jobs', () => {
  it('are for an observer, with their owners; the others are refused', async () => {
    const rules = [
      { effect: 'allow', principals: ['key:ci'], actions: ['observe'] },
      { effect: 'allow' },
    ]
    const options = { components: { images }, now: () => now }
    const observed = authenticatedWorld(
      { ...BOTH, policy: JSON.stringify({ rules }) },
      undefined,
      options,
    )
    const others = authenticatedWorld(
      { ...BOTH, policy: JSON.stringify({ rules: [{ effect: 'allow' }] }) },
      undefined,
      options,
    )
    for (const each of [observed, others]) {
      const store = await each.platform.openKeyValue('default')
      const items: Item[] = []
      for (const [number, owner] of [
        [1, 'key:ci'],
        [2, 'ada'],
      ] as const) {
        const job = record({ id: idOf(number), owner, tool: 'draw', component: 'images' }, now)
        await store.set(`gateway:job:${job.id}`, JSON.stringify(job))
        items.push([job.id, Date.parse(job.expiresAt), now + number, ownerTag(owner), 4096])
      }
      await store.set(BOOK, JSON.stringify([1, items]))
    }
    const bearer = { authorization: `Bearer ${API_KEY}` }
    const { status, body } = await send('?of=all', bearer, observed)
    expect(status).toBe(200)
    expect(body.jobs.map(({ id, owner, isOwn }) => [id, owner, isOwn])).toEqual([
      [idOf(2), 'ada', false],
      [idOf(1), 'key:ci', true],
    ])
    const refused = await send('?of=all', bearer, others)
    expect(refused).toMatchObject({ status: 403, body: { error: { code: 'jobs_forbidden' } } })
    expect(JSON.stringify(refused.body)).not.toContain(idOf(2))
    expect(ids((await send('', bearer, others)).body)).toEqual([idOf(1)])
    // The list makes nothing readable that was not: the record is still its owner's.
    const read = new Request(`http://localhost:3000/jobs/${idOf(2)}`, { headers: bearer })
    expect((await observed.send(read)).status).toBe(404)
  })
})

describe('without a name of the caller', () => {
  beforeEach(() => {
    world = createWorld({ components: { images }, now: () => now })
  })

  it('a program on this machine sees the jobs, whose ids are all that protects them', async () => {
    await start(1, 'ignored')
    expect(ids((await send('', LOCAL)).body)).toEqual([idOf(1)])
  })

  it.each<Record<string, string>>([
    { 'spin-client-addr': '10.0.0.7:1' },
    { 'spin-client-addr': '' },
    { ...LOCAL, 'x-forwarded-for': '127.0.0.1' },
    { ...LOCAL, via: '1.1 proxy' },
    { ...LOCAL, origin: 'http://localhost:5173' },
    { ...LOCAL, 'sec-fetch-site': 'cross-site' },
  ])('a request with %j does not', async (headers) => {
    await start(1, 'ignored')
    for (const query of ['', '?of=all']) {
      const refused = await send(query, headers)
      expect(refused.status).toBe(403)
      expect(JSON.stringify(refused.body)).not.toContain(idOf(1))
    }
  })
})

it.each([
  ['of=others', 'of'],
  ['owner=bob', 'owner'],
  ['status=done', 'status'],
  ['limit=0', 'limit'],
  ['limit=101', 'limit'],
  ['limit=1e2', 'limit'],
  ['after=1', 'after'],
  ['after=1.__proto__', 'after'],
  [`after=${'9'.repeat(300)}`, 'after'],
  [`tool=${'x'.repeat(300)}`, 'tool'],
])('%.20s is refused with the name of the field', async (query, field) => {
  const { status, body } = await send(`?${query}`, { 'x-forwarded-user': 'alice' })
  expect(status).toBe(400)
  expect(body).toMatchObject({ error: { code: 'invalid_request' } })
  expect(JSON.stringify(body)).toContain(`\\"${field}\\"`)
})
