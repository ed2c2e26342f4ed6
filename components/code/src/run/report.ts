/** The result of `run_code`: what the program returned or what went wrong, its console, and how many calls it made. */
import type { ToolResult } from 'ftl-contract'
import { codeFrame } from '../program/position.ts'
import type { ProgramError } from '../program/program-error.ts'
import type { ConsoleLine, ConsoleLines } from './console-lines.ts'
import type { KeptResult } from './run-gateway.ts'
import type { RunOutcome } from './session.ts'

/** What a program gets of a run, in `structuredContent`. */
interface Report {
  result?: unknown
  /** The result was longer; this many characters of its JSON or text are there, as text. */
  cut?: Cut
  error?: {
    name: string
    message: string
    line?: number
    column?: number
    tool?: string
    code?: string
  }
  console?: ConsoleLine[]
  calls: number
}

export interface Cut extends Partial<KeptResult> {
  shown: number
  of: number
  /** Whether all pages together are JSON, or the text that the program returned. */
  form: 'json' | 'text'
  /** Where the next page begins, if the gateway keeps the result. */
  next?: number
}

/** A result that is too long for one answer. */
export interface LongResult {
  shown: string
  cut: Cut
}

export interface ReportedRun extends RunOutcome {
  long?: LongResult | undefined
}

export function report(code: string, outcome: ReportedRun): ToolResult {
  const { json, error, calls, stopped, long } = outcome
  if (stopped) return stoppedResult(stopped.seq)
  const logged = shownConsole(outcome.console)
  const console = outcome.console.lines.length > 0 ? outcome.console.lines : undefined
  if (error) {
    const structuredContent: Report = { error: partsOf(error), console, calls }
    return { ...text([describeError(error, code), logged]), structuredContent, isError: true }
  }
  if (long) {
    const { shown, cut } = long
    const structuredContent: Report = { result: shown, cut, console, calls }
    return { ...text([`${shown}\n${noteOn(cut)}`, logged]), structuredContent }
  }
  const result = outcome.value
  const shown = typeof result === 'string' ? result : (json ?? 'The program returned nothing.')
  return {
    ...text([shown, logged]),
    structuredContent: { result, console, calls } satisfies Report,
  }
}

function noteOn({ shown, of, handle, next }: Cut): string {
  const place = `[cut: ${shown} of ${of} characters.`
  const less = 'Return less, such as the fields and rows you need'
  if (handle === undefined) return `${place} ${less}]`
  return `${place} Next page: run_code with ${JSON.stringify({ result: handle, offset: next })}. ${less}]`
}

/** A mistake that was found before the program ran. */
export function refused(code: string, error: ProgramError): ToolResult {
  const structuredContent: Report = { error: partsOf(error), calls: 0 }
  return { ...text([describeError(error, code)]), structuredContent, isError: true }
}

/** The gateway looks at its own journal, and starts the program again when it may go on. */
function stoppedResult(seq: number): ToolResult {
  return {
    ...text([`The program waits for its call ${seq}.`]),
    isError: true,
    _meta: { 'ftl/run': { paused: seq } },
  }
}

function text(parts: string[]): { content: { type: 'text'; text: string }[] } {
  const shown = parts.filter((part) => part !== '').join('\n\n')
  return { content: [{ type: 'text', text: shown }] }
}

function partsOf({ name, message, place, tool, code }: ProgramError): NonNullable<Report['error']> {
  return { name, message, ...place, ...(tool && { tool }), ...(code && { code }) }
}

function describeError(error: ProgramError, code: string): string {
  const { name, message, place, tool } = error
  const head = `${name}: ${message}${tool ? `\n    in ${tool}` : ''}`
  if (!place) return head
  const frame = codeFrame(code, place)
  return `${head}\n    at line ${place.line}, column ${place.column}${frame && `\n\n${frame}`}`
}

function shownConsole({ lines, omitted }: ConsoleLines): string {
  if (lines.length === 0 && omitted === 0) return ''
  const shown = lines.map(({ level, text }) => (level === 'info' ? text : `[${level}] ${text}`))
  if (omitted > 0) shown.push(`[${omitted} more entries are left out or cut]`)
  return ['Console:', ...shown].join('\n')
}
