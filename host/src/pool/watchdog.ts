import type { WorkerThread } from './worker-thread.ts'

/** Milliseconds of silence after which a worker gets no new requests while another has time. */
const BUSY_MS = 60

const LOOK_EVERY_MS = 50

/** Finds workers whose guest keeps the thread, and ends them. */
export class Watchdog {
  readonly #limitMs: number
  readonly #workers: () => WorkerThread[]
  #timer: NodeJS.Timeout | undefined
  #lookedAt = 0

  constructor(limitMs: number, workers: () => WorkerThread[]) {
    this.#limitMs = limitMs
    this.#workers = workers
  }

  start(): void {
    this.#lookedAt = performance.now()
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY_MS).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** The worker with the least to do, of those that show signs of life. */
  choose(): WorkerThread | undefined {
    const now = performance.now()
    const rank = (worker: WorkerThread) =>
      worker.load + (worker.load > 0 && worker.silence(now) > BUSY_MS ? 1_000_000 : 0)
    let best: WorkerThread | undefined
    let least = Infinity
    for (const worker of this.#workers()) {
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
    for (const worker of this.#workers()) {
      const silence = worker.silence(now)
      if (silence < this.#limitMs || late > this.#limitMs / 2) continue
      worker.kill(
        `a guest kept its thread for ${Math.round(silence)} ms: it never waits (a loop without end?), or needs more than ` +
          `${this.#limitMs} ms of computing, which maxBlockingMs sets`,
      )
    }
  }
}
