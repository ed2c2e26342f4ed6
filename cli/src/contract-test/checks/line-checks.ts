/** Of answers in lines. */
import { assertNone, type Check, NotApplicable } from '../check.ts'
import { isRecord, shorten } from '../offer.ts'
import { resultProblem } from '../results.ts'
import type { Answer } from '../subject.ts'

const LINES = 'application/x-ndjson'
const LEVELS = /^(debug|info|notice|warning|error|critical|alert|emergency)$/
const section = 'progress-and-log-messages'

export const LINE_CHECKS: Check[] = [
  {
    id: 'lines.asked-for',
    holds: 'lines are sent only to a caller that takes them',
    section,
    todo: 'Look for application/x-ndjson in "accept" before you answer line by line.',
    async run(subject) {
      const problems: string[] = []
      for (const tool of await subject.quickTools()) {
        const answer = await subject.sample(tool)
        if (isLines(answer)) problems.push(`${answer.request} was answered in lines`)
      }
      assertNone(problems)
    },
  },
  {
    id: 'lines.grammar',
    holds: 'each line is a status, a log line or the end; progress grows; the last line ends it',
    section,
    todo: 'One JSON object a line, "\\n" after each; "progress" greater than before; one {"type":"result","result":…} or {"type":"error","message":…} at the end and nothing after it.',
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
      if (tried === 0) throw new NotApplicable('no tool answered in lines')
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
    const parsed = parse(line)
    if (!isRecord(parsed)) return `${where} must be a JSON object: ${shorten(line, 60)}`
    const last = index === lines.length - 1
    const ends = parsed.type === 'result' || parsed.type === 'error'
    if (ends !== last)
      return last ? `${where} is the last and ends nothing` : `${where} is an end, and more follows`
    const problem = lineProblem(parsed)
    if (problem !== undefined) return `${where} ${problem}`
    if (typeof parsed.progress !== 'number') continue
    if (parsed.progress <= progress)
      return `${where}: progress ${parsed.progress} after ${progress}`
    progress = parsed.progress
  }
  return lines.length === 0 ? 'there is no line' : undefined
}

function lineProblem(line: Record<string, unknown>): string | undefined {
  switch (line.type) {
    case 'status': {
      const odd = ['progress', 'total'].find(
        (key) => line[key] !== undefined && typeof line[key] !== 'number',
      )
      if (odd !== undefined) return `has a "${odd}" that is not a number`
      return line.message === undefined || typeof line.message === 'string'
        ? undefined
        : 'has a "message" that is not a string'
    }
    case 'log':
      if (!LEVELS.test(String(line.level))) return `has the level ${JSON.stringify(line.level)}`
      return 'data' in line ? undefined : 'is a log line without "data"'
    case 'result': {
      const { result } = line
      if (isRecord(result) && result.resultType === 'input_required') return undefined
      return resultProblem(result)
    }
    case 'error':
      return typeof line.message === 'string' ? undefined : 'is an error without "message"'
    default:
      return `is of the type ${JSON.stringify(line.type)}`
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line) as unknown
  } catch {
    return undefined
  }
}
