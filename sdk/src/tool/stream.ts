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

export type ToolNews = ToolStatus | LogLine

type StreamEnd = ToolResult | InputRequired | string

export type ToolGenerator = AsyncGenerator<ToolNews, StreamEnd, undefined>

/** Marks a generator as a handler's answer. */
export class ToolStream {
  readonly generator: ToolGenerator
  constructor(generator: ToolGenerator) {
    this.generator = generator
  }

  /** To the end, without telling anybody of what happens on the way. */
  async drain(): Promise<ToolResult | InputRequired> {
    for (;;) {
      const next = await this.generator.next()
      if (next.done) return toResult(next.value)
    }
  }
}

export function isGenerator(answer: object | string): answer is ToolGenerator {
  return typeof answer === 'object' && Symbol.asyncIterator in answer
}

/** A bare text is a result. */
export function toResult<Answer extends object>(answer: Answer | string): Answer | ToolResult {
  return typeof answer === 'string' ? { content: [{ type: 'text', text: answer }] } : answer
}
