// What the host tells of each request from outside.
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { RequestEntry } from 'ftl-host'
import { type Fixture, startFixture } from './fixture.ts'

let host: Fixture
let entries: RequestEntry[]
beforeEach(async () => {
  entries = []
  host = await startFixture({
    workers: 1,
    requestTimeoutMs: 1500,
    maxBodyBytes: 1000,
    maxChainDepth: 3,
    onRequest: (entry) => entries.push(entry),
  })
})
afterEach(() => host.close())

async function entry(): Promise<RequestEntry> {
  await expect.poll(() => entries.length, { timeout: 5000 }).toBeGreaterThan(0)
  const [first] = entries.splice(0)
  if (!first) throw new Error('none')
  return first
}

test('method, path without the query, route, size, id and how long it took', async () => {
  const body = await host.text('/users/7/request?secret=1', {
    method: 'POST',
    body: 'text',
    headers: { 'x-request-id': 'mine' },
  })
  const { milliseconds, ...rest } = await entry()
  expect(rest).toEqual({
    method: 'POST',
    path: '/users/7/request',
    route: '/users/:id/...',
    components: ['probe'],
    status: 200,
    bytes: Buffer.byteLength(body),
    outcome: 'answered',
    reason: undefined,
    requestId: 'mine',
  })
  expect(milliseconds).toBeGreaterThan(0)
})

test('the components it passed, in order', async () => {
  const loop = encodeURIComponent('http://back.spin.internal/loop?depth=1')
  await host.text(`/call?to=${loop}`)
  expect((await entry()).components).toEqual(['probe', 'back', 'back', 'back'])
})

test('also what no component answers: a route of the manifest, none, health, a body too long', async () => {
  await host.text('/static')
  expect(await entry()).toMatchObject({ status: 418, components: [], bytes: 'no component'.length })
  await host.text('/.well-known/spin/health')
  expect(await entry()).toMatchObject({ status: 200, route: undefined, components: [] })
  await host.text('/echo', { method: 'POST', body: 'x'.repeat(1001) })
  expect(await entry()).toMatchObject({ status: 413, components: [] })
})

test('a streamed answer is logged at its end, with its full size and time', async () => {
  const body = await host.text('/events')
  const { milliseconds, bytes } = await entry()
  expect(bytes).toBe(Buffer.byteLength(body))
  expect(milliseconds).toBeGreaterThan(390)
})

test('a guest that goes on after its answer does not hold the line back', async () => {
  const patient = await startFixture({ workers: 1, onRequest: (one) => entries.push(one) })
  try {
    // Longer than anything here waits.
    await patient.text('/after?ms=600000')
    expect(await entry()).toMatchObject({ path: '/after', status: 200 })
  } finally {
    await patient.close()
  }
})

test('a client that leaves, before the answer or in it', async () => {
  const signal = AbortSignal.timeout(100)
  await expect(fetch(`${host.url}/hang`, { signal })).rejects.toThrow()
  expect(await entry()).toMatchObject({ status: 0, outcome: 'left', components: ['probe'] })
  const leaving = new AbortController()
  const response = await fetch(`${host.url}/events`, { signal: leaving.signal })
  await response.body?.getReader().read()
  leaving.abort()
  expect(await entry()).toMatchObject({ status: 200, outcome: 'left' })
})

test('one that took too long, and an answer the host broke off, with the reason', async () => {
  expect((await fetch(`${host.url}/hang`)).status).toBe(504)
  expect(await entry()).toMatchObject({
    status: 504,
    outcome: 'answered',
    reason: 'took longer than 1.5 s',
  })
  const drip = encodeURIComponent('http://back.spin.internal/drip')
  const body = await host.text(`/call?to=${drip}`)
  expect(body).toContain('drip 2')
  expect(await entry()).toMatchObject({ components: ['probe', 'back'], outcome: 'answered' })
  await expect(host.text('/flood')).rejects.toThrow()
  expect(await entry()).toMatchObject({
    status: 200,
    outcome: 'cut',
    reason: 'took longer than 1.5 s',
  })
})
