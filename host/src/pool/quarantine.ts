/**
 * Components whose guest took a thread. Their requests run on a worker of their own, so that the next thread they take
 * serves no other component.
 */

/** The longest time a timer takes. Milliseconds. */
const LONGEST_MS = 2 ** 31 - 1

export interface QuarantineOptions {
  /** Milliseconds a component stays after the last thread it took; 0 for no quarantine, `Infinity` for ever. */
  milliseconds: number
  /** A component has come or gone. */
  onChange: (components: readonly string[]) => void
}

export class Quarantine {
  readonly #options: QuarantineOptions
  /** What lets each component go. */
  readonly #timers = new Map<string, NodeJS.Timeout>()

  constructor(options: QuarantineOptions) {
    this.#options = options
  }

  has(component: string): boolean {
    return this.#timers.has(component)
  }

  get components(): string[] {
    return [...this.#timers.keys()]
  }

  /** A guest of `component` took a thread. */
  add(component: string): void {
    const { milliseconds } = this.#options
    if (milliseconds === 0) return
    const before = this.#timers.get(component)
    clearTimeout(before)
    const timer = setTimeout(() => this.#release(component), Math.min(milliseconds, LONGEST_MS))
    this.#timers.set(component, timer.unref())
    if (before === undefined) this.#options.onChange(this.components)
  }

  close(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer)
    this.#timers.clear()
  }

  #release(component: string): void {
    this.#timers.delete(component)
    this.#options.onChange(this.components)
  }
}
