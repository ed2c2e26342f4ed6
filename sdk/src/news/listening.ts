/**
 * A call whose client listens: progress and log lines are sent as soon as the handler reports them. A handler that
 * reports nothing is answered without lines.
 */
import type { Told } from './told.ts'
import { type NewsSource, ToolStream } from '../tool/stream.ts'

type Step = Awaited<ReturnType<NewsSource['next']>>

/** @returns the answer, or its lines if the handler reports something first or returns a generator. */
export async function answerOrNews<Answer>(
  work: Promise<Answer | ToolStream>,
  told: Told,
): Promise<Answer | Listening> {
  const first = await Promise.race([work, told.some()])
  return first === undefined || first instanceof ToolStream ? new Listening(work, told) : first
}

/** The lines of `progress`, `log` and a generator, in the order in which they are reported. */
export class Listening implements NewsSource {
  readonly #work: Promise<unknown>
  readonly #told: Told
  #step: Promise<Step> | undefined
  #stream: ToolStream | undefined
  /** Turns an answer that is not a stream into a result. */
  toEnd: (answer: unknown) => unknown = (answer) => answer

  constructor(work: Promise<unknown>, told: Told) {
    this.#work = work
    this.#told = told
  }

  async next(): Promise<Step> {
    for (;;) {
      const line = this.#told.take()
      if (line) return { done: false, value: line }
      // A step that is still pending when lines arrive is awaited again.
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
