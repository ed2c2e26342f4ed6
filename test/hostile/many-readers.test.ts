// Clients that hold answers open, or ask for what takes long, until no instance is left.
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type RunningApplication, startHostile } from './support/application.ts'
import { attack } from './support/attack.ts'
import { RawClient } from './support/raw-client.ts'
import { guestThat } from './support/wat.ts'

/** Long requests may occupy 12 of these. */
const MAX_INSTANCES = 16
const READERS = 40

/**
 * Answers POST at once and DELETE after 700 ms. GET gets the beginning of an answer that goes on for a minute, as a
 * reader of events does; PUT waits as long for its answer.
 */
const wasm = guestThat(
  `(call $method (local.get $request) (i32.const 16))
   (local.set $i (i32.load8_u (i32.const 16)))
   (if (i32.eq (local.get $i) (i32.const 0)) (then
     (local.set $j (call $new-response (call $new-fields)))
     (call $body (local.get $j) (i32.const 32))
     (call $set-response (local.get $out) (i32.const 0) (local.get $j)
       (i32.const 0) (i64.const 0) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0))
     (call $stream (i32.load (i32.const 36)) (i32.const 48))
     (call $write (i32.load (i32.const 52)) (i32.const 0) (i32.const 8) (i32.const 64))
     (call $block (call $after (i64.const 60000000000)))
     (return)))
   (if (i32.eq (local.get $i) (i32.const 3))
     (then (call $block (call $after (i64.const 60000000000)))))
   (if (i32.eq (local.get $i) (i32.const 4))
     (then (call $block (call $after (i64.const 700000000)))))`,
  {
    imports: `
  (import "wasi:http/types@0.2.10" "[method]incoming-request.method" (func $method (param i32 i32)))
  (import "wasi:http/types@0.2.10" "[method]outgoing-response.body" (func $body (param i32 i32)))
  (import "wasi:http/types@0.2.10" "[method]outgoing-body.write" (func $stream (param i32 i32)))
  (import "wasi:io/streams@0.2.10" "[method]output-stream.blocking-write-and-flush"
    (func $write (param i32 i32 i32 i32)))
  (import "wasi:clocks/monotonic-clock@0.2.10" "subscribe-duration"
    (func $after (param i64) (result i32)))
  (import "wasi:io/poll@0.2.10" "[method]pollable.block" (func $block (param i32)))`,
  },
)

let host: RunningApplication
beforeAll(async () => {
  host = await startHostile(
    { guest: { wasm: await wasm } },
    { maxInstances: MAX_INSTANCES, abandonedMs: 100 },
  )
})
afterAll(() => host?.close())

const pause = (milliseconds: number) => new Promise((wake) => setTimeout(wake, milliseconds))
const request = (method: string) => [`${method} /guest/ HTTP/1.1`, 'Host: a', '', '']

/** Short requests are answered while `readers` stay, and the host's own health at once. */
async function serves(): Promise<void> {
  for (let i = 0; i < 10; i++) {
    expect((await fetch(`${host.url}/guest/`, { method: 'POST' })).status).toBe(200)
    const started = performance.now()
    expect((await fetch(`${host.url}/.well-known/spin/health`)).status).toBe(200)
    expect(performance.now() - started).toBeLessThan(1000)
  }
}

/** The host has recognised which requests take long: by its own clock, which a busy machine delays. */
async function sorted(): Promise<void> {
  const short = async () => (await fetch(`${host.url}/guest/`, { method: 'POST' })).status
  await expect.poll(short, { timeout: 3000, interval: 100 }).toBe(200)
}

async function statuses(readers: readonly RawClient[]): Promise<Map<number, number>> {
  const counts = new Map<number, number>()
  for (const reader of readers) {
    const status = await reader.status()
    counts.set(status, (counts.get(status) ?? 0) + 1)
  }
  return counts
}

/** Every instance is free again. */
async function recovers(readers: readonly RawClient[]): Promise<void> {
  for (const reader of readers) reader.destroy()
  const slow = async () => (await fetch(`${host.url}/guest/`, { method: 'DELETE' })).status
  const all = () => Promise.all(Array.from({ length: MAX_INSTANCES }, slow))
  await expect
    .poll(all, { timeout: 15_000, interval: 300 })
    .toEqual(Array.from({ length: MAX_INSTANCES }, () => 200))
}

attack('hold open more answers than there are instances', async () => {
  const readers = Array.from({ length: READERS }, () =>
    new RawClient(host.port).send(...request('GET')),
  )
  // As long as they are young, any of them might be short.
  const counts = await statuses(readers)
  await serves()
  // Nothing was taken from those that had their answer.
  expect(readers.filter(({ closed }) => closed)).toEqual([])
  await recovers(readers)
  expect(Object.fromEntries(counts)).toEqual({ 200: 12, 503: READERS - 12 })
  return '503 beyond three quarters'
})

attack('ask for what takes long more often than there are instances', async () => {
  const readers: RawClient[] = []
  // A failure must not leave its requests to the next test.
  onTestFinished(() => readers.forEach((reader) => reader.destroy()))
  // Again and again: those that are ended leave their places to the next.
  for (let round = 0; round < 5; round++) {
    for (let i = 0; i < 10; i++) {
      readers.push(new RawClient(host.port).send(...request('PUT')))
    }
    await pause(600)
    await sorted()
    await serves()
  }
  const refused = readers.filter(({ received }) => received.startsWith('HTTP/1.1 503'))
  const waiting = readers.filter(({ received, closed }) => received === '' && !closed)
  await recovers(readers)
  expect(waiting.length).toBeGreaterThanOrEqual(12)
  expect(waiting.length + refused.length).toBe(readers.length)
  return 'those that take long make room'
})

attack('take every place again and again, from one address', async () => {
  const clients: RawClient[] = []
  onTestFinished(() => clients.forEach((client) => client.destroy()))
  const [line = '', ...rest] = request('PUT')
  const round = () => {
    for (let i = 0; i < MAX_INSTANCES; i++) {
      const from = 'X-Forwarded-For: 203.0.113.1'
      clients.push(new RawClient(host.port).send(line, from, ...rest))
    }
  }
  round()
  await pause(100)
  const found: number[] = []
  for (let i = 0; i < 20; i++) {
    if (i % 4 === 0) round()
    found.push((await fetch(`${host.url}/guest/`, { method: 'POST' })).status)
  }
  const refused = clients.filter(({ received }) => received.startsWith('HTTP/1.1 503'))
  await recovers(clients)
  expect(found).toEqual(found.map(() => 200))
  expect(refused.length).toBeGreaterThan(0)
  return 'its youngest makes room for another client'
})

attack('leave as soon as a slow request has begun', async () => {
  for (let round = 0; round < 3; round++) {
    for (let i = 0; i < MAX_INSTANCES; i++) {
      const client = new RawClient(host.port).send(...request('PUT'))
      setTimeout(() => client.destroy(), 100)
    }
    await pause(600)
    await sorted()
    await serves()
  }
  await recovers([])
  return 'their places are taken'
})

test('as many requests as there are instances are all served, however long they take', async () => {
  const slow = async () => (await fetch(`${host.url}/guest/`, { method: 'DELETE' })).status
  const answers = await Promise.all(Array.from({ length: MAX_INSTANCES }, slow))
  expect(answers).toEqual(answers.map(() => 200))
})
