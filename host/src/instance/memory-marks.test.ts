// A rewritten module is run for real, and what it wrote is put back: not a byte may be left.
import { parse } from '@bytecodealliance/jco-transpile/wasm-tools'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MARKS_EXPORT, PAGE_BYTES, PAGE_COUNT_EXPORT } from '../wasm/added-exports.ts'
import { rewriteModule } from '../wasm/rewrite-module.ts'
import { GuestMemory } from './memory.ts'
import { FirstMemory } from './first-memory.ts'
import { MemoryMarks } from './memory-marks.ts'

/** Bytes each store writes. */
const STORES = {
  'i32.store': 4,
  'i32.store8': 1,
  'i32.store16': 2,
  'i64.store': 8,
  'i64.store8': 1,
  'i64.store16': 2,
  'i64.store32': 4,
  'f32.store': 4,
  'f64.store': 8,
  'v128.store': 16,
  'v128.store8_lane': 1,
  'v128.store16_lane': 2,
  'v128.store32_lane': 4,
  'v128.store64_lane': 8,
} as const
type StoreName = keyof typeof STORES

const OFFSET = 70_000
const VALUES: Record<string, string> = {
  i32: '(i32.const -1)',
  i64: '(i64.const -1)',
  f32: '(f32.const -nan:0x7fffff)',
  f64: '(f64.const -nan:0xfffffffffffff)',
  v128: '(v128.const i32x4 -1 -1 -1 -1)',
}

function storeFunctions(store: string): string {
  const value = VALUES[store.slice(0, store.indexOf('.'))] ?? ''
  const lane = store.endsWith('_lane') ? ' 0' : ''
  return ['', ` offset=${OFFSET}`]
    .map(
      (offset) => `(func (export "${store}${offset.trim() && '+'}") (param i32)
        (local i64) (${store}${offset} align=1${lane} (local.get 0) ${value}))`,
    )
    .join('\n')
}

const MODULE = await parse(`(module
  (import "env" "f" (func))
  (memory (export "memory") 3)
  (global (mut i32) (i32.const 0))
  (data (i32.const 4000) "${'first state '.repeat(400)}")
  ${Object.keys(STORES).map(storeFunctions).join('\n')}
  (func (export "copy") (param i32 i32 i32) (memory.copy (local.get 0) (local.get 1) (local.get 2)))
  (func (export "fill") (param i32 i32 i32) (memory.fill (local.get 0) (local.get 1) (local.get 2)))
  (func (export "grow") (param i32) (result i32) (memory.grow (local.get 0))))`)
const rewritten = rewriteModule(MODULE, 1024 * 1024)
const compiled = new WebAssembly.Module(rewritten.bytes as Uint8Array<ArrayBuffer>)

type Call = (...args: number[]) => number

function instance() {
  const { exports } = new WebAssembly.Instance(compiled, { env: { f: () => {} } })
  const memory = exports['memory'] as WebAssembly.Memory
  const pages = exports[PAGE_COUNT_EXPORT] as WebAssembly.Global<'i32'>
  const marks = new MemoryMarks(exports[MARKS_EXPORT] as WebAssembly.Memory)
  const image = new Uint8Array(memory.buffer).slice()
  const first = new FirstMemory(image)
  const bytes = () => new Uint8Array(memory.buffer)
  return {
    memory,
    marks,
    call: (name: string, ...args: number[]) => (exports[name] as Call)(...args),
    bytes,
    restore() {
      marks.restore(bytes(), first)
      pages.value = 3
    },
    /** The first position that is not as it was at first, -1 for none. */
    difference() {
      const now = bytes()
      const whole = new Uint8Array(now.length)
      whole.set(image)
      return Buffer.compare(now, whole) === 0 ? -1 : now.findIndex((byte, at) => byte !== whole[at])
    },
  }
}

const END = 3 * PAGE_BYTES

test('the module is one that can be put back', () => {
  expect(rewritten.notResettable).toBeUndefined()
})

test.each(Object.entries(STORES))('%s is undone wherever it is', (store, size) => {
  const guest = instance()
  const near = (edge: number) => Array.from({ length: 34 }, (_, i) => edge - 17 + i)
  const places = [...near(4096), ...near(8192), ...near(PAGE_BYTES), 0, END - size]
  for (const at of places.filter((place) => place <= END - size)) {
    guest.call(store, at)
    expect(guest.difference(), `written at ${at}`).toBe(at)
    guest.restore()
    expect(guest.difference(), `left at ${at}`).toBe(-1)
  }
})

test.each(Object.keys(STORES))('%s with an offset is undone', (store) => {
  const guest = instance()
  for (const at of [0, 4095, 8191 - OFFSET + PAGE_BYTES, 60_000]) {
    guest.call(`${store}+`, at)
    expect(guest.difference()).toBe(at + OFFSET)
    guest.restore()
    expect(guest.difference()).toBe(-1)
  }
})

test('a store out of bounds traps and marks nothing it did not write', () => {
  const guest = instance()
  expect(() => guest.call('i32.store', END - 3)).toThrow('out of bounds')
  expect(() => guest.call('i32.store+', -1)).toThrow('out of bounds')
  guest.restore()
  expect(guest.difference()).toBe(-1)
})

const address = fc.integer({ min: 0, max: 5 * PAGE_BYTES })
const length = fc.oneof(
  fc.integer({ min: 0, max: 20 }),
  fc.integer({ min: 0, max: 2 * PAGE_BYTES }),
)
const step = fc.oneof(
  fc.tuple(fc.constantFrom(...(Object.keys(STORES) as StoreName[])), address),
  fc.tuple(fc.constant('fill'), address, fc.integer({ min: 1, max: 255 }), length),
  fc.tuple(fc.constant('copy'), address, address, length),
  fc.tuple(fc.constant('grow'), fc.integer({ min: 0, max: 4 })),
  fc.tuple(fc.constant('host'), address, length),
)

test('whatever a guest and its host write, in whatever order, nothing is left', () => {
  const guest = instance()
  const host = new GuestMemory()
  let next = 0
  host.attach(guest.memory, () => next)
  host.markIn(guest.marks)
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      for (const [name, ...args] of steps) {
        try {
          if (name === 'host') {
            next = Number(args[0])
            // The place of the list comes first in memory, its bytes somewhere else.
            if (next + Number(args[1]) > guest.bytes().length) continue
            host.setBytes(16, new Uint8Array(Number(args[1])).fill(1))
          } else guest.call(name, ...(args as number[]))
        } catch (error) {
          // Out of bounds: a guest would have ended there.
          if (!(error instanceof WebAssembly.RuntimeError)) throw error
        }
      }
      guest.restore()
      expect(guest.difference()).toBe(-1)
    }),
    { numRuns: 300 },
  )
})
