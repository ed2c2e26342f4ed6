import { createHash, randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { arrivals } from '../support/arrivals.ts'
import { sleep } from './fixture.ts'
import { type GenericFixture, startGeneric } from './generic-fixture.ts'

// The same component as in the tests beside this one, inside a composition: it behaves alike on either way.
let host: GenericFixture
beforeAll(async () => {
  host = await startGeneric(['probe'])
})
afterAll(() => host.close())

const MEGABYTE = 1024 * 1024
const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const valueOf = async (key: string) => (await host.json(`/kv?key=${key}`))['value']

test('the start tells which component takes the generic way, and why', () => {
  expect(host.reasons).toEqual([
    { component: 'probe', reason: 'it is composed of several components' },
  ])
})

test('a request arrives whole, and headers with several values go both ways', async () => {
  const answer = await host.json('/request?q=ü', {
    method: 'POST',
    body: 'grüße',
    headers: { 'x-one': 'a', 'Proxy-Authorization': 'never seen' },
  })
  expect(answer).toMatchObject({ method: 'POST', body: 'grüße' })
  const headers = new Map(answer['headers'] as [string, string][])
  expect(headers.get('x-one')).toBe('a')
  expect(headers.has('proxy-authorization')).toBe(false)
  const response = await fetch(`${host.url}/header?status=201`)
  expect(response.status).toBe(201)
  expect(response.headers.get('x-list')).toBe('a, b')
  expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
})

test('no request sees what another one left behind', async () => {
  const random = new Set<unknown>()
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      for (let i = 0; i < 10; i++) {
        const answer = await host.json('/state')
        expect(answer['counts']).toEqual([1, 1, 1])
        for (const value of answer['random'] as unknown[]) random.add(value)
      }
    }),
  )
  expect(random.size).toBe(3 * 40)
})

test('values, variables, files and output are those of the fast way', async () => {
  expect(await host.json('/kv?key=generic&set=käse')).toMatchObject({ value: 'käse', exists: true })
  expect(await host.json('/kv?key=generic&delete')).toMatchObject({ value: null, exists: false })
  expect((await host.json('/kv?label=other'))['payload']).toEqual({ tag: 'access-denied' })
  expect(await host.text('/variable?name=greeting')).toBe('hello, secret')
  expect((await host.json('/variable?name=token'))['payload']).toMatchObject({ tag: 'undefined' })
  expect(await host.text('/file?path=data/greeting.txt')).toBe('hello from a file\n')
  expect((await host.json('/file?path=../spin.toml'))['payload']).toBe('not-permitted')
  expect(await host.json('/folder')).toEqual(['data'])
  await host.text('/log')
  expect(host.logs).toContainEqual({ component: 'probe', stream: 'stdout', line: 'one line' })
  expect(host.logs).toContainEqual({ component: 'probe', stream: 'stderr', line: 'another' })
})

test('an event arrives when it is written', async () => {
  const { isBeforeNext } = await arrivals(await fetch(`${host.url}/events`))
  expect(isBeforeNext).toHaveLength(2)
  expect(isBeforeNext).toContain(true)
})

test('ten megabytes go through whole, in both directions', async () => {
  const body = randomBytes(10 * MEGABYTE)
  const response = await fetch(`${host.url}/echo`, { method: 'POST', body })
  expect(digest(new Uint8Array(await response.arrayBuffer()))).toBe(digest(body))
})

test('a reader that stops reading stops the writer', async () => {
  const { hostname, port } = new URL(host.url)
  const socket = connect(Number(port), hostname)
  socket.pause()
  socket.write(`GET /flood?key=slow HTTP/1.1\r\nhost: ${hostname}:${port}\r\n\r\n`)
  await expect.poll(() => valueOf('slow').then(Number), { timeout: 5000 }).toBeGreaterThan(0)
  await sleep(700)
  const before = Number(await valueOf('slow'))
  await sleep(500)
  expect(Number(await valueOf('slow'))).toBe(before)
  expect(before).toBeLessThan(40 * MEGABYTE)
  socket.destroy()
})

test('work of waitUntil goes on after the response', async () => {
  expect(await host.text('/after?key=late')).toBe('answered')
  expect(await valueOf('late')).toBeNull()
  await expect.poll(() => valueOf('late'), { timeout: 3000 }).toBe('written')
})

test('a handler that throws is a 500 that tells nothing', async () => {
  const response = await fetch(`${host.url}/throw`)
  expect(response.status).toBe(500)
  expect(await response.text()).not.toContain('the handler threw')
})

test('a request that wants more memory than allowed fails alone', async () => {
  expect(await host.text('/grow?mb=40')).toBe(String(40 * MEGABYTE))
  const greedy = await fetch(`${host.url}/grow?mb=400`)
  expect([409, 500]).toContain(greedy.status)
  await greedy.text()
  expect((await host.json('/state'))['counts']).toEqual([1, 1, 1])
})

test('a client that leaves ends the writing and frees the instance', async () => {
  const small = await startGeneric(['probe'], { maxInstances: 1 })
  const abort = new AbortController()
  const response = await fetch(`${small.url}/flood?key=left`, { signal: abort.signal })
  await response.body?.getReader().read()
  expect((await fetch(`${small.url}/state`)).status).toBe(503)
  abort.abort()
  const status = async () => (await fetch(`${small.url}/state`)).status
  await expect.poll(status, { timeout: 5000 }).toBe(200)
  await small.close()
})

describe.each([
  ['the caller', ['probe']],
  ['the component that is called', ['back']],
  ['each of the two', ['probe', 'back']],
] as const)('when %s takes the generic way', (_, generic) => {
  let chain: GenericFixture
  beforeAll(async () => {
    chain = await startGeneric(generic)
  })
  afterAll(() => chain.close())
  const call = (path: string, init?: RequestInit) =>
    fetch(`${chain.url}/call?to=${encodeURIComponent(`http://back.spin.internal${path}`)}`, init)

  test('a call of another component goes through whole, in either direction', async () => {
    const body = randomBytes(3 * MEGABYTE)
    const up = await call('/digest', { method: 'POST', body })
    expect(await up.text()).toBe(digest(body))
    const down = await call('/bytes')
    expect(digest(new Uint8Array(await down.arrayBuffer()))).toBe(
      digest(new Uint8Array(10 * MEGABYTE).fill(7)),
    )
  })

  test('a chunk passes when it is written', async () => {
    const { isBeforeNext } = await arrivals(await call('/drip'))
    expect(isBeforeNext).toHaveLength(2)
    expect(isBeforeNext).toContain(true)
  })

  test('a failure of the one that is called is an answer the caller sees', async () => {
    expect((await call('/throw')).status).toBe(500)
    const missing = await chain.text(
      `/call?to=${encodeURIComponent('http://nobody.spin.internal/')}`,
    )
    expect(missing).toContain('refused')
  })
})
