/** The timers of a program, by the ids that it gave them. */

interface Timer {
  cancel: () => void
}

/** Milliseconds of the longest. */
const LONGEST = 2 ** 31 - 1

export class Timers {
  readonly #open = new Map<number, Timer>()
  readonly #most: number
  readonly #fire: (id: number) => void

  constructor(most: number, fire: (id: number) => void) {
    this.#most = most
    this.#fire = fire
  }

  get count(): number {
    return this.#open.size
  }

  /** @returns what is wrong. */
  set(id: number, delay: number, repeats: boolean): string | undefined {
    this.clear(id)
    if (this.#open.size >= this.#most) return `a program may have ${this.#most} timers at once`
    const ms = Math.min(LONGEST, Math.max(0, delay))
    if (repeats) {
      const timer = setInterval(() => this.#fire(id), Math.max(1, ms))
      this.#open.set(id, { cancel: () => clearInterval(timer) })
    } else {
      const timer = setTimeout(() => {
        this.#open.delete(id)
        this.#fire(id)
      }, ms)
      this.#open.set(id, { cancel: () => clearTimeout(timer) })
    }
    return undefined
  }

  clear(id: number): void {
    this.#open.get(id)?.cancel()
    this.#open.delete(id)
  }

  clearAll(): void {
    for (const id of this.#open.keys()) this.clear(id)
  }
}
