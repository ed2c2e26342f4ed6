// The simulation against what queueing theory gives exactly.
import { describe, expect, it } from 'vitest'
import { Clock } from './clock.ts'
import { Machine, Pool, type Thread } from './machine.ts'
import { exponential, randomOf } from './random.ts'

/** The mean time from arrival to departure, of `count` arrivals at the rate `arrivals` per millisecond. */
function meanTime(
  count: number,
  arrivals: number,
  serve: (clock: Clock) => { run: Thread['run'] },
  workMs: () => number,
): number {
  const clock = new Clock()
  const server = serve(clock)
  const random = randomOf(7)
  let sum = 0
  let ended = 0
  const arrive = (left: number) => {
    if (left === 0) return
    const at = clock.now
    server.run(workMs(), () => {
      sum += clock.now - at
      ended++
    })
    clock.after(exponential(random, 1 / arrivals), () => arrive(left - 1))
  }
  arrive(count)
  clock.runUntil(Number.MAX_SAFE_INTEGER)
  expect(ended).toBe(count)
  return sum / count
}

const one = (clock: Clock) => new Machine(clock, 1).thread()

describe('one thread', () => {
  it.each([0.3, 0.6, 0.8])('with random work is M/M/1 at a load of %d', (load) => {
    const random = randomOf(3)
    const mean = meanTime(200_000, load, one, () => exponential(random, 1))
    expect(mean / (1 / (1 - load))).toBeCloseTo(1, 1)
  })

  it.each([0.3, 0.6, 0.8])('with equal work is M/D/1 at a load of %d', (load) => {
    const mean = meanTime(200_000, load, one, () => 1)
    expect(mean / (1 + load / (2 * (1 - load)))).toBeCloseTo(1, 1)
  })

  it('does one piece after the other', () => {
    const clock = new Clock()
    const thread = new Machine(clock, 4).thread()
    const ends: number[] = []
    for (const ms of [3, 1, 2]) thread.run(ms, () => ends.push(clock.now))
    expect(thread.waiting()).toBe(3)
    clock.runUntil(100)
    expect(ends).toEqual([3, 4, 6])
  })
})

describe('threads and cores', () => {
  it('share the cores when there are fewer of them', () => {
    const clock = new Clock()
    const machine = new Machine(clock, 2)
    const ends: number[] = []
    for (const ms of [1, 1, 1, 4]) machine.thread().run(ms, () => ends.push(clock.now))
    clock.runUntil(100)
    // Four at half speed until 2, then the last one alone at full speed: 3 of its 4 are left.
    expect(ends.map((end) => Number(end.toFixed(6)))).toEqual([2, 2, 2, 5])
    expect(machine.busy).toBeCloseTo(7)
  })

  it('slow each other down while all cores are busy, by the factor that was measured', () => {
    const clock = new Clock()
    const machine = new Machine(clock, 2, 1.5)
    const ends: number[] = []
    for (const ms of [2, 4]) machine.thread().run(ms, () => ends.push(clock.now))
    clock.runUntil(100)
    // 2 of work take 3 beside another thread; the other 2 of the second take 2.
    expect(ends.map((end) => Number(end.toFixed(6)))).toEqual([3, 5])
    expect(machine.busy).toBeCloseTo(8)
  })

  it('of a pool are an M/M/2 queue but for the choice of the queue', () => {
    const random = randomOf(5)
    const load = 0.7
    const mean = meanTime(
      200_000,
      2 * load,
      (clock) => {
        const machine = new Machine(clock, 2)
        return new Pool([machine.thread(), machine.thread()])
      },
      () => exponential(random, 1),
    )
    // Shortest queue is worse than one queue for both (M/M/2) and better than a random choice (M/M/1 each).
    expect(mean).toBeGreaterThan(1 / (1 - load ** 2))
    expect(mean).toBeLessThan(1 / (1 - load))
  })
})

describe('a closed loop', () => {
  it.each([1, 2, 5, 20])('of %d clients that think has the throughput of theory', (clients) => {
    const clock = new Clock()
    const thread = new Machine(clock, 1).thread()
    const random = randomOf(11)
    const [workMs, thinkMs] = [1, 4]
    let done = 0
    const call = () =>
      thread.run(exponential(random, workMs), () => {
        done++
        clock.after(exponential(random, thinkMs), call)
      })
    for (let i = 0; i < clients; i++) call()
    const duration = 200_000
    clock.runUntil(duration)
    expect(done / duration / machineRepair(clients, workMs, thinkMs)).toBeCloseTo(1, 1)
  })
})

/** Exact mean value analysis of one station with exponential work and clients that think. */
function machineRepair(clients: number, workMs: number, thinkMs: number): number {
  let queue = 0
  let throughput = 0
  for (let n = 1; n <= clients; n++) {
    const response = workMs * (1 + queue)
    throughput = n / (response + thinkMs)
    queue = throughput * response
  }
  return throughput
}

describe('the clock', () => {
  it('keeps the order of events of the same moment', () => {
    const clock = new Clock()
    const seen: number[] = []
    const times = [5, 1, 5, 3, 1, 5, 0]
    for (const [index, at] of times.entries()) clock.after(at, () => seen.push(index))
    clock.runUntil(5)
    expect(seen).toEqual([6, 1, 4, 3, 0, 2, 5])
  })
})
