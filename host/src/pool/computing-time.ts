/** How long a worker has computed since its last sign of life. */

/** Processor time of a thread, in microseconds. */
type CpuUsage = () => Promise<{ user: number; system: number }>

/**
 * Asks the thread, which answers also in the middle of a guest's loop, some milliseconds later: so the answer to a
 * question is read with the next one.
 */
export class ComputingTime {
  readonly #usage: CpuUsage
  /** The sign of life since which it computes. */
  #beat = -1
  #first: { cpuMs: number; silence: number } | undefined
  #computed = 0
  #asked = false

  constructor(usage: CpuUsage) {
    this.#usage = usage
  }

  /**
   * Milliseconds, as far as they are known.
   *
   * @param beat its last sign of life.
   * @param silence milliseconds since then. Those before the first answer count as computing: they are few.
   */
  read(beat: number, silence: number): number {
    if (beat !== this.#beat) {
      this.#beat = beat
      this.#first = undefined
      this.#computed = 0
    }
    if (!this.#asked) this.#ask(beat, silence)
    return this.#computed
  }

  #ask(beat: number, silence: number): void {
    this.#asked = true
    this.#usage().then(
      ({ user, system }) => {
        this.#asked = false
        if (beat !== this.#beat) return
        const cpuMs = (user + system) / 1000
        this.#first ??= { cpuMs, silence }
        this.#computed = this.#first.silence + cpuMs - this.#first.cpuMs
      },
      // It has ended.
      () => {},
    )
  }
}
