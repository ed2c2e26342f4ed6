/** Passes on what a server reports while a tool runs: progress, and lines of its log. */
import { isString, LOG_LEVELS, type LogLevel } from 'ftl-contract'
import type { ToolGenerator } from 'ftl-sdk'
import type { Answer, Update } from './wire/exchange.ts'

type Yielded = ToolGenerator extends AsyncGenerator<infer T> ? T : never

export async function* updatesOf(
  answer: Answer,
): AsyncGenerator<Yielded, Record<string, unknown>, undefined> {
  let reached = -Infinity
  let next = await answer.next()
  try {
    for (; !next.done; next = await answer.next()) {
      const line = logLine(next.value)
      if (line) yield line
      const { progress, total, message } = next.value.params
      // Progress that does not increase violates the protocol, and the gateway would end the call.
      if (typeof progress !== 'number' || progress <= reached) continue
      reached = progress
      yield {
        progress,
        ...(typeof total === 'number' && { total }),
        ...(isString(message) && { message }),
      }
    }
    return next.value
  } finally {
    if (!next.done) await answer.return({})
  }
}

/** Lines below the level that the caller wants go no further than the next part of the SDK. */
function logLine({ kind, params }: Update) {
  const { level, data, logger } = params
  if (kind !== 'log' || !LOG_LEVELS.includes(level as LogLevel) || data === undefined) return
  const named = isString(logger) && { logger: logger.slice(0, LONGEST_LOGGER).toWellFormed() }
  return { type: 'log' as const, level: level as LogLevel, data, ...named }
}

const LONGEST_LOGGER = 256
