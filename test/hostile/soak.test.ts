// Good traffic beside every hostile component and client, for 25 s; bench/soak.ts --hostile does it for minutes.
import { expect } from 'vitest'
import { attack } from './support/attack.ts'
import { mixedLoad, verdicts } from './support/mixed-load.ts'

/**
 * Looser than the soak, because tests run on machines with other things to do: a guest that computes may keep its
 * worker for a second here, and the test calls all of them in a short time, so that one in three good requests may wait
 * for one. Of 250 requests, two may fail.
 */
const LOAD = { seconds: 25, perSecond: 10, maxBlockingMs: 1000, computingPauseMs: 1000 }
const PROMISED = { success: 0.99, p99: 5000, accept: 5000 }

attack(
  'every hostile component and client at once, beside good traffic',
  async () => {
    const load = await mixedLoad(LOAD)
    expect(load.problems).toEqual({})
    const found = verdicts(load, PROMISED)
    const broken = found.filter(({ holds }) => !holds)
    expect(broken.map(({ property, figure }) => `${property}: ${figure}`)).toEqual([])
    const rounds = Object.values(load.attacks).reduce((sum, count) => sum + count, 0)
    return `${rounds} rounds of ${Object.keys(load.attacks).length} attackers; ${load.good.right} of ${load.good.sent} good requests right, p99 ${load.p99.toFixed(0)} ms`
  },
  120_000,
)
