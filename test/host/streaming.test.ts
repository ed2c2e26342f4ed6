import { connect } from 'node:net'
import { createHash, randomBytes } from 'node:crypto'
import { request as rawRequest } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { arrivals } from '../support/arrivals.ts'
import { type Fixture, sleep, startFixture } from './fixture.ts'

let host: Fixture
beforeAll(async () => {
  host = await startFixture()
})
afterAll(() => host.close())

const MEGABYTE = 1024 * 1024
const valueOf = async (key: string) => (await host.json(`/kv?key=${key}`))['value']
const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

test('an event arrives when it is written', async () => {
  const { isBeforeNext } = await arrivals(await fetch(`${host.url}/events`))
  expect(isBeforeNext).toHaveLength(2)
  expect(isBeforeNext).toContain(true)
})

test('work of waitUntil goes on after the response', async () => {
  expect(await host.text('/after?key=late&ms=2000')).toBe('answered')
  expect(await valueOf('late')).toBeNull()
  await expect.poll(() => valueOf('late')).toBe('written')
})

test('ten megabytes go through whole, in both directions', async () => {
  const body = randomBytes(10 * MEGABYTE)
  const response = await fetch(`${host.url}/echo`, { method: 'POST', body })
  expect(digest(new Uint8Array(await response.arrayBuffer()))).toBe(digest(body))
})

test('ten megabytes go through the chain whole, in either direction', async () => {
  const body = randomBytes(10 * MEGABYTE)
  const call = (path: string) =>
    `${host.url}/call?to=${encodeURIComponent(`http://back.spin.internal${path}`)}`
  const up = await fetch(call('/digest'), { method: 'POST', body })
  expect(await up.text()).toBe(digest(body))
  const down = await fetch(call('/bytes'))
  const bytes = new Uint8Array(await down.arrayBuffer())
  expect(digest(bytes)).toBe(digest(new Uint8Array(10 * MEGABYTE).fill(7)))
})

test('a reader that stops reading stops the writer', async () => {
  const { hostname, port } = new URL(host.url)
  const socket = connect(Number(port), hostname)
  socket.pause()
  socket.write(`GET /flood?key=slow HTTP/1.1\r\nhost: ${hostname}:${port}\r\n\r\n`)
  await expect.poll(() => valueOf('slow').then(Number)).toBeGreaterThan(0)
  await sleep(700)
  const before = Number(await valueOf('slow'))
  await sleep(500)
  const after = Number(await valueOf('slow'))
  // What the buffers of two sockets and the pipe hold, and not a byte more however long it takes.
  expect(before).toBeLessThan(40 * MEGABYTE)
  expect(after).toBe(before)
  socket.destroy()
})

test('a client that leaves ends the writing and frees the instance', async () => {
  const small = await startFixture({ maxInstances: 1 })
  const abort = new AbortController()
  const response = await fetch(`${small.url}/flood?key=left`, { signal: abort.signal })
  await response.body?.getReader().read()
  expect((await fetch(`${small.url}/state`)).status).toBe(503)
  abort.abort()
  const status = async () => (await fetch(`${small.url}/state`)).status
  await expect.poll(status, { timeout: 5000 }).toBe(200)
  await small.close()
})

test('a body is taken in no faster than the component reads it', async () => {
  const { hostname, port } = new URL(host.url)
  let sent = 0
  const request = rawRequest({ hostname, port, path: '/hang', method: 'POST' })
  request.on('error', () => {})
  const chunk = Buffer.alloc(MEGABYTE)
  const write = () => {
    while (sent < 200 * MEGABYTE) {
      sent += chunk.length
      if (!request.write(chunk)) return
    }
  }
  request.on('drain', write)
  write()
  await sleep(500)
  expect(sent).toBeLessThan(40 * MEGABYTE)
  request.destroy()
})

test('a component may count a body and need not read one', async () => {
  const body = randomBytes(3 * MEGABYTE)
  const post = { method: 'POST', body }
  expect(await host.text('/count', post)).toBe(String(3 * MEGABYTE))
  expect(await host.text('/ignore-body', post)).toBe('did not look')
  expect(await host.text('/count', post)).toBe(String(3 * MEGABYTE))
})
