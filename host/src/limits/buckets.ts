/** Token buckets of many keys. */
import type { Rate } from './rate.ts'

/** What a bucket has. */
export interface Level {
  /** Whole tokens that are left. */
  remaining: number
  /** Milliseconds until there is one token; 0 if there is one. */
  waitMs: number
  /** Milliseconds until it is full. */
  fullMs: number
}

export interface BucketsOptions {
  rate: Rate
  /** Tokens of a full bucket. @default the count of the rate */
  burst?: number | undefined
  /** Keys that are remembered. Beyond it, the key that was used least recently gets a full bucket. */
  maxKeys: number
  /** Milliseconds of a monotonic clock, so that a change of the system's time changes nothing. */
  now?: () => number
}

/**
 * A bucket is one number, the time at which it is full again: no timer refills it, and one that is full need not be
 * remembered.
 *
 * @see https://en.wikipedia.org/wiki/Generic_cell_rate_algorithm
 */
export class Buckets {
  readonly #interval: number
  readonly #capacityMs: number
  readonly #maxKeys: number
  readonly #now: () => number
  /** In the order of their last use. */
  readonly #fullAt = new Map<string, number>()

  constructor({
    rate,
    burst = rate.count,
    maxKeys,
    now = () => performance.now(),
  }: BucketsOptions) {
    this.#interval = rate.windowMs / rate.count
    this.#capacityMs = burst * this.#interval
    this.#maxKeys = maxKeys
    this.#now = now
  }

  get size(): number {
    return this.#fullAt.size
  }

  level(key: string): Level {
    const now = this.#now()
    return this.#levelAt(this.#fullAt.get(key) ?? now, now)
  }

  /** Takes a token if there is one. */
  take(key: string): Level & { taken: boolean } {
    const now = this.#now()
    const fullAt = Math.max(this.#fullAt.get(key) ?? now, now)
    const level = this.#levelAt(fullAt, now)
    if (level.waitMs > 0) return { taken: false, ...level }
    this.#store(key, fullAt + this.#interval)
    return {
      taken: true,
      waitMs: 0,
      remaining: level.remaining - 1,
      fullMs: level.fullMs + this.#interval,
    }
  }

  /** Takes tokens that may not be there: the bucket is then empty for longer. */
  charge(key: string, tokens: number): void {
    const now = this.#now()
    this.#store(key, Math.max(this.#fullAt.get(key) ?? now, now) + tokens * this.#interval)
  }

  /** Gives a token back. */
  refund(key: string): void {
    const fullAt = this.#fullAt.get(key)
    if (fullAt === undefined) return
    if (fullAt - this.#interval <= this.#now()) this.#fullAt.delete(key)
    else this.#fullAt.set(key, fullAt - this.#interval)
  }

  #levelAt(fullAt: number, now: number): Level {
    const fullMs = Math.max(0, fullAt - now)
    // A rounding error of the division must not cost a token.
    const left = this.#capacityMs - fullMs + 1e-6
    if (left < this.#interval) return { remaining: 0, waitMs: this.#interval - left, fullMs }
    return { remaining: Math.floor(left / this.#interval), waitMs: 0, fullMs }
  }

  #store(key: string, fullAt: number): void {
    this.#fullAt.delete(key)
    this.#fullAt.set(key, fullAt)
    if (this.#fullAt.size <= this.#maxKeys) return
    const [oldest] = this.#fullAt.keys()
    if (oldest !== undefined) this.#fullAt.delete(oldest)
  }
}
