/** Checks of streamed responses: one JSON document per line. */
import { isObject, jsonOf } from 'ftl-contract'
import { assertNone, type Check, NotApplicable } from '../check.ts'
import { shorten } from '../offer.ts'
import { resultProblem } from '../results.ts'
import type { Answer } from '../subject.ts'

const LINES = 'application/x-ndjson'
const LEVELS = /^(debug|info|notice|warning|error|critical|alert|emergency)$/
const section = 'progress-and-log-messages'

export const LINE_CHECKS: Check[] = [
  {
    id: 'lines.asked-for',
    rule: 'a response is streamed only if the caller accepts application/x-ndjson',
    section,
    fix: 'Stream only if the "accept" header contains application/x-ndjson.',
    async run(subject) {
      const problems: string[] = []
      for (const tool of await subject.quickTools()) {
        const answer = await subject.sample(tool)
        if (isLines(answer)) problems.push(`${answer.request} returned a stream`)
      }
      assertNone(problems)
    },
  },
  {
    id: 'lines.grammar',
    rule: 'each line is a status, a log message, a result or an error; progress increases; the last line is the result or the error',
    section,
    fix: 'Write one JSON object per line and "\\n" after each. Increase "progress" from line to line. End with one {"type":"result","result":…} or {"type":"error","message":…}.',
    async run(subject) {
      const problems: string[] = []
      let tried = 0
      for (const tool of await subject.quickTools()) {
        const answer = await subject.call(tool, subject.argumentsFor(tool), {
          accept: `application/json, ${LINES}`,
          'ftl-log-level': 'debug',
        })
        if (!isLines(answer)) continue
        tried++
        const problem = linesProblem(answer.text)
        if (problem !== undefined) problems.push(`${answer.request}: ${problem}`)
      }
      assertNone(problems)
      if (tried === 0) throw new NotApplicable('no tool streamed its response')
    },
  },
]

function isLines({ headers }: Answer): boolean {
  return (headers.get('content-type') ?? '').toLowerCase().startsWith(LINES)
}

function linesProblem(text: string): string | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  let progress = -Infinity
  for (const [index, line] of lines.entries()) {
    const where = `line ${index + 1}`
    const parsed = jsonOf(line)
    if (!isObject(parsed)) return `${where} must be a JSON object: ${shorten(line, 60)}`
    const last = index === lines.length - 1
    const ends = parsed.type === 'result' || parsed.type === 'error'
    if (ends !== last)
      return last
        ? `${where} is the last one and must be a result or an error`
        : `${where} is a result or an error, but more lines follow`
    const problem = lineProblem(parsed)
    if (problem !== undefined) return `${where} ${problem}`
    if (typeof parsed.progress !== 'number') continue
    if (parsed.progress <= progress)
      return `${where} has progress ${parsed.progress} after ${progress}`
    progress = parsed.progress
  }
  return lines.length === 0 ? 'the stream is empty' : undefined
}

function lineProblem(line: Record<string, unknown>): string | undefined {
  switch (line.type) {
    case 'status': {
      const wrong = ['progress', 'total'].find(
        (key) => line[key] !== undefined && typeof line[key] !== 'number',
      )
      if (wrong !== undefined) return `has a "${wrong}" that is not a number`
      return line.message === undefined || typeof line.message === 'string'
        ? undefined
        : 'has a "message" that is not a string'
    }
    case 'log':
      if (!LEVELS.test(String(line.level)))
        return `has the unknown level ${JSON.stringify(line.level)}`
      return 'data' in line ? undefined : 'is a log message without "data"'
    case 'result': {
      const { result } = line
      if (isObject(result) && result.resultType === 'input_required') return undefined
      return resultProblem(result)
    }
    case 'error':
      return typeof line.message === 'string' ? undefined : 'is an error without a "message"'
    default:
      return `has the unknown type ${JSON.stringify(line.type)}`
  }
}
