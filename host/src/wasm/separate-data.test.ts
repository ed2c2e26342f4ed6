import { parse } from '@bytecodealliance/jco-transpile/wasm-tools'
import { expect, test } from 'vitest'
import { PAGE_BYTES, PAGE_COUNT_EXPORT } from './added-exports.ts'
import { rewriteModule } from './rewrite-module.ts'
import { separateData } from './separate-data.ts'

const LIMIT = 1024 * 1024

async function rewritten(data: string, memory = '(memory (export "memory") 2)'): Promise<Buffer> {
  const module = await parse(`(module
    (import "env" "f" (func $imported))
    ${memory}
    (global (mut i32) (i32.const 70000))
    (func (export "size") (result i32) (memory.size))
    (func (export "grow") (result i32) (memory.grow (i32.const 1)))
    (func (export "write") (param i32) (i32.store (local.get 0) (i32.const -1)))
    ${data})`)
  return rewriteModule(module, LIMIT).bytes
}

function instanceOf(code: Buffer) {
  const module = new WebAssembly.Module(code as Uint8Array<ArrayBuffer>)
  const { exports } = new WebAssembly.Instance(module, { env: { f: () => {} } })
  return exports as Record<string, (at?: number) => number> & {
    memory: WebAssembly.Memory
    [PAGE_COUNT_EXPORT]: WebAssembly.Global<'i32'>
  }
}

const SEGMENTS = `(data (i32.const 0) "first") (data (i32.const 70000) "over a page")
  (data (i32.const 3) "overlaps") (data "passive: never in the memory") (data (i32.const 131072) "")`

test('the image is what the memory is at first', async () => {
  const module = await rewritten(SEGMENTS)
  const separated = separateData(module)
  expect(separated?.image).toHaveLength(2 * PAGE_BYTES)
  expect(Buffer.from(separated?.image ?? [])).toEqual(Buffer.from(instanceOf(module).memory.buffer))
})

test('an instance of the code begins empty, and grows as the module would', async () => {
  const { code = Buffer.alloc(0) } = separateData(await rewritten(SEGMENTS)) ?? {}
  const instance = instanceOf(code)
  expect(instance.memory.buffer.byteLength).toBe(0)
  expect(() => instance['write']?.(0)).toThrow(WebAssembly.RuntimeError)
  instance.memory.grow(2)
  instance[PAGE_COUNT_EXPORT].value = 2
  expect(instance['size']?.()).toBe(2)
  expect(Buffer.from(instance.memory.buffer).every((byte) => byte === 0)).toBe(true)
  expect(instance['grow']?.()).toBe(2)
  expect(instance['size']?.()).toBe(3)
  for (let pages = 3; pages < LIMIT / PAGE_BYTES; pages++) expect(instance['grow']?.()).toBe(pages)
  expect(instance['grow']?.()).toBe(-1)
})

test('the filled parts hold all that is not zero, and segments that are near count as one', async () => {
  const { image = new Uint8Array(), filled = [] } =
    separateData(await rewritten(`${SEGMENTS} (data (i32.const 71000) "near the one before")`)) ??
    {}
  expect(filled).toEqual([
    { from: 0, to: 11 },
    { from: 70000, to: 71019 },
  ])
  const outside = image.filter((_, at) => !filled.some(({ from, to }) => at >= from && at < to))
  expect(outside.every((byte) => byte === 0)).toBe(true)
})

test('segments in any order, one inside another, are filled once', async () => {
  const data =
    '(data (i32.const 9000) "last") (data (i32.const 0) "a long one") (data (i32.const 2) "in")'
  expect(separateData(await rewritten(data))?.filled).toEqual([
    { from: 0, to: 10 },
    { from: 9000, to: 9004 },
  ])
})

test('modules that differ in data and first size only have the same code', async () => {
  const small = separateData(await rewritten('(data (i32.const 8) "small")'))
  const large = separateData(await rewritten(SEGMENTS, '(memory (export "memory") 9)'))
  const none = separateData(await rewritten(''))
  expect(small?.code).toEqual(large?.code)
  expect(none?.code).toEqual(large?.code)
  expect(large?.image).toHaveLength(9 * PAGE_BYTES)
})

test.each([
  ['behind the end', '(data (i32.const 131070) "abc")'],
  ['empty and behind the end', '(data (i32.const 131073) "")'],
  ['before the beginning', '(data (i32.const -1) "a")'],
  ['at the largest address', '(data (i32.const -2147483648) "a")'],
  ['at an address that is computed', '(data (i32.add (i32.const 1) (i32.const 2)) "a")'],
])('a segment %s stays where it is, for the engine to place or refuse', async (_, data) => {
  expect(separateData(await rewritten(data))).toBeUndefined()
})
