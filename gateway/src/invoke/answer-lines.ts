/** Reads a call that is answered line by line. */
import { LOG_LEVELS, type LogLevel } from 'ftl-contract'
import { BodyTooLarge, isObject, isString, parseJson } from 'ftl-http'
import type { Deadline } from '../deadline.ts'
import { type Expected, failed, noResult, readResult } from './answer.ts'
import type { CallEvent, CallEvents, Settled } from './outcome.ts'

export interface LineOptions {
  /** Bytes of all lines together. */
  limit: number
  deadline: Deadline
}

/**
 * @returns how the call ended; a body that stops without saying so is a failure.
 * @throws {DeadlineExceeded}
 */
export async function* readLines<R>(
  expected: Expected<R>,
  response: Response,
  { limit, deadline }: LineOptions,
): CallEvents<R> {
  const reader = response.body?.getReader() as ReadableStreamDefaultReader<Uint8Array> | undefined
  const decoder = new TextDecoder()
  // The beginning of a line, in pieces: a picture is one line in many of them.
  let pending: string[] = []
  let size = 0
  let reading = false
  try {
    for (;;) {
      reading = true
      const { done, value } = reader
        ? await deadline.race(reader.read())
        : { done: true, value: undefined }
      reading = false
      size += value?.length ?? 0
      if (size > limit) return failed(expected, `answered ${new BodyTooLarge(limit).message}`)
      const text = done ? '\n' : decoder.decode(value, { stream: true })
      pending.push(text)
      if (!text.includes('\n')) continue
      const lines = pending.join('').split('\n')
      pending = [lines.pop() ?? '']
      for (const line of lines) {
        if (line.trim() === '') continue
        const read = readLine(expected, line)
        if (!read) return noResult(expected)
        if ('kind' in read) return read
        yield read
      }
      if (done) return failed(expected, 'broke off its answer')
    }
  } finally {
    // Not under a read that goes on: see readText.
    if (!reading) void reader?.cancel().catch(() => undefined)
  }
}

function readLine<R>(expected: Expected<R>, text: string): CallEvent | Settled<R> | undefined {
  let line: unknown
  try {
    line = parseJson(text)
  } catch {
    return undefined
  }
  if (!isObject(line)) return undefined
  const { type, message, level } = line
  if (type === 'status') return line as unknown as CallEvent
  if (type === 'log') return isLogLevel(level) ? (line as unknown as CallEvent) : undefined
  if (type === 'result') return readResult(expected, line.result)
  if (type !== 'error' || !isString(message)) return undefined
  return { kind: 'tool-failed', message }
}

export function isLogLevel(value: unknown): value is LogLevel {
  return LOG_LEVELS.includes(value as LogLevel)
}
