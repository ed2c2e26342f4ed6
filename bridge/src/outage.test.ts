import { describe, expect, it } from 'vitest'
import { Outage } from './outage.ts'

/** The waits of an outage whose looks fail at once. */
function waits(outage: Outage): number[] {
  const found: number[] = []
  for (let now = 0; ;) {
    const wait = outage.failed(now, now)
    if (wait === undefined) return found
    found.push(wait)
    now += wait
  }
}

describe('a gateway that does not answer', () => {
  it('is asked again after twice the time, up to 4 s, and given up after the limit', () => {
    const found = waits(new Outage(30_000, () => 0.5))
    expect(found.slice(0, 6)).toEqual([250, 500, 1000, 2000, 4000, 4000])
    expect(found.reduce((sum, wait) => sum + wait, 0)).toBe(30_000)
  })

  it('is not asked by all streams in the same moment when it is back', () => {
    const last = Array.from({ length: 1000 }, () => {
      const outage = new Outage(30_000)
      return waits(outage)
        .slice(0, 5)
        .reduce((sum, wait) => sum + wait, 0)
    })
    // Five waits of 7.75 s together, each a quarter more or less.
    expect(Math.min(...last)).toBeGreaterThanOrEqual(7750 * 0.75)
    expect(Math.max(...last)).toBeLessThanOrEqual(7750 * 1.25)
    const inBusiestTenth = Math.max(
      ...Array.from({ length: 50 }, (_, tenth) => {
        const from = 5500 + tenth * 100
        return last.filter((at) => at >= from && at < from + 100).length
      }),
    )
    expect(inBusiestTenth).toBeLessThan(150)
  })

  it('is waited for in whole milliseconds, which an alarm needs', () => {
    const odd = waits(new Outage(30_000, () => 0.123456))
    expect(odd.every(Number.isInteger)).toBe(true)
  })

  it('is asked at least three times, however short the limit', () => {
    // After the third look it is given up, so there are two waits.
    expect(waits(new Outage(1))).toHaveLength(2)
  })
})
