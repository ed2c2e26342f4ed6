/** Not more often than every so many milliseconds, and always the newest. */

export class Pace<T> {
  readonly #intervalMs: number
  readonly #act: (value: T) => void
  #actedAt = -Infinity
  #next: { value: T } | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(intervalMs: number, act: (value: T) => void) {
    this.#intervalMs = intervalMs
    this.#act = act
  }

  /** Acts at once, or when it is time; a value that comes meanwhile takes the place of the one that waits. */
  offer(value: T): void {
    const waitMs = this.#actedAt + this.#intervalMs - Date.now()
    if (waitMs <= 0 && this.#timer === undefined) return this.#now(value)
    this.#next = { value }
    this.#timer ??= setTimeout(() => this.#flush(), waitMs)
  }

  /** What waits is forgotten. */
  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#next = undefined
  }

  #flush(): void {
    const next = this.#next
    this.stop()
    if (next) this.#now(next.value)
  }

  #now(value: T): void {
    this.#actedAt = Date.now()
    this.#act(value)
  }
}
