// Three hosts with one store behind a proxy: every host can do with a job what the one can that started it.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { embeddedOnly } from '../support/embedded-only.ts'
import { recordRequests } from '../support/internal-requests.ts'
import { echo, readJob, request, startPicture } from './clients.ts'
import { startNodeProxy } from './node-proxy.ts'
import { STORES } from './store.ts'
import { as, CALLS_PER_MINUTE, type Many, startMany } from './world.ts'

const only = embeddedOnly('starts hosts of its own')

/** Without a comparison in the store, six calls at once started 3 jobs on average, and one at best. */
const ROUNDS = 4
/** Of the tool generate_image. */
const POLL_MS = 1000
/** Of the application in this folder. */
const CATALOG_TTL_MS = 2000

describe.for(STORES)('three hosts and one $title', only, ({ program }) => {
  let many: Many

  beforeAll(async () => {
    many = await startMany(program)
    console.log(`${many.store.name}, ${many.proxy.name}`)
    // The first answer of each component takes longest.
    for (const url of many.urls) await request(`${url}/tools`, 'reads')
  })
  afterAll(() => many?.close())
  const it = test.skipIf(program === undefined)

  it('a job that one host started is read, waited for and shown by the others', async () => {
    const [first, second, third] = many.urls
    const id = await startPicture(first, 'reads')
    expect((await readJob(second, 'reads', id)).body).toMatchObject({ id, status: 'working' })
    const headers = { ...as('reads'), accept: 'application/x-ndjson' }
    const events = await (await fetch(`${third}/jobs/${id}/events`, { headers })).text()
    expect(events).toContain('"type":"result"')
    for (const url of [...many.urls, many.proxy.url]) {
      expect((await readJob(url, 'reads', id)).body).toMatchObject({ id, status: 'completed' })
      const output = await fetch(`${url}/outputs/${id}.png`, { headers: as('reads') })
      expect(output.headers.get('content-type')).toBe('image/png')
      await output.arrayBuffer()
    }
    expect(many.comfyui.taken.filter((taken) => taken === id)).toHaveLength(1)
  })

  it('a job that one host started is cancelled by another, for all', async () => {
    const [first, second, third] = many.urls
    const id = await startPicture(first, 'reads')
    const cancelled = await request(`${second}/jobs/${id}`, 'reads', { method: 'DELETE' })
    expect(cancelled.body).toMatchObject({ id, status: 'cancelled' })
    for (const url of [first, third]) {
      expect((await readJob(url, 'reads', id)).body).toMatchObject({ status: 'cancelled' })
    }
    const atComfyui = await fetch(`${many.comfyui.url}/api/jobs/${id}`)
    expect(await atComfyui.json()).not.toMatchObject({ status: 'completed' })
  })

  it('a job of one caller does not exist for another caller on another host', async () => {
    const id = await startPicture(many.urls[0], 'reads')
    expect((await readJob(many.urls[1], 'lists', id)).status).toBe(404)
  })

  it('an idempotency key that was used on one host returns its job on the others', async () => {
    const key = crypto.randomUUID()
    const call = { key, seed: 77 }
    const id = await startPicture(many.urls[0], 'repeats', call)
    for (const url of [...many.urls, many.proxy.url]) {
      expect(await startPicture(url, 'repeats', call)).toBe(id)
    }
    const reused = startPicture(many.urls[2], 'repeats', { key, seed: 78 })
    await expect(reused).rejects.toThrow('idempotency_key_reuse')
    expect(many.comfyui.taken.filter((taken) => taken === id)).toHaveLength(1)
  })

  it('an idempotency key that is used on three hosts at the same moment starts one job', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const call = { key: crypto.randomUUID(), seed: 1000 + round }
      const taken = many.comfyui.taken.length
      const places = [...many.urls, ...many.urls]
      const ids = await Promise.all(places.map((url) => startPicture(url, 'races', call)))
      expect(new Set(ids).size).toBe(1)
      expect(many.comfyui.taken.slice(taken)).toEqual([ids[0]])
    }
  })

  it('a proxy that sends a request twice starts one job where the client sent an idempotency key', async () => {
    const proxy = await startNodeProxy(many.urls, { repeatAfterMs: 1 })
    try {
      const before = many.comfyui.taken.length
      const id = await startPicture(proxy.url, 'repeats', { key: crypto.randomUUID() })
      await expect.poll(() => many.comfyui.taken.slice(before)).toEqual([id])
      // Without a key, both are jobs: the proxy must not do that.
      await startPicture(proxy.url, 'repeats')
      await expect.poll(() => many.comfyui.taken.length - before).toBe(3)
    } finally {
      await proxy.close()
    }
  })

  it('of ten readers on three hosts, one makes ComfyUI look at a job that is due', async () => {
    const id = await startPicture(many.urls[0], 'reads')
    const isLook = (each: string) => each === `GET /api/jobs/${id}`
    const { body } = await readJob(many.urls[0], 'reads', id)
    expect(body['status']).toBe('working')
    const before = many.comfyui.requests.filter(isLook).length
    await sleep(Date.parse(String(body['updatedAt'])) + POLL_MS + 20 - Date.now())
    const readers = Array.from({ length: 10 }, (_, i) => many.urls[i % 3] as string)
    await Promise.all(readers.map((url) => readJob(url, 'reads', id)))
    expect(many.comfyui.requests.filter(isLook).length - before).toBe(1)
  })

  it('lists on three hosts ask each component once when the catalog is too old', async () => {
    await request(`${many.urls[0]}/tools`, 'lists')
    await sleep(CATALOG_TTL_MS + 20)
    const places = Array.from({ length: 12 }, (_, i) => many.urls[i % 3] as string)
    const { requests, value } = await recordRequests(() =>
      Promise.all(places.map((url) => request(`${url}/tools`, 'lists'))),
    )
    for (const { body } of value) expect(JSON.stringify(body)).toContain('generate_image')
    // A component may ask ComfyUI before it answers.
    const asked = requests.filter(({ authority }) => authority.endsWith('.spin.internal'))
    expect(asked.map(({ authority }) => authority).sort()).toEqual([
      'echo.spin.internal',
      'generate-image.spin.internal',
    ])
  })

  it('a call on a host that has never listed asks no component for its tools', async () => {
    const { requests } = await recordRequests(() => echo(many.urls[2], 'lists'))
    expect(requests.map(({ method }) => method)).toEqual(['POST'])
  })

  it('calls per minute count on all hosts together, also calls at the same moment', async () => {
    // Within one minute of the clock.
    const left = 60_000 - (Date.now() % 60_000)
    if (left < 5_000) await sleep(left)
    const places = Array.from(
      { length: CALLS_PER_MINUTE + 9 },
      (_, i) => many.urls[i % 3] as string,
    )
    const answers = await Promise.all(places.map((url) => echo(url, 'limited')))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.sort()).toEqual(places.map((_, i) => (i < CALLS_PER_MINUTE ? 200 : 429)))
  })
})
