// Good traffic beside hostile components and clients for 10 s. Guests that compute take turns, and not all of them get
// one in that time; bench/soak.ts --hostile runs for minutes and calls all.
import { expect } from 'vitest'
import { attack } from './support/attack.ts'
import { mixedLoad, verdicts } from './support/mixed-load.ts'

/**
 * Looser than the soak, because tests run on machines with other things to do: a guest that computes may keep its
 * worker for a second of processor time here, and on a busy machine for several by the clock.
 */
const LOAD = {
  ...{ seconds: 10, perSecond: 5, maxBlockingMs: 1000, computingPauseMs: 2000, restSeconds: 8 },
}
const PROMISED = { success: 0.9, p99: 9900, accept: 5000 }

attack(
  'hostile components and clients at once, beside good traffic',
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
