/** The result of `run_code`, checked: what a program returned, its console, its error, and the trace of its calls. */
import { asArray, asRecord, count, text } from '../../net/api.ts'

export interface ProgramError {
  name: string
  message: string
  line: number | undefined
  column: number | undefined
  tool: string | undefined
}

export interface ConsoleLine {
  level: string
  text: string
}

export interface TracedCall {
  tool: string
  /** Milliseconds since the start of the run. */
  start: number
  /** @default it had not ended */
  ms: number | undefined
  outcome: string
  args: string
  result: string
  isCut: boolean
}

export interface Trace {
  ms: number
  isReplayed: boolean
  calls: TracedCall[]
  omitted: number
}

/** The result is longer than what is there of it. */
export interface Cut {
  shown: number
  of: number
  isJson: boolean
  /** By which the gateway gives the rest. @default nothing keeps it */
  handle: string | undefined
  /** Where the rest begins. */
  next: number | undefined
}

export interface Report {
  hasResult: boolean
  result: unknown
  cut: Cut | undefined
  error: ProgramError | undefined
  console: ConsoleLine[]
  calls: number
  trace: Trace | undefined
}

export function readReport(value: unknown): Report {
  const { structuredContent, content, isError, _meta } = asRecord(value)
  const report = asRecord(structuredContent)
  const cut = asRecord(report['cut'])
  const isKnown = typeof report['calls'] === 'number'
  const words = asArray(content)
    .map((part) => text(asRecord(part)['text']) ?? '')
    .join('\n')
  return {
    hasResult: isKnown ? Object.hasOwn(report, 'result') : isError !== true,
    result: isKnown ? report['result'] : words,
    cut: cut['of'] === undefined ? undefined : readCut(cut),
    error: report['error'] !== undefined ? readError(report['error']) : otherError(isError, words),
    console: asArray(report['console']).map((line) => ({
      level: text(asRecord(line)['level']) ?? 'info',
      text: text(asRecord(line)['text']) ?? '',
    })),
    calls: count(report['calls']) ?? 0,
    trace: readTrace(asRecord(_meta)['ftl/trace']),
  }
}

function readCut({ shown, of, form, handle, next }: Record<string, unknown>): Cut {
  return {
    shown: count(shown) ?? 0,
    of: count(of) ?? 0,
    isJson: form === 'json',
    handle: text(handle),
    next: count(next),
  }
}

function readError(value: unknown): ProgramError {
  const { name, message, line, column, tool } = asRecord(value)
  return {
    name: text(name) ?? 'Error',
    message: text(message) ?? '',
    line: count(line),
    column: count(column),
    tool: text(tool),
  }
}

/** What went wrong outside of the program. */
function otherError(isError: unknown, message: string): ProgramError | undefined {
  if (isError !== true) return undefined
  return { name: 'Error', message, line: undefined, column: undefined, tool: undefined }
}

function readTrace(value: unknown): Trace | undefined {
  const trace = asRecord(value)
  const ms = count(trace['ms'])
  if (ms === undefined) return undefined
  const calls = asArray(trace['calls']).map((each) => {
    const call = asRecord(each)
    return {
      tool: text(call['tool']) ?? '?',
      start: Math.max(0, count(call['start']) ?? 0),
      ms: count(call['ms']),
      outcome: text(call['outcome']) ?? 'ok',
      args: text(call['args']) ?? '',
      result: text(call['result']) ?? '',
      isCut: call['isCut'] === true,
    }
  })
  const omitted = count(trace['omitted']) ?? 0
  return { ms, isReplayed: trace['replayed'] === true, calls, omitted }
}
