/**
 * A machine whose threads share its cores. A thread does one piece of work after the other. While more threads have
 * work than there are cores, all of them go on at the same, slower, speed, as under a fair scheduler. Cores that share
 * caches and memory slow each other down.
 */
import type { Clock } from './clock.ts'

interface Work {
  /** Milliseconds of a core that are still to do. */
  left: number
  done: () => void
}

export interface Thread {
  /** Does `ms` milliseconds of work after what is waiting already. */
  run(ms: number, done: () => void): void
  /** Pieces of work that wait or are under way. */
  waiting(): number
}

export class Machine {
  readonly #clock: Clock
  readonly #cores: number
  readonly #crowding: number
  readonly #active = new Set<Work[]>()
  #advanced = 0
  /** A planned end is void once something else has changed the speed. */
  #version = 0
  #busy = 0

  /** @param crowding how much longer work takes while all cores are busy than while one is. */
  constructor(clock: Clock, cores: number, crowding = 1) {
    this.#clock = clock
    this.#cores = cores
    this.#crowding = crowding
  }

  /** Milliseconds of cores that were used until now. */
  get busy(): number {
    this.#advance()
    return this.#busy
  }

  thread(): Thread {
    const queue: Work[] = []
    return {
      run: (ms, done) => {
        this.#advance()
        queue.push({ left: ms, done })
        if (queue.length === 1) this.#active.add(queue)
        this.#plan()
      },
      waiting: () => queue.length,
    }
  }

  get #busyCores(): number {
    return Math.min(this.#cores, this.#active.size)
  }

  /** Of one thread; 1 while it is alone. */
  get #speed(): number {
    const others = this.#cores === 1 ? 0 : (this.#busyCores - 1) / (this.#cores - 1)
    const slowdown = 1 + (this.#crowding - 1) * others
    return this.#busyCores / this.#active.size / slowdown
  }

  #advance(): void {
    const passed = this.#clock.now - this.#advanced
    this.#advanced = this.#clock.now
    if (passed === 0 || this.#active.size === 0) return
    const worked = passed * this.#speed
    this.#busy += passed * this.#busyCores
    for (const queue of this.#active) (queue[0] as Work).left -= worked
  }

  #plan(): void {
    const version = ++this.#version
    let least = Infinity
    for (const queue of this.#active) least = Math.min(least, (queue[0] as Work).left)
    if (least === Infinity) return
    this.#clock.after(Math.max(0, least) / this.#speed, () => {
      if (version === this.#version) this.#finish()
    })
  }

  #finish(): void {
    this.#advance()
    const ended: Work[] = []
    for (const queue of this.#active) {
      // Rounding leaves a rest of the order of the clock's precision.
      if ((queue[0] as Work).left > 1e-9) continue
      ended.push(queue.shift() as Work)
      if (queue.length === 0) this.#active.delete(queue)
    }
    this.#plan()
    for (const { done } of ended) done()
  }
}

/** Threads that take work from the shortest queue. */
export class Pool {
  readonly #threads: readonly Thread[]

  constructor(threads: readonly Thread[]) {
    this.#threads = threads
  }

  run(ms: number, done: () => void): void {
    this.shortest().run(ms, done)
  }

  shortest(): Thread {
    let shortest = this.#threads[0] as Thread
    for (const thread of this.#threads) {
      if (thread.waiting() < shortest.waiting()) shortest = thread
    }
    return shortest
  }
}
