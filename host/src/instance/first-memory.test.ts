import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FirstMemory } from './first-memory.ts'

const MIB = 1024 * 1024
const IMAGE = new Uint8Array(new SharedArrayBuffer(3 * MIB)).map((_, at) => (at * 7919) >> 5)
const image = new Uint8Array(new SharedArrayBuffer(IMAGE.length))
image.set(IMAGE)

const place = fc.integer({ min: 0, max: IMAGE.length })

test('a part is the bytes of the image, the first time and later', () => {
  const memory = new FirstMemory(image)
  fc.assert(
    fc.property(place, fc.integer({ min: 0, max: 20_000 }), (from, size) => {
      for (let time = 0; time < 2; time++) {
        const part = memory.part(from, from + size)
        expect(Buffer.compare(part, IMAGE.subarray(from, from + size))).toBe(0)
      }
    }),
    { numRuns: 500 },
  )
})

test('a part that was kept is given again, and is not shared memory', () => {
  const memory = new FirstMemory(image)
  const part = memory.part(4096, 8207)
  expect(memory.part(4096, 8207)).toBe(part)
  expect(part.buffer).not.toBe(image.buffer)
})

test('parts are kept up to one mebibyte', () => {
  const memory = new FirstMemory(image)
  let kept = 0
  for (let from = 0; from < IMAGE.length; from += 4096) {
    const part = memory.part(from, from + 4096)
    if (part.buffer !== image.buffer) kept += part.length
  }
  expect(kept).toBe(MIB)
  expect(memory.part(0, 2 * MIB).buffer).toBe(image.buffer)
})
