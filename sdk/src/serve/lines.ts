/** The updates of a call as `application/x-ndjson`: one line each, sent immediately. */
import { type CallLine, LOG_LEVELS, type LogLevel, type ToolResult } from 'ftl-contract'
import type { ToolContext } from '../tool/context.ts'
import { logError } from '../tool/log.ts'
import type { UpdateSource, ToolUpdate } from '../tool/stream.ts'
import { answerOf, messageFor } from './error-message.ts'

export const LINES_TYPE = 'application/x-ndjson'

export interface LineOptions {
  /** For the log. */
  tool: string
  /** For the level of the log, and the message of what fails in the middle. */
  context: Pick<ToolContext, 'requestId' | 'platform' | 'logLevel'>
  /** Called once, when nothing more will be sent; `early` when the reader went away before the end. */
  ended: (how: 'ended' | 'early') => void
}

/** Whether the caller takes lines. */
export function acceptsLines(headers: Headers): boolean {
  const accept = headers.get('accept') ?? ''
  // Most callers take JSON alone, and this is on the path of every call.
  if (!/ndjson/i.test(accept)) return false
  return accept.split(',').some((type) => type.split(';')[0]?.trim().toLowerCase() === LINES_TYPE)
}

export function lineResponse(
  source: UpdateSource,
  { tool, context, ended }: LineOptions,
): Response {
  // A caller that wants none has a level beyond all others: -1 becomes the largest number.
  const wanted = LOG_LEVELS.indexOf(context.logLevel as LogLevel) >>> 0
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { line, last } = await next(source, wanted, { tool, context })
      // The reader may have gone while the tool was at it.
      try {
        controller.enqueue(encoder.encode(`${line}\n`))
        if (last) controller.close()
      } catch {
        return
      }
      if (last) ended('ended')
    },
    cancel() {
      ended('early')
      // Not awaited: a generator in the middle of its work stops at its next `yield`.
      source.stop().catch((error: unknown) => logError(`tool ${tool} failed`, error))
    },
  })
  return new Response(body, { headers: { 'content-type': LINES_TYPE } })
}

interface Next {
  line: string
  last: boolean
}

/** Never throws: what fails in the middle becomes the last line. */
async function next(
  source: UpdateSource,
  wanted: number,
  { tool, context }: Pick<LineOptions, 'tool' | 'context'>,
): Promise<Next> {
  try {
    for (;;) {
      const { done, value } = await source.next()
      if (done) return text({ type: 'result', result: value as ToolResult }, true)
      if (isWanted(value, wanted)) return text(toLine(value), false)
    }
  } catch (error) {
    const result = answerOf(error)
    if (result) return text({ type: 'result', result }, true)
    return text({ type: 'error', message: messageFor(error, tool, context).message }, true)
  }
}

function text(line: CallLine, last: boolean): Next {
  return { line: JSON.stringify(line), last }
}

function toLine(update: ToolUpdate): CallLine {
  return 'type' in update ? update : { type: 'status', ...update }
}

function isWanted(update: ToolUpdate, wanted: number): boolean {
  return !('type' in update) || LOG_LEVELS.indexOf(update.level) >= wanted
}
