import { describe, expect, it } from 'vitest'
import type { Demands } from './deployment.ts'
import { simulate } from './traffic.ts'

const demands = (given: Partial<Demands>): Demands => ({
  ...{ clientMs: 0, mainMs: 0, workerMs: 0, commands: 0, storeMs: 0, waitMs: 0 },
  ...{ besideMs: 0, afterMs: 0 },
  ...given,
})

const ONE = { hosts: 1, workers: 1, cores: 4, isShared: false }

describe('clients in a closed loop', () => {
  it('wait for nothing but their own work when there is one', () => {
    const call = demands({
      clientMs: 1,
      mainMs: 2,
      workerMs: 3,
      commands: 2,
      storeMs: 1,
      waitMs: 2,
    })
    const { perSecond, p50 } = simulate(ONE, { closed: { demands: call, connections: 1 } }, 10_000)
    expect(p50).toBeCloseTo(10)
    expect(perSecond).toBeCloseTo(100, -1)
  })

  it('are limited by the busiest thread', () => {
    const call = demands({ mainMs: 1, workerMs: 4 })
    const result = simulate(ONE, { closed: { demands: call, connections: 20 } }, 10_000)
    expect(result.perSecond).toBeCloseTo(250, -1)
    const two = { ...ONE, workers: 2 }
    expect(
      simulate(two, { closed: { demands: call, connections: 20 } }, 10_000).perSecond,
    ).toBeCloseTo(500, -1)
  })

  it('do not wait for work after the answer or beside it, but other requests do', () => {
    const call = demands({ mainMs: 2, workerMs: 2, afterMs: 2, besideMs: 1 })
    const alone = simulate(ONE, { closed: { demands: call, connections: 1 } }, 10_000)
    expect(alone.p50).toBeCloseTo(4)
    const many = simulate(ONE, { closed: { demands: call, connections: 20 } }, 10_000)
    expect(many.perSecond).toBeCloseTo(250, -1)
    // Each request uses 7 ms of a core.
    expect(many.hostCores).toBeCloseTo(0.25 * 7, 1)
  })

  it('are limited by the cores where everything shares a machine', () => {
    const call = demands({ clientMs: 1, mainMs: 1, workerMs: 2 })
    const shared = { hosts: 1, workers: 8, cores: 2, isShared: true }
    const result = simulate(shared, { closed: { demands: call, connections: 40 } }, 10_000)
    expect(result.perSecond).toBeCloseTo(500, -1)
    expect(result.hostCores).toBeCloseTo(2)
  })
})

describe('requests at random moments', () => {
  it('pile up when there are more than can be served', () => {
    const call = demands({ workerMs: 2 })
    const at = (perSecond: number) =>
      simulate(ONE, { open: { demands: call, perSecond } }, 10_000).waiting
    expect(at(400)).toBeLessThan(50)
    expect(at(1000)).toBeGreaterThan(4000)
  })

  it('are shared by the hosts', () => {
    const call = demands({ workerMs: 2 })
    const ten = { ...ONE, hosts: 10 }
    const { waiting, hostCores } = simulate(
      ten,
      { open: { demands: call, perSecond: 4000 } },
      10_000,
    )
    expect(waiting).toBeLessThan(200)
    expect(hostCores).toBeCloseTo(8, 0)
  })
})

describe('jobs that are read', () => {
  const jobs = {
    ...{ count: 50, periodMs: 1000, pollIntervalMs: 900 },
    read: demands({ commands: 1, storeMs: 0.01 }),
    poll: demands({ commands: 7, storeMs: 0.01 }),
  }

  it('are polled once per interval, however many read', () => {
    const { commandsPerSecond } = simulate(ONE, { jobs: { ...jobs, readers: 1 } }, 20_000)
    expect(commandsPerSecond / (50 * 7)).toBeCloseTo(1, 1)
    const ten = simulate(ONE, { jobs: { ...jobs, readers: 10 } }, 20_000)
    // Of ten reads in a second, one is a poll; it may come up to a tenth of a second after it is due.
    expect(ten.commandsPerSecond).toBeGreaterThan(50 * (7 + 9) * 0.95)
    expect(ten.commandsPerSecond).toBeLessThan(50 * (7 / 0.9 + 9))
  })
})
