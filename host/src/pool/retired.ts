/** Workers whose application has been replaced: they end what they have begun, and get nothing new. */

/** Milliseconds between two looks whether the last request of a pool has ended. */
const LOOK_MS = 50

/** The part of a `Pool` that concerns its end. */
export interface Endable {
  readonly running: number
  endIdle(): void
  announceStop(): void
  close(): Promise<void>
}

export class Retired {
  readonly #pools = new Set<Endable>()
  #timer: NodeJS.Timeout | undefined

  /** Requests that still run. */
  get running(): number {
    return [...this.#pools].reduce((sum, pool) => sum + pool.running, 0)
  }

  /** No time is set here: each request has its own limit, and a call that takes long should not fail for an edit. */
  take(pool: Endable): void {
    this.#pools.add(pool)
    this.#timer ??= setInterval(() => this.#look(), LOOK_MS).unref()
  }

  announceStop(): void {
    for (const pool of this.#pools) pool.announceStop()
  }

  /** Ends them all, whatever they do. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    await Promise.all([...this.#pools].map((pool) => pool.close()))
    this.#pools.clear()
  }

  #look(): void {
    for (const pool of this.#pools) {
      if (pool.running > 0) {
        // A stream may stay open for minutes; it needs one thread, and not all of them.
        pool.endIdle()
        continue
      }
      this.#pools.delete(pool)
      void pool.close()
    }
    if (this.#pools.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
