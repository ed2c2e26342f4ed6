/** Seconds' worth of bytes that may come at once after a quiet time. */
const BURST_SECONDS = 4

/** A part of a second that must be free again before anything passes, so that drops are told in few lines. */
const RESUME_SECONDS = 0.25

/** Lets so many bytes a second through. */
export class Meter {
  readonly #bytesPerSecond: number
  #free: number
  #at: number
  #stopped = false

  constructor(bytesPerSecond: number, now: number) {
    this.#bytesPerSecond = bytesPerSecond
    this.#free = bytesPerSecond * BURST_SECONDS
    this.#at = now
  }

  /**
   * Whether `bytes` may pass; they are counted then.
   *
   * @param now milliseconds of a clock that does not go back.
   */
  takes(bytes: number, now: number): boolean {
    const rate = this.#bytesPerSecond
    if (rate === Infinity) return true
    this.#free = Math.min(rate * BURST_SECONDS, this.#free + ((now - this.#at) / 1000) * rate)
    this.#at = now
    if (this.#free < (this.#stopped ? rate * RESUME_SECONDS : 0)) {
      this.#stopped = true
      return false
    }
    this.#stopped = false
    this.#free -= bytes
    return true
  }
}
