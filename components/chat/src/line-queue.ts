/**
 * Lines of several makers in the order they are said, for one reader.
 *
 * @module
 */

/** Lines said and not yet read after which who says more waits: a slow client slows the model down, and fills nothing. */
const LIMIT = 32

/** Nobody reads any more. */
export class ReaderGone extends Error {
  override readonly name = 'ReaderGone'
}

export class LineQueue<T> {
  readonly #lines: T[] = []
  readonly #waiting: (() => void)[] = []
  #wake: (() => void) | undefined
  #ended = false
  #gone = false

  /** Settles when there is room for more. @throws {ReaderGone} */
  async say(line: T): Promise<void> {
    if (this.#gone) throw new ReaderGone()
    this.#lines.push(line)
    this.#wake?.()
    if (this.#lines.length < LIMIT) return
    await new Promise<void>((resolve) => this.#waiting.push(resolve))
    if (this.#gone) throw new ReaderGone()
  }

  /** Nothing more will be said. */
  end(): void {
    this.#ended = true
    this.#wake?.()
  }

  async *read(): AsyncGenerator<T, void> {
    try {
      for (;;) {
        const line = this.#lines.shift()
        if (line !== undefined) {
          if (this.#lines.length < LIMIT) for (const resume of this.#waiting.splice(0)) resume()
          yield line
          continue
        }
        if (this.#ended) return
        await new Promise<void>((resolve) => (this.#wake = resolve))
        this.#wake = undefined
      }
    } finally {
      this.leave()
    }
  }

  /** Who waits to say more is told that nobody listens. */
  leave(): void {
    this.#gone = true
    for (const resume of this.#waiting.splice(0)) resume()
    this.#wake?.()
  }
}
