/**
 * A call whose client listens: progress and log lines are sent as soon as the handler reports them. A handler that
 * reports nothing is answered without lines.
 */
import { type UpdateSource, ToolStream } from '../tool/stream.ts'
import type { ProgressQueue } from './progress-queue.ts'

type Step = Awaited<ReturnType<UpdateSource['next']>>

/** @returns the answer, or its lines if the handler reports something first or returns a generator. */
export async function answerOrProgress<Answer>(
  work: Promise<Answer | ToolStream>,
  queue: ProgressQueue,
): Promise<Answer | ProgressStream> {
  try {
    const first = await Promise.race([work, queue.available()])
    const hasUpdates = first === undefined || first instanceof ToolStream || queue.hasLines
    return hasUpdates ? new ProgressStream(work, queue) : first
  } catch (error) {
    // A handler that reports and fails at once.
    if (queue.hasLines) return new ProgressStream(work, queue)
    throw error
  }
}

/** The lines of `progress`, `log` and a generator, in the order in which they are reported. */
export class ProgressStream implements UpdateSource {
  readonly #work: Promise<unknown>
  readonly #queue: ProgressQueue
  #step: Promise<Step> | undefined
  #stream: ToolStream | undefined
  /** Turns an answer that is not a stream into a result. */
  toEnd: (answer: unknown) => unknown = (answer) => answer

  constructor(work: Promise<unknown>, queue: ProgressQueue) {
    this.#work = work
    this.#queue = queue
  }

  async next(): Promise<Step> {
    for (;;) {
      const line = this.#queue.take()
      if (line) return { done: false, value: line }
      // A step that is still pending when lines arrive is awaited again.
      this.#step ??= this.#advance()
      const step = await Promise.race([this.#step, this.#queue.available()])
      if (!step) continue
      const rest = this.#queue.take()
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
