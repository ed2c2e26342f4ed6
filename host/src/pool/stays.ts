/** Who stays somewhere for a time: a component on workers of its own, or what a caller sends. */

/** The longest time a timer takes. Milliseconds. */
const LONGEST_MS = 2 ** 31 - 1

export interface StaysOptions {
  /** Milliseconds a name stays after it was last added; 0 for not at all, `Infinity` for ever. */
  milliseconds: number
  /** A name has come or gone. */
  onChange: () => void
}

interface Stay {
  end: number
  timer: NodeJS.Timeout
}

export class Stays {
  readonly #options: StaysOptions
  readonly #stays = new Map<string, Stay>()

  constructor(options: StaysOptions) {
    this.#options = options
  }

  has(name: string): boolean {
    return this.#stays.has(name)
  }

  get size(): number {
    return this.#stays.size
  }

  add(name: string): void {
    const { milliseconds } = this.#options
    if (milliseconds === 0) return
    const before = this.#stays.get(name)
    const end = performance.now() + milliseconds
    if (before && before.end >= end) return
    clearTimeout(before?.timer)
    this.#stays.set(name, { end, timer: this.#wait(name, end) })
    if (before === undefined) this.#options.onChange()
  }

  close(): void {
    for (const { timer } of this.#stays.values()) clearTimeout(timer)
    this.#stays.clear()
  }

  #wait(name: string, end: number): NodeJS.Timeout {
    const left = Math.ceil(end - performance.now())
    return setTimeout(() => this.#ring(name, end), Math.min(left, LONGEST_MS)).unref()
  }

  #ring(name: string, end: number): void {
    if (performance.now() < end) {
      this.#stays.set(name, { end, timer: this.#wait(name, end) })
      return
    }
    this.#stays.delete(name)
    this.#options.onChange()
  }
}
