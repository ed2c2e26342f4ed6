import { expect, test } from 'vitest'
import { flatten, liftFlat, lowerFlat } from './flat-values.ts'
import { alignmentOf, sizeOf } from './layout.ts'
import type { ValueType } from './types.ts'
import { load, type Side, store, type Value } from './values.ts'

function side(): Side & { bytes(at: number, size: number): number[] } {
  const memory = new WebAssembly.Memory({ initial: 1 })
  let next = 1024
  return {
    memory,
    realloc: (_at, _size, alignment, size) => {
      next = Math.ceil(next / alignment) * alignment
      next += size
      return next - size
    },
    take: (handle) => ({ resource: { handle } }),
    look: (handle) => ({ resource: { handle } }),
    give: ({ resource }) => (resource as { handle: number }).handle + 2000,
    lend: ({ resource }) => (resource as { handle: number }).handle + 1000,
    bytes: (at, size) => [...new Uint8Array(memory.buffer, at, size)],
  }
}

const record = (...fields: ValueType[]): ValueType => ({ kind: 'record', fields })
const variant = (...cases: (ValueType | undefined)[]): ValueType => ({ kind: 'variant', cases })
const list = (element: ValueType): ValueType => ({ kind: 'list', element })
const text = (value: string) => new Uint8Array(Buffer.from(value))
const u8 = { kind: 'u8' } as const
const u16 = { kind: 'u16' } as const
const u32 = { kind: 'u32' } as const
const u64 = { kind: 'u64' } as const
const f32 = { kind: 'f32' } as const
const f64 = { kind: 'f64' } as const
const string = { kind: 'string' } as const

// CanonicalABI.md, "Alignment" and "Element Size": fields at their alignment, the whole a multiple of the largest.
test.each<[string, ValueType, number, number]>([
  ['a record with gaps', record(u8, u64, u8), 24, 8],
  ['a record of bytes', record(u8, u8, u8), 3, 1],
  ['a record of nothing', record(), 0, 1],
  ['an option of a word', variant(undefined, u64), 16, 8],
  ['an option of a byte', variant(undefined, u8), 2, 1],
  ['a result of a string or a byte', variant(string, u8), 12, 4],
  ['a variant of 257 cases', variant(...Array<undefined>(257)), 2, 2],
  ['a variant of 256 cases', variant(...Array<undefined>(256)), 1, 1],
  ['nine flags', { kind: 'flags', count: 9 }, 2, 2],
  ['seventeen flags', { kind: 'flags', count: 17 }, 4, 4],
  ['a list', list(u64), 8, 4],
  ['a character', { kind: 'char' }, 4, 4],
])('%s takes its place in memory', (_, type, size, alignment) => {
  expect([sizeOf(type), alignmentOf(type)]).toEqual([size, alignment])
})

// "Flattening": the slots of a variant's cases are joined, i32 with f32 to i32, anything else to i64.
test.each<[string, ValueType, string[]]>([
  ['numbers that share a slot', variant(u32, f32), ['i32', 'i32']],
  ['a word and a float', variant(u64, f32), ['i32', 'i64']],
  ['floats of two sizes', variant(f32, f64), ['i32', 'i64']],
  ['one float', variant(f64, undefined), ['i32', 'f64']],
  ['cases of unequal length', variant(string, f64), ['i32', 'i64', 'i32']],
])('a variant of %s is flattened', (_, type, flat) => {
  expect(flatten(type)).toEqual(flat)
})

test('values lie where the format says', () => {
  const to = side()
  const type = record(u8, u16, variant(undefined, u32), { kind: 'flags', count: 3 })
  store(to, 16, type, [1, 0x0203, { tag: 1, payload: 0x04050607 }, 5])
  expect(to.bytes(16, 16)).toEqual([1, 0, 3, 2, 1, 0, 0, 0, 7, 6, 5, 4, 5, 0, 0, 0])
})

const deep = record(
  list(record(u8, string, variant(undefined, list(u16)))),
  variant(f32, f64, u64, string, undefined),
  { kind: 's8' },
  { kind: 's64' },
)

test.each<[string, ValueType, Value]>([
  ['a string', string, text('grüße')],
  ['no string', string, text('')],
  ['a list of strings', list(string), [text('a'), text(''), text('ü')]],
  ['bytes', list(u8), text('bytes')],
  [
    'a record of everything',
    deep,
    [
      [
        [255, text('x'), { tag: 1, payload: [1, 65_535] }],
        [0, text(''), { tag: 0, payload: undefined }],
      ],
      { tag: 1, payload: -0.1 },
      -128,
      -(2n ** 63n),
    ],
  ],
  ['a half-size float in a wide slot', deep, [[], { tag: 0, payload: 1.5 }, 127, 2n ** 62n]],
  ['a word in a slot floats share', deep, [[], { tag: 2, payload: -1n }, 0, 0n]],
  ['a pointer in a slot words share', deep, [[], { tag: 3, payload: text('q') }, 0, 0n]],
  ['a case without anything', deep, [[], { tag: 4, payload: undefined }, 0, 0n]],
])('%s arrives as it was sent, in memory and in parameters', (_, type, value) => {
  const to = side()
  store(to, 0, type, value)
  expect(load(to, 0, type)).toEqual(value)
  const flat = lowerFlat(to, type, value)
  expect(flat).toHaveLength(flatten(type).length)
  for (const [i, slot] of flatten(type).entries()) {
    expect(typeof flat[i]).toBe(slot === 'i64' ? 'bigint' : 'number')
  }
  expect(liftFlat(to, flat, type)).toEqual(value)
})

test('what a core function leaves above a small number is not part of it', () => {
  const from = side()
  expect(liftFlat(from, [0x1ff], u8)).toBe(255)
  expect(liftFlat(from, [0x180], { kind: 's8' })).toBe(-128)
  expect(liftFlat(from, [2], { kind: 'bool' })).toBe(1)
})

test('a borrowed handle is translated, wherever it stands', () => {
  const to = side()
  const type: ValueType = list({ kind: 'borrow', resource: Symbol.for('x') as never })
  store(to, 0, type, [{ resource: { handle: 1 } }, { resource: { handle: 2 } }])
  expect(load(to, 0, list(u32))).toEqual([1001, 1002])
})

test('a case that does not exist and a list that does not fit end the call', () => {
  const from = side()
  expect(() => liftFlat(from, [2, 0], variant(undefined, u8))).toThrow(/without such a case/)
  expect(() => liftFlat(from, [65_535, 2], string)).toThrow(/out of bounds/)
  expect(() => liftFlat(from, [0, 0x2000_0000], list(u64))).toThrow(/out of bounds/)
})
