/** Checks the chain of an audit log. */
import { hashOf, type Head, linkOf, START } from 'ftl-host'
import { asObject } from 'ftl-contract'
import { OpenCalls } from './open-calls.ts'
import type { Line } from './read-lines.ts'

export interface Finding {
  file: string
  /** Number of the line in its file; 0 for the whole file. */
  number: number
  message: string
}

export interface Verified {
  lines: number
  /** What breaks the chain; empty if nothing does. */
  broken: Finding[]
  /** What does not: lines that the host marked itself. */
  notes: Finding[]
  /** Calls that have begun and have no line of their end. */
  unfinished: number
  head: Head
}

export interface VerifyOptions {
  /** Hash that the last line must have. @default any */
  head?: string | undefined
  /** Whether the chain may begin after its first line. @default false */
  isPart?: boolean
}

/** Findings that are kept; the first ones say what happened. */
const MAX_FINDINGS = 100

export async function verifyChain(
  lines: AsyncIterable<Line>,
  { head: expected, isPart = false }: VerifyOptions = {},
): Promise<Verified> {
  const broken: Finding[] = []
  const notes: Finding[] = []
  const report = (list: Finding[], { file, number }: Line, message: string) => {
    if (list.length < MAX_FINDINGS) list.push({ file, number, message })
  }
  let head: Head | undefined = isPart ? undefined : START
  let count = 0
  let unfinished = 0
  const open = new OpenCalls<{ line: Line; message: string }>()
  const reportOpen = (calls: readonly { line: Line; message: string }[]) => {
    unfinished += calls.length
    for (const { line, message } of calls) report(notes, line, message)
  }
  let waiting: Line | undefined

  const take = (line: Line, next: Line | undefined) => {
    count++
    if (!line.isWhole) {
      const message =
        'the last line is not complete: the host ended while it wrote, and marks it when it starts again'
      return report(notes, line, message)
    }
    const text = Buffer.from(line.bytes).toString('utf8')
    const link = linkOf(text)
    if (next && isMarked(line, next, head)) {
      return report(notes, line, 'is a part of a line: the host had ended, or the disk was full')
    }
    if (!link || !isJson(text)) return report(broken, line, 'is not a line of an audit log')
    const problem = head && problemOf(link, head)
    if (problem !== undefined) report(broken, line, problem)
    head = { seq: link.seq, hash: hashOf(line.bytes) }
    const fields = fieldsOf(text)
    const note = noteOf(fields)
    if (note !== undefined) report(notes, line, note)
    // Without its bytes: a call may be open for as long as the log goes on.
    const { file, number, isWhole } = line
    const about = { file, number, isWhole, bytes: NO_BYTES }
    reportOpen(open.take(fields, { line: about, message: noEndOf(fields) }))
  }

  for await (const line of lines) {
    if (waiting) take(waiting, line)
    waiting = line
  }
  if (waiting) take(waiting, undefined)
  reportOpen(open.rest())
  const end = head ?? START
  if (expected !== undefined && end.hash !== expected.toLowerCase()) {
    const message = `the last line is number ${end.seq} with the hash ${end.hash}, and not ${expected}: lines are missing at the end, or the log was made again`
    broken.push({ file: waiting?.file ?? '', number: waiting?.number ?? 0, message })
  }
  return { lines: count, broken, notes, unfinished, head: end }
}

/** What is wrong with a line that follows `head`. */
function problemOf({ seq, hash: prev }: Head, head: Head): string | undefined {
  if (seq === head.seq + 1) {
    if (prev === head.hash) return undefined
    return seq === 1
      ? 'must be the first line of a log'
      : 'does not follow the line before: that line was changed'
  }
  if (head.seq === 0) {
    return `is number ${seq}: the log does not begin here; give the earlier files first, or --part`
  }
  if (seq <= head.seq) {
    return `is number ${seq} after number ${head.seq}: lines were moved or inserted, or files are not in order`
  }
  const missing = seq - head.seq - 1
  return `is number ${seq} after number ${head.seq}: ${missing} line${missing === 1 ? ' is' : 's are'} missing`
}

/** Whether the next line says that this one was torn: it has its size and hash, and follows the line before it. */
function isMarked(line: Line, next: Line, head: Head | undefined): boolean {
  const text = Buffer.from(next.bytes).toString('utf8')
  const link = linkOf(text)
  if (!link || (head && problemOf(link, head) !== undefined)) return false
  const { event, bytes, sha256 } = fieldsOf(text)
  return event === 'torn' && bytes === line.bytes.length && sha256 === hashOf(line.bytes)
}

const NO_BYTES = new Uint8Array()

function noEndOf({ tool, principal, component }: Record<string, unknown>): string {
  const by = typeof principal === 'string' ? ` by ${principal}` : ''
  const of = typeof component === 'string' ? ` of ${component}` : ''
  return `the call of ${String(tool)}${of}${by} has no outcome: it still runs, or its host or gateway ended before it`
}

function noteOf({ event, lines, expected, found }: Record<string, unknown>): string | undefined {
  if (event === 'lost') return `${String(lines)} lines were lost while the log could not be written`
  if (event === 'changed') {
    return `another program changed the file: it had ${String(expected)} bytes, and then ${String(found)}`
  }
  return undefined
}

function fieldsOf(text: string): Record<string, unknown> {
  try {
    return asObject(JSON.parse(text))
  } catch {
    return {}
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
