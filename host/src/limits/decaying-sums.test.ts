import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DecayingSums } from './decaying-sums.ts'

test('half of a sum is forgotten after its half-life', () => {
  const sums = new DecayingSums(1000)
  sums.add('a', 80, 0)
  expect(sums.of('a', 1000)).toBeCloseTo(40)
  expect(sums.add('a', 10, 2000)).toBeCloseTo(30)
  expect(sums.of('b', 2000)).toBe(0)
})

test('the first of those with the least sum is found', () => {
  const sums = new DecayingSums(1000)
  sums.add('a', 2, 0)
  sums.add('b', 1, 0)
  expect(sums.least(['a', 'b', 'b'], 0)).toBe(1)
  expect(sums.least(['a', 'new', 'b'], 0)).toBe(1)
  expect(sums.least(['a'], 0)).toBe(0)
})

test('beyond 1,000 keys the one with the least is forgotten', () => {
  const sums = new DecayingSums(1000)
  sums.add('least', 1, 0)
  for (let nth = 0; nth < 1000; nth++) sums.add(`key ${nth}`, 2 + nth, 0)
  expect(sums.of('least', 0)).toBe(0)
  expect(sums.of('key 999', 0)).toBe(1001)
})

test('a sum is never more than what was added, and never negative', () => {
  const additions = fc.array(fc.tuple(fc.nat(1000), fc.nat(5000)), { maxLength: 50 })
  fc.assert(
    fc.property(additions, (steps) => {
      const sums = new DecayingSums(1000)
      let [now, total] = [0, 0]
      for (const [value, wait] of steps) {
        now += wait
        total += value
        const sum = sums.add('a', value, now)
        expect(sum).toBeGreaterThanOrEqual(value)
        expect(sum).toBeLessThanOrEqual(total + 1e-6)
      }
    }),
  )
})
