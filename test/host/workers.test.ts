// Guests run in worker threads. A guest that never yields loses its thread, and the other requests in that thread still
// get an answer.
import { afterEach, describe, expect, test } from 'vitest'
import type { WorkerLost } from 'ftl-host'
import { type Fixture, sleep, startFixture } from './fixture.ts'

const MAX_BLOCKING_MS = 1500

/** With one worker, all requests share a thread with the guest that keeps it. */
const together = { workers: 1, maxBlockingMs: MAX_BLOCKING_MS }

let host: Fixture
const losses: WorkerLost[] = []
async function start(options: Parameters<typeof startFixture>[0]): Promise<void> {
  losses.length = 0
  host = await startFixture({ ...options, onWorkerLost: (event) => losses.push(event) })
}
afterEach(() => host.close())

const statusOf = async (path: string, init?: RequestInit) =>
  (await fetch(host.url + path, init)).status

describe('a guest that never yields', () => {
  test.each(['/spin', '/spin-later', '/call?to=http://probe.spin.internal/spin'])(
    'loses its thread and is named: %s',
    async (path) => {
      await start(together)
      const started = performance.now()
      expect(await statusOf(path)).toBe(500)
      expect(performance.now() - started).toBeGreaterThan(MAX_BLOCKING_MS)
      await expect.poll(() => losses.length).toBe(1)
      expect(losses[0]?.component).toBe('probe')
      expect(losses[0]?.reason).toContain('kept its thread')
      expect(losses[0]?.path).toBe(path)
    },
  )

  test('delays no other request for long, because a worker was ready', async () => {
    await start(together)
    // The spare is made behind the start.
    await sleep(1500)
    await statusOf('/spin')
    const started = performance.now()
    expect(await statusOf('/state')).toBe(200)
    expect(performance.now() - started).toBeLessThan(1000)
  })

  test('does not end those who share its thread', async () => {
    await start(together)
    const others = Array.from({ length: 10 }, () => host.text('/wait?ms=100'))
    await statusOf('/spin')
    expect(await Promise.all(others)).toEqual(Array.from({ length: 10 }, () => 'waited'))
  })

  test('has nothing done twice: a request that has changed something fails', async () => {
    await start(together)
    const changed = statusOf('/wait?key=noted&ms=300')
    await sleep(200)
    await statusOf('/spin')
    expect(await changed).toBe(500)
    expect((await host.json('/kv?key=noted'))['value']).toBe('once ')
    await expect.poll(() => losses.length).toBe(1)
    expect(losses[0]).toMatchObject({ failed: 2, repeated: 0 })
  })

  test('does not stop the other worker', async () => {
    await start({ workers: 2, maxBlockingMs: 3000 })
    await statusOf('/state')
    const spinning = statusOf('/spin')
    await sleep(300)
    const started = performance.now()
    for (let i = 0; i < 5; i++) expect(await statusOf('/state')).toBe(200)
    expect(performance.now() - started).toBeLessThan(2000)
    expect(await spinning).toBe(500)
  })

  test.each([1, 2])('does not keep other requests waiting, on %i busy workers', async (workers) => {
    const maxBlockingMs = 4000
    await start({ workers, maxBlockingMs })
    await statusOf('/state')
    // The spare is made behind the start.
    await sleep(1500)
    const started = performance.now()
    // Settled, because they fail with the host if an expectation does not hold.
    const spinning = Promise.allSettled(
      Array.from({ length: workers }, () => statusOf('/spin?log=true')),
    )
    await expect
      .poll(() => host.logs.filter(({ line }) => line === 'spinning').length, { interval: 1 })
      .toBe(workers)
    // These come to a worker before it is known to be busy.
    const others = Array.from({ length: 10 }, (_, nth) => statusOf(`/wait?key=moved${nth}&ms=1`))
    expect(await Promise.all(others)).toEqual(Array.from({ length: 10 }, () => 200))
    expect(performance.now() - started).toBeLessThan(maxBlockingMs / 2)
    for (let nth = 0; nth < 10; nth++) {
      expect((await host.json(`/kv?key=moved${nth}`))['value']).toBe('once ')
    }
    expect(losses).toEqual([])
    expect(await spinning).toEqual(
      Array.from({ length: workers }, () => ({ status: 'fulfilled', value: 500 })),
    )
  })

  test('called by a component that can live with it is not called again', async () => {
    await start(together)
    // The outer guest passes on the 500 that stands for the one that was ended.
    const to = encodeURIComponent('http://probe.spin.internal/spin?key=once')
    expect(await statusOf(`/call?to=${to}`)).toBe(500)
    expect(host.errors).toEqual([])
    expect((await host.json('/kv?key=once'))['value']).toBe('once ')
    await expect.poll(() => losses[0]).toMatchObject({ repeated: 1, failed: 0 })
  })
})

test('workers share one key-value store, in memory too', async () => {
  await start({ workers: 3 })
  // Held requests make the pool use every worker.
  const writing = Array.from({ length: 12 }, (_, i) => host.text(`/wait?key=k${i}&ms=200`))
  await Promise.all(writing)
  const { keys } = await host.json('/kv')
  expect(keys).toEqual(expect.arrayContaining(Array.from({ length: 12 }, (_, i) => `k${i}`)))
})

describe('limits', () => {
  test('a request that takes too long is answered 504 and its guests are ended', async () => {
    await start({ maxInstances: 1, requestTimeoutMs: 300 })
    expect(await statusOf('/hang')).toBe(504)
    await expect.poll(() => statusOf('/state'), { timeout: 3000 }).toBe(200)
  })

  test('a guest whose client has left is ended after a while', async () => {
    await start({ maxInstances: 1, abandonedMs: 200 })
    const leaving = new AbortController()
    const left = statusOf('/hang', { signal: leaving.signal }).catch(() => 'left')
    await sleep(100)
    leaving.abort()
    expect(await left).toBe('left')
    await expect.poll(() => statusOf('/state'), { timeout: 3000 }).toBe(200)
    await expect
      .poll(() => host.errors.map(({ message }) => message))
      .toContainEqual(expect.stringContaining('its caller had left'))
  })

  test('work after the response is not ended', async () => {
    await start({ abandonedMs: 50 })
    await host.text('/after?key=late')
    await expect
      .poll(async () => (await host.json('/kv?key=late'))['value'], { timeout: 3000 })
      .toBe('written')
  })

  test('more requests than the host takes get 503 and a time to wait', async () => {
    await start({ maxRequests: 2 })
    const busy = [host.text('/wait?ms=400'), host.text('/wait?ms=400')]
    await sleep(150)
    const refused = await fetch(`${host.url}/state`)
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toBe('1')
    await Promise.all(busy)
    expect(await statusOf('/state')).toBe(200)
  })

  test('a head that is too long gets 431', async () => {
    await start({ maxHeaderBytes: 2000 })
    expect(await statusOf('/state', { headers: { 'x-long': 'x'.repeat(3000) } })).toBe(431)
  })

  test('a body that is too long gets 413, announced or not', async () => {
    await start({ maxBodyBytes: 100_000 })
    const body = new Uint8Array(100_001)
    expect(await statusOf('/count', { method: 'POST', body })).toBe(413)
    const stream = new Blob([body]).stream()
    const init = { method: 'POST', body: stream, duplex: 'half' } as RequestInit
    expect(await statusOf('/count', init)).toBe(413)
    expect(await host.text('/count', { method: 'POST', body: body.subarray(1) })).toBe('100000')
  })
})
