/** Tools that report progress: async generators. */
import type { InputRequired, LogLine, StatusLine, ToolResult } from 'ftl-contract'

/** `progress` must increase from one update to the next. */
export type ToolStatus = Omit<StatusLine, 'type' | 'timestamp'>

/** What a handler may yield before its result. */
export type ToolUpdate = ToolStatus | LogLine

/** What a handler may return besides a job. */
type StreamEnd = ToolResult | InputRequired | string

/**
 * What is yielded is sent immediately, what is returned is the result. Of a yielded result the texts are sent; the last
 * one is the result of a generator that returns nothing.
 */
export type ToolGenerator<End = StreamEnd> = AsyncGenerator<ToolUpdate | ToolResult, End, undefined>

/** Produces the updates of a call and its result, which is ready to be sent. */
export interface UpdateSource {
  next(): Promise<{ done: false; value: ToolUpdate } | { done: true; value: unknown }>
  /** Called when the caller has disconnected. */
  stop(): Promise<unknown>
}

/** A generator as the answer of a handler. */
export class ToolStream implements UpdateSource {
  readonly generator: ToolGenerator<unknown>
  /** Turns what the generator returned into a result. @default unchanged */
  toEnd: (value: unknown) => unknown = (value) => value
  #last: ToolResult | undefined

  constructor(generator: ToolGenerator<unknown>) {
    this.generator = generator
  }

  async next(): Promise<{ done: false; value: ToolUpdate } | { done: true; value: unknown }> {
    const { done, value } = await this.generator.next()
    if (done) return { done, value: await this.toEnd(value ?? this.#last) }
    if (!isResult(value)) return { done: false, value }
    this.#last = value
    const texts = value.content.flatMap((item) => ('text' in item ? [item.text] : []))
    return { done: false, value: { message: texts.join('\n') } }
  }

  stop(): Promise<unknown> {
    return this.generator.return(undefined)
  }

  /** Runs to the end and discards the updates. */
  async drain(): Promise<unknown> {
    for (;;) {
      const { done, value } = await this.next()
      if (done) return value
    }
  }
}

export function isGenerator(answer: unknown): answer is ToolGenerator<unknown> {
  return typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer
}

/** An author's object may have a `content` too, but in a result every item of it has a `type`. */
export function isResult(answer: object): answer is ToolResult {
  return (
    'content' in answer &&
    Array.isArray(answer.content) &&
    answer.content.every((item: { type?: unknown } | null) => typeof item?.type === 'string')
  )
}
