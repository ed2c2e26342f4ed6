import { describe, expect, test } from 'vitest'
import { encodeS32, encodeU32 } from './binary.ts'
import { PAGE_COUNT_EXPORT, STATE_EXPORT } from './added-exports.ts'
import { rewriteModule } from './rewrite-module.ts'

const section = (id: number, ...body: number[]) => [id, ...encodeU32(body.length), ...body]
const name = (text: string) => [text.length, ...Buffer.from(text)]
const body = (...code: number[]) => [code.length + 2, 0, ...code, 0x0b]

/** A module with one page, a counter global, and functions bump, grow, size and write. */
function moduleWith({ extra = [0x01], minPages = 1 } = {}): Uint8Array {
  const i32 = 0x7f
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, 3, 0x60, 0, 1, i32, 0x60, 1, i32, 1, i32, 0x60, 1, i32, 0),
    ...section(2, 1, ...name('env'), ...name('f'), 0, 0),
    ...section(3, 4, 0, 1, 0, 2),
    ...section(4, 1, 0x70, 0, 1),
    ...section(5, 1, 0, minPages),
    ...section(6, 2, i32, 1, 0x41, 5, 0x0b, i32, 0, 0x41, 7, 0x0b),
    ...section(
      7,
      ...[5, ...name('memory'), 2, 0, ...name('bump'), 0, 1, ...name('grow'), 0, 2],
      ...[...name('size'), 0, 3, ...name('write'), 0, 4],
    ),
    ...section(
      10,
      4,
      ...body(0x23, 0, 0x41, 1, 0x6a, 0x24, 0, 0x23, 0), // bump
      ...body(0x20, 0, 0x40, 0), // grow
      ...body(0x3f, 0), // size
      ...body(0x20, 0, 0x41, 9, 0x36, 2, 0, ...extra), // write 9 at the address
    ),
  ])
}

const MEBIBYTE = 1024 * 1024

async function run(bytes: Uint8Array) {
  const imports = { env: { f: () => 0 } }
  const { instance } = await WebAssembly.instantiate(bytes as Uint8Array<ArrayBuffer>, imports)
  return instance.exports as unknown as {
    memory: WebAssembly.Memory
    bump(): number
    grow(pages: number): number
    size(): number
    write(at: number): void
  } & Record<string, WebAssembly.Global>
}

test('the guest sees its own size: it grows again into memory it had before', async () => {
  const { bytes, notResettable } = rewriteModule(moduleWith(), MEBIBYTE)
  expect(notResettable).toBeUndefined()
  const guest = await run(bytes)
  const pages = guest[PAGE_COUNT_EXPORT]
  expect(guest.size()).toBe(1)
  expect(guest.grow(3)).toBe(1)
  expect(guest.size()).toBe(4)
  expect(guest.memory.buffer.byteLength).toBe(4 * 65_536)
  if (pages) pages.value = 1
  expect(guest.size()).toBe(1)
  expect(guest.grow(2)).toBe(1)
  expect(guest.memory.buffer.byteLength).toBe(4 * 65_536)
})

test('growing fails at the limit and where the page count would wrap', async () => {
  const guest = await run(rewriteModule(moduleWith(), MEBIBYTE).bytes)
  expect(guest.grow(15)).toBe(1)
  expect(guest.grow(1)).toBe(-1)
  expect(guest.grow(-1)).toBe(-1)
  expect(guest.size()).toBe(16)
})

test('every mutable global can be put back', async () => {
  const guest = await run(rewriteModule(moduleWith(), MEBIBYTE).bytes)
  const state = guest[`${STATE_EXPORT}0`]
  expect(state?.value).toBe(5)
  expect(guest.bump()).toBe(6)
  expect(state?.value).toBe(6)
  expect(guest[`${STATE_EXPORT}1`]).toBeUndefined()
})

describe('a module with state out of reach gets a limit only', () => {
  test.each([
    ['table.set', [0x41, 0, 0xd0, 0x70, 0x26, 0], 'uses table.set'],
    ['table.fill', [0x41, 0, 0xd0, 0x70, 0x41, 0, 0xfc, 17, 0], 'changes a table'],
    ['data.drop', [0xfc, 9, 0], 'uses passive data segments'],
  ])('%s', (_, extra, reason) => {
    const { bytes, notResettable } = rewriteModule(moduleWith({ extra }), MEBIBYTE)
    expect(notResettable).toBe(reason)
    expect(bytes.includes(PAGE_COUNT_EXPORT)).toBe(false)
  })
})

test('a module with an unknown instruction is refused', () => {
  const module = moduleWith({ extra: [0xf0, 0x03, 0x00] })
  expect(() => rewriteModule(module, MEBIBYTE)).toThrow('uses the instruction 0xf0')
})

test('a module that needs more than the limit is refused', () => {
  expect(() => rewriteModule(moduleWith({ minPages: 100 }), MEBIBYTE)).toThrow('needs 7 MiB')
})

test('numbers are written as the format wants them', () => {
  expect(encodeU32(624_485)).toEqual([0xe5, 0x8e, 0x26])
  expect(encodeS32(63)).toEqual([0x3f])
  expect(encodeS32(64)).toEqual([0xc0, 0x00])
  expect(encodeS32(128)).toEqual([0x80, 0x01])
})
