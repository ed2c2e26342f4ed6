/**
 * A call that somebody listens to: what its handler tells goes out line by line, from the first word on. A handler that
 * tells nothing is answered as any other.
 *
 * @module
 */
import type { Told } from './told.ts'
import { type NewsSource, ToolStream } from '../tool/stream.ts'

type Step = Awaited<ReturnType<NewsSource['next']>>

/** @returns the answer, or what is told on the way to it. */
export async function answerOrNews<Answer>(
  work: Promise<Answer | ToolStream>,
  told: Told,
): Promise<Answer | Listening> {
  const first = await Promise.race([work, told.some()])
  return first === undefined || first instanceof ToolStream ? new Listening(work, told) : first
}

/** The lines of `progress` and `log`, and those of a generator, as they come. */
export class Listening implements NewsSource {
  readonly #work: Promise<unknown>
  readonly #told: Told
  #step: Promise<Step> | undefined
  #stream: ToolStream | undefined
  /** Makes a result of an answer that is no stream. */
  toEnd: (answer: unknown) => unknown = (answer) => answer

  constructor(work: Promise<unknown>, told: Told) {
    this.#work = work
    this.#told = told
  }

  async next(): Promise<Step> {
    for (;;) {
      const line = this.#told.take()
      if (line) return { done: false, value: line }
      // A step that goes on while there are lines is waited for again.
      this.#step ??= this.#advance()
      const step = await Promise.race([this.#step, this.#told.some()])
      if (!step) continue
      const rest = this.#told.take()
      if (rest) return { done: false, value: rest }
      this.#step = undefined
      return step
    }
  }

  async stop(): Promise<void> {
    await this.#stream?.stop()
  }

  async #advance(): Promise<Step> {
    if (!this.#stream) {
      const answer = await this.#work
      if (!(answer instanceof ToolStream)) return { done: true, value: await this.toEnd(answer) }
      this.#stream = answer
    }
    return this.#stream.next()
  }
}
