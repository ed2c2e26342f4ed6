import type { WorkerThread } from './worker-thread.ts'

/** Milliseconds of silence after which a worker gets no new requests while another has time. */
const BUSY_MS = 60

const LOOK_EVERY_MS = 50

/**
 * A silent worker may take this many times the limit by the clock. The clock counts, too, because code that V8 cannot
 * interrupt does not report its processor time. A worker that waits for a core or a disk needs the extra time.
 */
const MOST_LIMITS = 4

/** The part of a worker a watchdog needs. */
export type Watched = Pick<WorkerThread, 'load' | 'silence' | 'computed' | 'kill' | 'takeLines'>

export interface WatchdogOptions<T> {
  /** Milliseconds a guest may keep its thread. */
  limitMs: number
  workers: () => readonly T[]
  /** After each look, with the workers that have been silent for so long that they get no new requests. */
  onLooked?: (silent: readonly T[]) => void
}

/** Finds workers whose guest keeps the thread, and ends them. */
export class Watchdog<T extends Watched = WorkerThread> {
  readonly #options: WatchdogOptions<T>
  #timer: NodeJS.Timeout | undefined
  #lookedAt = 0

  constructor(options: WatchdogOptions<T>) {
    this.#options = options
  }

  start(): void {
    this.#lookedAt = performance.now()
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY_MS).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** Of `workers`, the one with the least to do of those that show signs of life. */
  choose(workers: readonly T[]): T | undefined {
    const now = performance.now()
    const rank = (worker: T) => worker.load + (worker.silence(now) > BUSY_MS ? 1_000_000 : 0)
    let best: T | undefined
    let least = Infinity
    for (const worker of workers) {
      const value = rank(worker)
      if (value >= least) continue
      best = worker
      least = value
    }
    return best
  }

  #look(): void {
    const now = performance.now()
    // A machine that did not let this thread run did not let the others run either.
    const late = now - this.#lookedAt - LOOK_EVERY_MS
    this.#lookedAt = now
    const { limitMs, workers, onLooked } = this.#options
    const silent: T[] = []
    for (const worker of workers()) {
      worker.takeLines()
      const silence = worker.silence(now)
      if (silence < LOOK_EVERY_MS) continue
      if (silence > BUSY_MS) silent.push(worker)
      // On a busy machine a worker is silent because it waits for a core: what counts is what it computed.
      const computed = worker.computed()
      if (silence < limitMs || late > limitMs / 2) continue
      if (computed < limitMs && silence < limitMs * MOST_LIMITS) continue
      worker.kill(
        `a guest kept its thread for ${Math.round(silence)} ms: it never waits (an endless loop?), or needs more than ` +
          `${limitMs} ms of computing, which maxBlockingMs sets`,
      )
    }
    onLooked?.(silent)
  }
}
