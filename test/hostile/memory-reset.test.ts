// Requests write at random into the memory of a real component; the next request on the same instance reads all of it.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import '../support/property-seed.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createInstance } from '../../host/src/generic/generic-instance.ts'
import { Component } from '../../host/src/instance/loaded-component.ts'
import type { GuestInstance, Program } from '../../host/src/instance/instance.ts'
import { Pipe } from '../../host/src/http/pipe.ts'
import type { ComponentServices } from '../../host/src/instance/services.ts'
import { prepare } from '../../host/src/prepare/prepare.ts'
import { guestThat } from './support/wat.ts'

/** Bytes an instance may have: it starts with 1 MiB, so that growth sometimes fails. */
const MEMORY_LIMIT = 4 * 1024 * 1024

/**
 * What a step does: `$to` and `$from` are places in memory, `$value` is written, and `$size` bytes fit behind both
 * places.
 */
const STEPS: readonly string[] = [
  ...['i32.store', 'i32.store8', 'i32.store16', 'i32.store offset=9'].map(
    (store) => `(${store} align=1 (local.get $to) (local.get $value))`,
  ),
  ...['i64.store', 'i64.store8', 'i64.store16', 'i64.store32'].map(
    (store) => `(${store} align=1 (local.get $to) (i64.extend_i32_s (local.get $value)))`,
  ),
  '(f32.store align=1 (local.get $to) (f32.reinterpret_i32 (local.get $value)))',
  '(f64.store align=1 (local.get $to) (f64.convert_i32_u (local.get $value)))',
  '(v128.store align=1 (local.get $to) (i8x16.splat (local.get $value)))',
  '(v128.store64_lane align=1 1 (local.get $to) (i8x16.splat (local.get $value)))',
  '(memory.fill (local.get $to) (local.get $value) (local.get $size))',
  '(memory.copy (local.get $to) (local.get $from) (local.get $size))',
  '(drop (memory.grow (i32.and (local.get $value) (i32.const 7))))',
  '(global.set $kept (local.get $value))',
  // The host writes the bytes where the guest's allocator says, and their place and number into the result area.
  `(global.set $next (local.get $to))
   (call $random (i64.extend_i32_u (local.get $size)) (i32.and (local.get $from) (i32.const -4)))`,
  // One byte in each of many pieces: some side by side, some apart.
  `(loop $again
     (i32.store8 (call $place (local.get $to)) (local.get $value))
     (local.set $to (i32.add (local.get $to) (local.get $size)))
     (br_if $again (local.tee $count (i32.sub (local.get $count) (i32.const 1)))))`,
]

/** How a request ends. A guest that traps loses its instance; one that waits is ended by the host. */
const ENDINGS = { respond: 'r', wait: 'w', trap: 't' } as const

/** Grows its memory, then stores all of it, page by page, and what its globals contain. */
const DUMP = 'd'

const PATTERN = 'first state '.repeat(400)

const COMPONENT = guestThat('(call $serve)', {
  imports: `
    (import "fermyon:spin/variables@2.0.0" "get" (func $variable (param i32 i32 i32)))
    (import "fermyon:spin/key-value@2.0.0" "[static]store.open" (func $open (param i32 i32 i32)))
    (import "fermyon:spin/key-value@2.0.0" "[method]store.set"
      (func $set (param i32 i32 i32 i32 i32 i32)))
    (import "wasi:random/random@0.2.10" "get-random-bytes" (func $random (param i64 i32)))
    (import "wasi:clocks/monotonic-clock@0.2.10" "subscribe-duration"
      (func $timer (param i64) (result i32)))
    (import "wasi:io/poll@0.2.10" "[method]pollable.block" (func $block (param i32)))`,
  more: `
    (data (i32.const 1024) "steps") (data (i32.const 1032) "default") (data (i32.const 1040) "k")
    (data (i32.const 4000) "${PATTERN}") (data (i32.const 300000) "${PATTERN}")
    (data (i32.const ${16 * 65_536 - PATTERN.length}) "${PATTERN}")
    (global $kept (mut i32) (i32.const 7))
    (func $bytes (result i32) (i32.shl (memory.size) (i32.const 16)))
    (func $place (param $at i32) (result i32)
      (i32.rem_u (local.get $at) (i32.sub (call $bytes) (i32.const 32))))
    (func $least (param $a i32) (param $b i32) (result i32)
      (select (local.get $a) (local.get $b) (i32.lt_u (local.get $a) (local.get $b))))
    (func $number (param $at i32) (result i32)
      (i32.or (i32.load8_u (local.get $at)) (i32.or
        (i32.shl (i32.load8_u offset=1 (local.get $at)) (i32.const 7))
        (i32.shl (i32.load8_u offset=2 (local.get $at)) (i32.const 14)))))
    (func $step (param $kind i32) (param $to i32) (param $value i32) (param $size i32)
      (local $from i32) (local $count i32)
      (local.set $count (i32.const 40))
      (local.set $to (call $place (local.get $to)))
      (local.set $from (call $place (local.get $value)))
      (local.set $size (call $least (local.get $size) (call $least
        (i32.sub (call $bytes) (local.get $to)) (i32.sub (call $bytes) (local.get $from)))))
      ${STEPS.map(
        (step, kind) =>
          `(if (i32.eq (local.get $kind) (i32.const ${kind})) (then ${step} (return)))`,
      ).join('\n')})
    (func $dump (local $page i32)
      (i32.store (i32.const 64) (global.get $kept))
      (i32.store (i32.const 68) (global.get $next))
      (i32.store (i32.const 72) (memory.grow (i32.const 8)))
      (call $open (i32.const 1032) (i32.const 7) (i32.const 32))
      (loop $again
        (call $set (i32.load (i32.const 36)) (i32.const 1040) (i32.const 1)
          (i32.shl (local.get $page) (i32.const 16)) (i32.const 65536) (i32.const 48))
        (local.set $page (i32.add (local.get $page) (i32.const 1)))
        (br_if $again (i32.lt_u (local.get $page) (memory.size)))))
    (func $serve (local $at i32) (local $end i32) (local $ending i32)
      (call $variable (i32.const 1024) (i32.const 5) (i32.const 32))
      (local.set $at (i32.load (i32.const 36)))
      (local.set $end (i32.add (local.get $at) (i32.load (i32.const 40))))
      (local.set $ending (i32.load8_u (local.get $at)))
      (if (i32.eq (local.get $ending) (i32.const ${DUMP.charCodeAt(0)})) (then (call $dump) (return)))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (loop $again
        (if (i32.ge_u (local.get $at) (local.get $end)) (then
          (if (i32.eq (local.get $ending) (i32.const ${ENDINGS.trap.charCodeAt(0)})) (then (unreachable)))
          (if (i32.eq (local.get $ending) (i32.const ${ENDINGS.wait.charCodeAt(0)})) (then
            (call $block (call $timer (i64.const 3600000000000)))))
          (return)))
        (call $step (i32.load8_u (local.get $at)) (call $number (i32.add (local.get $at) (i32.const 1)))
          (call $number (i32.add (local.get $at) (i32.const 4)))
          (call $number (i32.add (local.get $at) (i32.const 7))))
        (local.set $at (i32.add (local.get $at) (i32.const 10)))
        (br $again)))`,
})

let folder: string
let program: Program

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ftl-reset-'))
  const source = join(folder, 'guest.wasm')
  await writeFile(source, await COMPONENT)
  const options = { component: 'guest', source, cacheDir: folder, memoryLimit: MEMORY_LIMIT }
  program = (await prepare(options)) as Program
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const refuse = () => {
  throw new Error('not here')
}

/** A component as a worker loads it; it gets `steps` as a variable and stores what it sees. */
class Loaded {
  created = 0
  /** A list of pages for each store that was opened. */
  #dumps: Uint8Array[][] = []
  #steps = ''
  readonly #component: Component

  constructor(change: (instance: GuestInstance) => GuestInstance = (instance) => instance) {
    const services: ComponentServices = {
      component: 'guest',
      environment: {},
      outbound: { send: refuse },
      files: { empty: true, stat: refuse, list: refuse, open: refuse },
      openStore: () => {
        const pages: Uint8Array[] = []
        this.#dumps.push(pages)
        const set = (_: string, page: Uint8Array) => void pages.push(page)
        return { set, setIf: refuse, get: refuse, delete: refuse, exists: refuse, keys: refuse }
      },
      variable: () => this.#steps,
      log: () => {},
    }
    this.#component = new Component({
      create: () => change(createInstance(program, services)),
      maxInstances: 10,
      abandonedMs: 0,
      onError: () => {},
      counters: {
        created: () => this.created++,
        reset: () => {},
        discarded: () => {},
        holds: () => {},
      },
    })
  }

  /** Serves requests, each of which begins before the one before it has ended. */
  async serve(requests: readonly string[]): Promise<void> {
    const responses = requests.map((steps) => {
      this.#steps = steps
      const left = steps.startsWith(ENDINGS.wait) ? AbortSignal.timeout(1) : undefined
      return this.#component.handle({
        method: 'GET',
        scheme: 'http',
        authority: 'guest',
        path: '/',
        headers: [],
        body: Pipe.empty(),
        depth: 0,
        ...(left && { signal: left }),
      })
    })
    await Promise.all(responses)
    // A guest may go on after its response, and its instance is reset in a turn of its own.
    while (this.#component.running > 0) await setImmediate()
    await setImmediate()
  }

  /** Everything that each of `count` instances sees of its memory. */
  async dumps(count: number): Promise<Buffer[]> {
    this.#dumps = []
    await this.serve(Array<string>(count).fill(DUMP))
    return this.#dumps.map((pages) => Buffer.concat(pages))
  }

  close(): void {
    this.#component.close()
  }
}

/** Numbers of 21 bits, as three characters of seven. */
const number = (value: number) =>
  String.fromCharCode(value & 127, (value >> 7) & 127, (value >> 14) & 127)

const PIECE = 4096
const near = (edges: fc.Arbitrary<number>) =>
  fc.tuple(edges, fc.integer({ min: -17, max: 17 })).map(([edge, by]) => Math.max(0, edge + by))
const place = fc.oneof(
  fc.integer({ min: 0, max: 2 ** 21 - 1 }),
  // Around the edges of pieces and of the memory, where a mark or a copy may be off by a few bytes.
  near(fc.integer({ min: 0, max: 511 }).map((piece) => piece * PIECE)),
  near(fc.constantFrom(0, 16 * 65_536, 20 * 65_536)),
)
const size = fc.oneof(
  fc.integer({ min: 0, max: 40 }),
  near(fc.integer({ min: 0, max: 8 }).map((pieces) => pieces * PIECE)),
  fc.integer({ min: 0, max: 200_000 }),
)
const step = fc
  .tuple(fc.nat({ max: STEPS.length - 1 }), place, place, size)
  .map(
    ([kind, to, value, bytes]) =>
      String.fromCharCode(kind) + [to, value, bytes].map(number).join(''),
  )
const request = fc
  .tuple(
    fc.constantFrom(...Object.values(ENDINGS), ENDINGS.respond, ENDINGS.respond),
    fc.array(step, { maxLength: 30 }),
  )
  .map(([ending, steps]) => ending + steps.join(''))

test('the component takes the fast way, and its instances can be reset', () => {
  expect(program.resettable).toBe(true)
})

test('whatever requests write, and however they end, the next request sees a new memory', async () => {
  const untouched = new Loaded()
  const [fresh = Buffer.alloc(0)] = await untouched.dumps(1)
  untouched.close()
  expect(fresh.length).toBe(24 * 65_536)
  const loaded = new Loaded()
  let served = 0
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 3 }), async (requests) => {
      await loaded.serve(requests)
      served += requests.length
      const dumps = await loaded.dumps(requests.length)
      expect(dumps.length).toBe(requests.length)
      for (const dump of dumps) {
        expect(dump.length, 'bytes of memory').toBe(fresh.length)
        const first = dump.equals(fresh) ? -1 : dump.findIndex((byte, at) => byte !== fresh[at])
        expect(first, 'a byte of an earlier request').toBe(-1)
      }
    }),
    { numRuns: 150 },
  )
  // Those that trapped were replaced; the others were reset, or nothing would have been tested.
  expect(loaded.created).toBeLessThan(served / 2)
  loaded.close()
}, 60_000)

test('without the reset, the next request would see it', async () => {
  const loaded = new Loaded((instance) => ({
    memoryBytes: instance.memoryBytes,
    run: (...args) => instance.run(...args),
    abandon: (reason) => instance.abandon(reason),
    wasAbandoned: (error) => instance.wasAbandoned(error),
    reset: () => {},
  }))
  const untouched = new Loaded()
  await loaded.serve([`${ENDINGS.respond}\0${[900_000, 1_234_567, 0].map(number).join('')}`])
  const [[left], [fresh]] = [await loaded.dumps(1), await untouched.dumps(1)]
  expect(left?.readInt32LE(900_000)).toBe(1_234_567)
  expect(fresh?.readInt32LE(900_000)).toBe(0)
  loaded.close()
  untouched.close()
})
