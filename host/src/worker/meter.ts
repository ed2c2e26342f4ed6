/** Burst allowed after a quiet time, as seconds' worth of bytes. */
const BURST_SECONDS = 4

/** Seconds' worth of bytes that must be free before output resumes, so that few lines report dropped ones. */
const RESUME_SECONDS = 0.25

/** Limits the bytes per second. */
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
   * Whether `bytes` may pass; if so, they are counted.
   *
   * @param now milliseconds of a monotonic clock.
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
