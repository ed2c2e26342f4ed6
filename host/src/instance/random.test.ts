import { expect, it } from 'vitest'
import { randomBytes, randomU64 } from './random.ts'

it('gives as many bytes as asked for, from the pool and beyond it', () => {
  for (const length of [0, 1, 16, 255, 256, 257, 4096, 10_000]) {
    expect(randomBytes(length).length).toBe(length)
  }
})

it('gives no byte twice and none that was overwritten, however the pool is used up', () => {
  const seen = new Set<string>()
  for (let nth = 0; nth < 5000; nth++) {
    const text = Buffer.from(randomBytes(9 + (nth % 200))).toString('hex')
    // Nine zero bytes by chance: once in 10^21.
    expect(text).not.toMatch(/^(00){9}/)
    seen.add(text.slice(0, 18))
  }
  expect(seen.size).toBe(5000)
})

it('what is given out does not change when more is asked for', () => {
  const first = randomBytes(16)
  const copy = Uint8Array.from(first)
  for (let nth = 0; nth < 1000; nth++) randomBytes(16)
  expect(first).toEqual(copy)
})

it('numbers use all 64 bits', () => {
  const numbers = Array.from({ length: 500 }, randomU64)
  expect(numbers.some((number) => number >= 2n ** 63n)).toBe(true)
  expect(numbers.some((number) => number < 2n ** 63n)).toBe(true)
  expect(new Set(numbers).size).toBe(500)
})
