/**
 * Tools that tell how they are getting on: async generators.
 *
 * @module
 */
import type { InputRequired } from '../contract/input-required.ts'
import type { LogLine, StatusLine } from '../contract/lines.ts'
import type { ToolResult } from '../contract/tool.ts'

/** `progress` must grow from one to the next. */
export type ToolStatus = Omit<StatusLine, 'type' | 'timestamp'>

/** What a handler may yield before its result. */
export type ToolNews = ToolStatus | LogLine

/** Whatever a handler may return besides a job. */
type StreamEnd = ToolResult | InputRequired | string

/**
 * What is yielded is told at once, what is returned is the result. The texts of a yielded result are told too; the last
 * one is the result of a generator that returns nothing.
 */
export type ToolGenerator<End = StreamEnd> = AsyncGenerator<ToolNews | ToolResult, End, undefined>

/** What the answer to a call is made of; the end is ready to be sent. */
export interface NewsSource {
  next(): Promise<{ done: false; value: ToolNews } | { done: true; value: unknown }>
  /** Nobody wants more of it. */
  stop(): Promise<unknown>
}

/** Marks a generator as a handler's answer. */
export class ToolStream implements NewsSource {
  readonly generator: ToolGenerator<unknown>
  /** Makes a result of what the generator returned. @default as it is */
  toEnd: (value: unknown) => unknown = (value) => value
  #last: ToolResult | undefined

  constructor(generator: ToolGenerator<unknown>) {
    this.generator = generator
  }

  async next(): Promise<{ done: false; value: ToolNews } | { done: true; value: unknown }> {
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

  /** To the end, without telling anybody of what happens on the way. */
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

/** Told apart from an object of the author's own by what every content has. */
export function isResult(answer: object): answer is ToolResult {
  return (
    'content' in answer &&
    Array.isArray(answer.content) &&
    answer.content.every((item: { type?: unknown } | null) => typeof item?.type === 'string')
  )
}
