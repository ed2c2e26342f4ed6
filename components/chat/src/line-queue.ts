/** Queues lines from several producers, in order of arrival, for one reader. */

/** Number of unread lines at which `say` waits: a slow client slows the model down instead of filling the memory. */
const LIMIT = 32

/** The reader has left the queue. */
export class ReaderGone extends Error {
  override readonly name = 'ReaderGone'
}

export class LineQueue<T> {
  readonly #lines: T[] = []
  readonly #waiting: (() => void)[] = []
  #wake: (() => void) | undefined
  #ended = false
  #gone = false

  /** Resolves when the queue has room again. @throws {ReaderGone} */
  async say(line: T): Promise<void> {
    if (this.#gone) throw new ReaderGone()
    this.#lines.push(line)
    this.#wake?.()
    if (this.#lines.length < LIMIT) return
    await new Promise<void>((resolve) => this.#waiting.push(resolve))
    if (this.#gone) throw new ReaderGone()
  }

  /** Ends `read` after the queued lines. */
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

  /** Rejects every waiting and later `say` with {@link ReaderGone}. */
  leave(): void {
    this.#gone = true
    for (const resume of this.#waiting.splice(0)) resume()
    this.#wake?.()
  }
}
