/**
 * Decides how long to wait for a gateway that does not answer.
 *
 * A failed look at a job does not mean "still working": failures in a row are counted, so that a client gets an error
 * instead of waiting forever.
 */

/**
 * Milliseconds before the first retry; each further one waits twice as long. A quarter more or less is left to chance,
 * so that thousands of streams do not ask a gateway that is back in the same moment.
 */
const FIRST_RETRY_MS = 250
const LONGEST_RETRY_MS = 4_000
/** A single look that hangs until its timeout is not an outage yet. */
const FEWEST_FAILURES = 3

/** Milliseconds an outage may last, where `GIVE_UP_MS` is not set. */
const DEFAULT_GIVE_UP_MS = 30_000

export class Outage {
  readonly #giveUpMs: number
  readonly #random: () => number
  #since = 0
  #failures = 0

  /**
   * @param giveUpMs anything but a positive number of milliseconds means {@link DEFAULT_GIVE_UP_MS}.
   * @param random gives numbers from 0 to 1.
   */
  constructor(giveUpMs: number | string | undefined, random: () => number = Math.random) {
    this.#random = random
    const value = Number(giveUpMs)
    this.#giveUpMs = Number.isFinite(value) && value > 0 ? value : DEFAULT_GIVE_UP_MS
  }

  /**
   * Counts a failed look.
   *
   * @param startedAt when that look began, in milliseconds of `Date.now()`.
   * @returns milliseconds to wait before the next one; undefined when it is time to give up.
   */
  failed(startedAt: number, now: number): number | undefined {
    if (this.#failures++ === 0) this.#since = startedAt
    const left = this.#since + this.#giveUpMs - now
    if (left <= 0 && this.#failures >= FEWEST_FAILURES) return undefined
    const spread = 0.75 + this.#random() / 2
    const planned = Math.min(FIRST_RETRY_MS * 2 ** (this.#failures - 1), LONGEST_RETRY_MS)
    // An alarm takes whole milliseconds only.
    const retryMs = Math.round(spread * planned)
    return left > 0 ? Math.min(retryMs, left) : FIRST_RETRY_MS
  }

  /** Call when the gateway has answered, or was given up: the next failure then counts as the first. */
  over(): void {
    this.#failures = 0
  }
}
