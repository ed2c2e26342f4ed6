/**
 * A machine whose threads share its cores. A thread does one piece of work after the other. While more threads have
 * work than there are cores, all of them go on at the same, slower, speed, as under a fair scheduler.
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
  readonly #active = new Set<Work[]>()
  #advanced = 0
  /** A planned end is void once something else has changed the speed. */
  #version = 0
  #busy = 0

  constructor(clock: Clock, cores: number) {
    this.#clock = clock
    this.#cores = cores
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

  get #speed(): number {
    return Math.min(1, this.#cores / this.#active.size)
  }

  #advance(): void {
    const passed = this.#clock.now - this.#advanced
    this.#advanced = this.#clock.now
    if (passed === 0 || this.#active.size === 0) return
    const worked = passed * this.#speed
    this.#busy += worked * this.#active.size
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
    let shortest = this.#threads[0] as Thread
    for (const thread of this.#threads) {
      if (thread.waiting() < shortest.waiting()) shortest = thread
    }
    shortest.run(ms, done)
  }
}
