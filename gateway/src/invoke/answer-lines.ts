/** Reads a call that is answered line by line. */
import { isObject, isString, LOG_LEVELS, type LogLevel } from 'ftl-contract'
import { jsonIn, readLines, type StreamLimits } from 'ftl-http'
import { type Expected, failed, noResult, readResult } from './answer.ts'
import type { CallEvent, CallEvents, Settled } from './outcome.ts'
import { dropReserved } from '../reserved-meta.ts'

/**
 * @returns how the call ended; a body that stops without saying so is a failure.
 * @throws {DeadlineExceeded} or {BodyTooLarge}
 */
export async function* readCallLines<R>(
  expected: Expected<R>,
  response: Response,
  limits: StreamLimits,
): CallEvents<R> {
  for await (const line of readLines(response, limits)) {
    if (line.trim() === '') continue
    const read = readLine(expected, line)
    if (!read) return noResult(expected)
    if ('kind' in read) return read
    yield read
  }
  return failed(expected, 'broke off its answer')
}

function readLine<R>(expected: Expected<R>, text: string): CallEvent | Settled<R> | undefined {
  const line = jsonIn(text)
  if (!isObject(line)) return undefined
  const { type, message, level } = line
  if (type === 'status') return line as unknown as CallEvent
  if (type === 'log') return isLogLevel(level) ? (line as unknown as CallEvent) : undefined
  if (type === 'result') return readResult(expected, dropReserved(line.result, expected.kept))
  if (type !== 'error' || !isString(message)) return undefined
  return { kind: 'tool-failed', message }
}

export function isLogLevel(value: unknown): value is LogLevel {
  return LOG_LEVELS.includes(value as LogLevel)
}
