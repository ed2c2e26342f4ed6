// Good traffic beside every hostile component and client of the suite for 15 s; bench/soak.ts --hostile runs for minutes.
import { expect } from 'vitest'
import { gatewaySource } from '../support/gateway-source.ts'
import { attack } from './support/attack.ts'
import { HOSTILE_CLIENTS } from './support/hostile-clients.ts'
import { HOSTILE_GUESTS } from './support/hostile-guests.ts'
import { mixedLoad, verdicts } from './support/mixed-load.ts'

/** Guests that compute get their turn every 0.7 s instead of 8 s, so that each one attacks in this time. */
const LOAD = { seconds: 15, perSecond: 20, computingPauseMs: 700, restSeconds: 45 }

/** Looser than the soak's, because ten times as many guests take a thread, on a machine with other things to do. */
const PROMISED = { success: 0.98, p99: 6000, accept: 3000 }

attack(
  'hostile components and clients at once, beside good traffic',
  async () => {
    const load = await mixedLoad({ ...LOAD, nativeGateway: gatewaySource() })
    expect(load.problems).toEqual({})
    const all = [...Object.keys(HOSTILE_GUESTS), ...Object.keys(HOSTILE_CLIENTS)]
    expect(Object.keys(load.attacks).sort()).toEqual(all.sort())
    const found = verdicts(load, PROMISED)
    const broken = found.filter(({ holds }) => !holds)
    expect(broken.map(({ property, figure }) => `${property}: ${figure}`).join('\n')).toBe('')
    const rounds = Object.values(load.attacks).reduce((sum, count) => sum + count, 0)
    return `${rounds} rounds of ${Object.keys(load.attacks).length} attackers; ${load.good.right} of ${load.good.sent} good requests right, p99 ${load.p99.toFixed(0)} ms`
  },
  180_000,
)
