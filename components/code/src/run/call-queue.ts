/** Requests of a run to the gateway: so many in all, and so many at once. */
import { ProgramError } from '../program/program-error.ts'

export class CallQueue {
  readonly #most: number
  readonly #atOnce: number
  #made = 0
  #running = 0
  readonly #waiting: (() => void)[] = []

  constructor(most: number, atOnce: number) {
    this.#most = most
    this.#atOnce = atOnce
  }

  /** @throws {ProgramError} when there were too many. */
  count(): void {
    if (this.#made >= this.#most) {
      const message = `a program may make ${this.#most} calls: this is one more`
      throw new ProgramError('ToolError', message, undefined, { code: 'too_many_calls' })
    }
    this.#made++
  }

  /** Begins a request when it is its turn. */
  async run<T>(begin: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#atOnce) await new Promise<void>((go) => this.#waiting.push(go))
    else this.#running++
    try {
      return await begin()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running--
    }
  }
}
