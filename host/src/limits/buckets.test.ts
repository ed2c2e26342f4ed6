import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Buckets } from './buckets.ts'

const RATE = { count: 60, windowMs: 60_000 }

function buckets(options: { burst?: number; maxKeys?: number } = {}) {
  const clock = { now: 1000 }
  const made = new Buckets({ rate: RATE, maxKeys: 100, now: () => clock.now, ...options })
  return { clock, made }
}

test('a full bucket gives its burst at once, then a token with each interval', () => {
  const { clock, made } = buckets({ burst: 3 })
  expect([1, 2, 3, 4].map(() => made.take('a').taken)).toEqual([true, true, true, false])
  expect(made.level('a')).toMatchObject({ remaining: 0, waitMs: expect.closeTo(1000, 1) as number })
  clock.now += 999
  expect(made.take('a').taken).toBe(false)
  clock.now += 1
  expect([made.take('a').taken, made.take('a').taken]).toEqual([true, false])
})

test('keys do not share tokens', () => {
  const { made } = buckets({ burst: 1 })
  expect(made.take('a').taken).toBe(true)
  expect(made.take('b').taken).toBe(true)
  expect(made.take('a').taken).toBe(false)
})

test('a bucket never has more than its burst, however long it was not used', () => {
  const { clock, made } = buckets({ burst: 2 })
  made.take('a')
  clock.now += 1e9
  expect(made.level('a')).toMatchObject({ remaining: 2, fullMs: 0 })
})

test('a charge may go below zero, and is waited for', () => {
  const { clock, made } = buckets({ burst: 2 })
  made.charge('a', 5)
  expect(made.take('a').taken).toBe(false)
  clock.now += 3000
  expect(made.take('a').taken).toBe(false)
  clock.now += 1000
  expect(made.take('a').taken).toBe(true)
})

test('a refund gives back one token, and no more than there were', () => {
  const { made } = buckets({ burst: 1 })
  made.take('a')
  made.refund('a')
  made.refund('a')
  expect([made.take('a').taken, made.take('a').taken]).toEqual([true, false])
})

test('the number of remembered keys is limited; the one that was used least recently is forgotten', () => {
  const { made } = buckets({ burst: 1, maxKeys: 2 })
  for (const key of ['a', 'b', 'a', 'c']) made.take(key)
  made.take('b')
  expect(made.size).toBe(2)
  expect(made.take('b').taken).toBe(false)
})

test('in any window there are at most burst and rate together', () => {
  const gaps = fc.array(fc.nat({ max: 3000 }), { minLength: 1, maxLength: 200 })
  fc.assert(
    fc.property(gaps, fc.integer({ min: 1, max: 20 }), (pauses, burst) => {
      const { clock, made } = buckets({ burst })
      const taken: number[] = []
      for (const pause of pauses) {
        clock.now += pause
        if (made.take('a').taken) taken.push(clock.now)
      }
      return taken.every((from, first) =>
        taken.slice(first).every((to, more) => more + 1 <= burst + (to - from) / 1000 + 1e-6),
      )
    }),
  )
})
