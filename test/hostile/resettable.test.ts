// What one request leaves behind must not be seen by the next, however its instructions are encoded.
import { expect, test } from 'vitest'
import { rewriteModule } from '../../host/src/wasm/rewrite-module.ts'
import { TABLE_LIMIT } from '../../host/src/wasm/limit-tables.ts'
import { MARKS_EXPORT } from '../../host/src/wasm/added-exports.ts'
import { attack } from './support/attack.ts'
import { wat } from './support/wat.ts'

const LIMIT = 1024 * 1024
const PADDINGS = [1, 2, 3, 4, 5]

/** The same number in `size` bytes. */
function padded(value: number, size: number): number[] {
  return Array.from({ length: size }, (_, i) => {
    const low = Math.floor(value / 128 ** i) % 128
    return i < size - 1 ? low + 128 : low
  })
}

const byte = (value: number, size: number) => padded(value, size)
const at = (address: number) => [0x41, ...padded(address, 3)]
const ZERO_VECTOR = [0xfd, 12, ...Array<number>(16).fill(7)]
const ADDRESS = 20_480

/** Instructions that write at {@link ADDRESS}, with the number behind the prefix in `size` bytes. */
const WRITES: Record<string, (size: number) => number[]> = {
  'memory.fill': (size) => [...at(ADDRESS), 0x41, 7, 0x41, 9, 0xfc, ...byte(11, size), 0],
  'memory.copy': (size) => [...at(ADDRESS), 0x41, 0, 0x41, 9, 0xfc, ...byte(10, size), 0, 0],
  'memory.copy of a padded memory': (size) => [
    ...[...at(ADDRESS), 0x41, 0, 0x41, 9, 0xfc, 10, ...byte(0, size), ...byte(0, size)],
  ],
  'memory.fill of a padded memory': (size) => [
    ...[...at(ADDRESS), 0x41, 7, 0x41, 9, 0xfc, 11, ...byte(0, size)],
  ],
  'v128.store': (size) => [...at(ADDRESS), ...ZERO_VECTOR, 0xfd, ...byte(11, size), 0, 0],
  'v128.store8_lane': (size) => [...at(ADDRESS), ...ZERO_VECTOR, 0xfd, ...byte(88, size), 0, 0, 1],
  'v128.store16_lane': (size) => [...at(ADDRESS), ...ZERO_VECTOR, 0xfd, ...byte(89, size), 0, 0, 1],
  'v128.store32_lane': (size) => [...at(ADDRESS), ...ZERO_VECTOR, 0xfd, ...byte(90, size), 0, 0, 1],
  'v128.store64_lane': (size) => [...at(ADDRESS), ...ZERO_VECTOR, 0xfd, ...byte(91, size), 0, 0, 1],
  'i32.store with a padded offset': (size) => [
    ...at(ADDRESS),
    0x41,
    7,
    0x36,
    ...byte(2, size),
    ...byte(0, size),
  ],
}

/** A module whose function \`run\` has these instructions. */
async function moduleWith(code: readonly number[]): Promise<Uint8Array> {
  const marker = 'i64.const 0x0123456789abcdef drop'
  const module = Buffer.from(
    await wat(`(module (import "env" "f" (func)) (memory (export "memory") 1)
      (global (mut i32) (i32.const 0)) (data (i32.const 0) "123456789")
      (func (export "run") ${marker}))`),
  )
  // The code section is the last but one; it is written again with other instructions.
  const parts = [module.subarray(0, 8)]
  let position = 8
  while (position < module.length) {
    const [id = 0, size = 0] = module.subarray(position, position + 2)
    const body = module.subarray(position + 2, position + 2 + size)
    position += 2 + size
    if (id === 0) continue
    if (id !== 10) parts.push(Buffer.from([id, size]), body)
    else {
      const inner = [0, ...code, 0x0b]
      parts.push(Buffer.from([10, inner.length + 2, 1, inner.length, ...inner]))
    }
  }
  return Buffer.concat(parts)
}

/** Whether a write to another page than the first is seen by the reset. */
async function marks(module: Uint8Array): Promise<number[] | string> {
  const { bytes, notResettable } = rewriteModule(module, LIMIT)
  if (notResettable !== undefined) return notResettable
  const { instance } = await WebAssembly.instantiate(bytes as Uint8Array<ArrayBuffer>, {
    env: { f: () => {} },
  })
  const { run, memory, [MARKS_EXPORT]: marked } = instance.exports
  ;(run as () => void)()
  if (!(memory instanceof WebAssembly.Memory) || !(marked instanceof WebAssembly.Memory)) {
    throw new Error('the module has lost its memories')
  }
  expect(new Uint8Array(memory.buffer, ADDRESS, 16).some((each) => each !== 0)).toBe(true)
  return [...new Uint8Array(marked.buffer, 0, 16)]
}

test.each(Object.keys(WRITES))('%s leaves a mark, whatever its encoding', async (name) => {
  for (const size of PADDINGS) {
    const module = await moduleWith(WRITES[name]?.(size) ?? [])
    if (!WebAssembly.validate(module as Uint8Array<ArrayBuffer>)) {
      // An engine that refuses the encoding is as good.
      expect(size).toBeGreaterThan(1)
      continue
    }
    const marked = await marks(module)
    expect(marked[ADDRESS / 4096]).toBe(1)
  }
})

attack('memory.fill hidden by an overlong encoding', async () => {
  const marked = await marks(await moduleWith(WRITES['memory.fill']?.(2) ?? []))
  expect(marked[ADDRESS / 4096]).toBe(1)
  return 'its page is marked, and the reset puts it back'
})

attack('memory.init hidden by an overlong encoding', async () => {
  const passive = Buffer.from(
    await wat(`(module (import "env" "f" (func)) (memory (export "memory") 1)
      (global (mut i32) (i32.const 0)) (data "x")
      (func (export "run") (memory.init 0 (i32.const 0) (i32.const 0) (i32.const 1))))`),
  )
  const place = passive.indexOf(Buffer.from([0xfc, 8, 0, 0]))
  expect(place).toBeGreaterThan(0)
  // One byte more in the function and the section.
  const code = passive.indexOf(Buffer.from([10]), place - 14)
  const longer = Buffer.concat([
    passive.subarray(0, place + 1),
    Buffer.from([0x88, 0x00]),
    passive.subarray(place + 2),
  ])
  longer[code + 1] = (longer[code + 1] ?? 0) + 1
  longer[code + 3] = (longer[code + 3] ?? 0) + 1
  const { notResettable } = rewriteModule(longer, LIMIT)
  expect(notResettable).toBe('uses passive data segments')
  return 'not resettable: each request gets a new instance'
})

test('a number longer than the format allows is refused', async () => {
  const module = await moduleWith([0x41, 0, 0x41, 7, 0x41, 9, 0xfc, ...padded(11, 6), 0])
  expect(() => rewriteModule(module, LIMIT)).toThrow('a number that is too long')
})

attack('a guest grows its tables without end', async () => {
  const module = await wat(`(module (memory 1) (table $a 1 funcref) (table $b 5 funcref)
    (func (export "run") (result i32) (local $n i32)
      (loop $more
        (br_if $more (i32.ne (i32.const -1)
          (table.grow $a (ref.null func) (i32.const 1000)))))
      (loop $more
        (br_if $more (i32.ne (i32.const -1)
          (table.grow $b (ref.null func) (i32.const 1000)))))
      (i32.add (table.size $a) (table.size $b))))`)
  const { bytes } = rewriteModule(module, LIMIT)
  const { instance } = await WebAssembly.instantiate(bytes as Uint8Array<ArrayBuffer>)
  const size = (instance.exports['run'] as () => number)()
  expect(size).toBeGreaterThan(TABLE_LIMIT / 2)
  expect(size).toBeLessThanOrEqual(TABLE_LIMIT)
  return `table.grow fails at ${TABLE_LIMIT} elements`
})

attack('a guest starts with tables of a billion elements', async () => {
  const module = await wat('(module (memory 1) (table 5000000 funcref) (table 5000000 funcref))')
  const refused = () => rewriteModule(module, LIMIT)
  expect(refused).toThrow('needs tables of 10000000 elements')
  return 'refused when it is prepared'
})
