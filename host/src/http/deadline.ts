/** The longest delay a timer keeps, in milliseconds. */
const LONGEST_MS = 2 ** 31 - 1

/** Calls `expire` after a time, unless it is cleared. Does not keep the process alive. */
export class Deadline {
  readonly #timer: NodeJS.Timeout

  constructor(milliseconds: number, expire: () => void) {
    this.#timer = setTimeout(expire, Math.min(milliseconds, LONGEST_MS)).unref()
  }

  /** Gives it the whole time again. */
  restart(): void {
    this.#timer.refresh()
  }

  clear(): void {
    clearTimeout(this.#timer)
  }
}
