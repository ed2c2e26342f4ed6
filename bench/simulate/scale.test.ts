import { describe, expect, it } from 'vitest'
import type { Demands } from './deployment.ts'
import { answer } from './scale.ts'

const demands = (given: Partial<Demands>): Demands => ({
  ...{ clientMs: 5, mainMs: 0.2, workerMs: 1, commands: 1, storeMs: 0.01, waitMs: 0 },
  ...{ besideMs: 0, afterMs: 0 },
  ...given,
})

const FIGURES = {
  call: { demands: demands({}), crowding: 1 },
  sharedCall: { demands: demands({}), crowding: 1 },
  read: demands({}),
  poll: demands({ workerMs: 10, commands: 7 }),
}
const WANTED = { callsPerSecond: 1000, jobs: 0, readers: 1, cores: 4 }

describe('what a load needs', () => {
  it('are as many hosts as use 70 % of their cores', () => {
    // 1,000 x 1.2 ms are 1.2 cores, of 2.8 that a host of four gives.
    const one = answer(FIGURES, WANTED, 1000)
    expect(one).toMatchObject({ hosts: 1, limit: 'none' })
    expect(one.hostCores).toBeCloseTo(1.2, 1)
    expect(answer(FIGURES, { ...WANTED, callsPerSecond: 5000 }, 1000).hosts).toBe(3)
  })

  it('counts the main thread of a host, which more cores do not help', () => {
    expect(answer(FIGURES, { ...WANTED, callsPerSecond: 7000, cores: 64 }, 1000).hosts).toBe(2)
  })

  it('is limited by the store when its one thread has no more to give', () => {
    const much = answer(
      { ...FIGURES, sharedCall: { demands: demands({ storeMs: 0.5 }), crowding: 1 } },
      { ...WANTED, callsPerSecond: 4000 },
      1000,
    )
    expect(much.limit).toBe('the store')
    expect(much.perSecond).toBeCloseTo(2000, -2)
  })

  it('is limited by the hosts when there are too few', () => {
    const few = answer(FIGURES, { ...WANTED, callsPerSecond: 9000, hosts: 1 }, 1000)
    expect(few.limit).toBe('the hosts')
    expect(few.waiting).toBeGreaterThan(1000)
  })

  it('counts the commands of jobs that are read', () => {
    const jobs = answer(FIGURES, { ...WANTED, callsPerSecond: 0, jobs: 100, readers: 2 }, 1000)
    // Each second, of two reads of a job one is a poll: 7 and 1 commands.
    expect(jobs.commandsPerSecond / 800).toBeCloseTo(1, 0)
  })
})
