// What the host holds for a guest lies outside the guest's memory and must have a limit of its own.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { attack } from './support/attack.ts'
import {
  type HostileComponent,
  type RunningApplication,
  startHostile,
} from './support/application.ts'
import { guestThat } from './support/wat.ts'

const TYPES = 'wasi:http/types@0.2.10'
const IMPORTS = `
  (import "${TYPES}" "[method]fields.append" (func $append (param i32 i32 i32 i32 i32 i32)))
  (import "${TYPES}" "[static]fields.from-list" (func $from-list (param i32 i32 i32)))
  (import "${TYPES}" "[method]fields.clone" (func $clone (param i32) (result i32)))
  (import "${TYPES}" "[resource-drop]fields" (func $drop-fields (param i32)))
  (import "${TYPES}" "[method]outgoing-response.headers" (func $headers (param i32) (result i32)))
  (import "${TYPES}" "[resource-drop]outgoing-response" (func $drop-response (param i32)))
  (import "${TYPES}" "[method]outgoing-response.body" (func $body (param i32 i32)))
  (import "${TYPES}" "[method]outgoing-body.write" (func $stream (param i32 i32)))
  (import "${TYPES}" "[constructor]outgoing-request" (func $new-request (param i32) (result i32)))
  (import "${TYPES}" "[method]outgoing-request.set-path-with-query"
    (func $set-path (param i32 i32 i32 i32) (result i32)))
  (import "wasi:io/streams@0.2.10" "[method]output-stream.write" (func $write (param i32 i32 i32 i32)))
  (import "wasi:clocks/monotonic-clock@0.2.10" "subscribe-duration"
    (func $sleep (param i64) (result i32)))
  (import "wasi:io/poll@0.2.10" "poll" (func $poll (param i32 i32 i32)))
  (import "wasi:random/random@0.2.10" "get-random-bytes" (func $random (param i64 i32)))`

const forever = (body: string) => `(loop $again ${body} (br $again))`
const times = (count: number, body: string) => `(loop $again ${body}
  (br_if $again (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const ${count}))))`

/** Appends a header of 60,000 bytes, all of them spaces. */
const append = (fields: string, size = 60_000) =>
  `(call $append ${fields} (i32.const 0) (i32.const 1) (i32.const 1024) (i32.const ${size}) (i32.const 16))`

/** A guest, what the log must say of it, and the answer. */
const ATTACKS: Record<string, [body: string, stopped: RegExp | undefined]> = {
  'makes handles without end': [
    forever('(drop (call $new-fields))'),
    /hold more than 32768 KiB for it: handles/,
  ],
  'waits for timers without end': [
    forever('(drop (call $sleep (i64.const 60000000000)))'),
    /hold more than 32768 KiB for it: handles/,
  ],
  'fills thousands of header lists': [
    forever(`(local.set $j (call $new-fields)) ${append('(local.get $j)')}`),
    /hold more than 32768 KiB for it/,
  ],
  'clones a long header list without end': [
    `(local.set $j (call $new-fields)) ${append('(local.get $j)')} ${forever('(drop (call $clone (local.get $j)))')}`,
    /hold more than 32768 KiB for it/,
  ],
  'keeps the headers of messages it has dropped': [
    forever(`(local.set $j (call $new-fields)) ${append('(local.get $j)')}
      (local.set $j (call $new-response (local.get $j)))
      (drop (call $headers (local.get $j))) (call $drop-response (local.get $j))`),
    /hold more than 32768 KiB for it/,
  ],
  'gives thousands of requests a long path': [
    forever(`(drop (call $set-path (call $new-request (call $new-fields))
      (i32.const 1) (i32.const 32) (i32.const 65536)))`),
    /hold more than 32768 KiB for it/,
  ],
  'fills thousands of bodies that nobody reads': [
    forever(`(call $body (call $new-response (call $new-fields)) (i32.const 16))
      (call $stream (i32.load (i32.const 20)) (i32.const 16))
      (call $write (i32.load (i32.const 20)) (i32.const 1024) (i32.const 131072) (i32.const 16))`),
    /hold more than 32768 KiB for it: bytes of bodies/,
  ],
  'sets 100,000 response headers, one by one': [
    `(local.set $j (call $new-fields)) ${times(100_000, append('(local.get $j)', 1))}`,
    /headers of one message take more than 128 KiB/,
  ],
  'sets 60,000 response headers at once': [
    `(call $fill) (call $from-list (i32.const 1024) (i32.const 60000) (i32.const 16))`,
    /headers of one message take more than 128 KiB/,
  ],
  'polls the same timer 200,000 times at once': [
    `(local.set $j (call $sleep (i64.const 60000000000)))
     ${times(200_000, '(i32.store (i32.add (i32.const 1024) (i32.mul (local.get $i) (i32.const 4))) (local.get $j))')}
     (call $poll (i32.const 1024) (i32.const 200000) (i32.const 16))`,
    /poll of more than 10000 pollables/,
  ],
  'asks for 4 GB of random bytes': [
    '(call $random (i64.const 4294967296) (i32.const 16))',
    /too many random bytes at once/,
  ],
  'makes and drops 300,000 handles': [
    times(300_000, '(call $drop-fields (call $new-fields))'),
    undefined,
  ],
}

const idOf = (name: string) => name.replace(/[^a-z0-9]+/g, '-')

/** A hundred thousand headers with the name "a" and no value, as a list in memory. */
const FILL = `(func $fill (local $at i32) (local.set $at (i32.const 1024))
  (loop $again
    (i32.store (local.get $at) (i32.const 0)) (i32.store offset=4 (local.get $at) (i32.const 1))
    (i32.store offset=8 (local.get $at) (i32.const 0)) (i32.store offset=12 (local.get $at) (i32.const 0))
    (br_if $again (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 16))) (i32.const 1000000)))))
  (data (i32.const 0) "a")`

// Bytes 32 on are what paths are made of, bytes 1024 on what values are made of: both of zeros would be refused.
const TEXT = `(func $text (memory.fill (i32.const 32) (i32.const 47) (i32.const 900000)))`

let host: RunningApplication
let base = 0

beforeAll(async () => {
  const guests = Object.entries(ATTACKS).map(
    async ([name, [body]]): Promise<[string, HostileComponent]> => [
      idOf(name),
      { wasm: await guestThat(`(call $text) ${body}`, { imports: IMPORTS, more: FILL + TEXT }) },
    ],
  )
  host = await startHostile({
    ...Object.fromEntries(await Promise.all(guests)),
    good: { wasm: await guestThat('') },
  })
  base = process.memoryUsage().rss
})
afterAll(() => host?.close())

for (const [name, [, stopped]] of Object.entries(ATTACKS)) {
  attack(name, async () => {
    const id = idOf(name)
    const answers = await Promise.all([1, 2].map(() => fetch(`${host.url}/${id}/`)))
    const messages = host.errors.filter(({ component }) => component === id)
    if (stopped === undefined) {
      expect(messages).toEqual([])
      expect(answers.map(({ status }) => status)).toEqual([200, 200])
      return 'nothing: the same handle is used again'
    }
    expect(answers.map(({ status }) => status)).toEqual([500, 500])
    expect(messages[0]?.message).toMatch(stopped)
    return messages[0]?.message ?? ''
  })
}

test('after all of them the host serves, and has not kept what they filled', async () => {
  expect((await fetch(`${host.url}/good/`)).status).toBe(200)
  expect((process.memoryUsage().rss - base) / 1e6).toBeLessThan(700)
})
