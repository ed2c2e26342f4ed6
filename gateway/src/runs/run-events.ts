/** What a program with a journal reports, for a client that waits for its end. */
import type { StatusLine } from 'ftl-contract'
import type { CallEvents, Settled } from '../invoke/outcome.ts'
import type { AttemptEnd } from './attempt.ts'

/** Lines that wait for a slow reader; more are dropped. */
const MOST_LINES = 100

export class RunEvents {
  readonly #lines: StatusLine[] = []
  #isOver = false
  #wake: () => void = () => {}

  add(line: StatusLine): void {
    if (this.#lines.length < MOST_LINES) this.#lines.push(line)
    this.#wake()
  }

  /** Called before the attempt ends. */
  end(): Promise<void> {
    this.#isOver = true
    this.#wake()
    return Promise.resolve()
  }

  /** The lines, and then what the end of the attempt is for the client. The run goes on if the reader stops early. */
  async *until(
    attempt: Promise<AttemptEnd>,
    settle: (end: AttemptEnd) => Promise<Settled>,
  ): CallEvents {
    for (;;) {
      const line = this.#lines.shift()
      if (line) yield line
      else if (this.#isOver) return settle(await attempt)
      else await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }
}
