/** Reads a component's answer to a call. */
import type {
  CallLine,
  InputRequest,
  InputRequired,
  JobRecord,
  LogLine,
  StatusLine,
  ToolResult,
} from 'ftl-contract'
import { LINES_TYPE } from '../serve/lines.ts'

/** The component did not return a result: behind a gateway the client would only read that the tool failed. */
export class ToolFailed extends Error {
  override readonly name = 'ToolFailed'
}

export type CallAnswer = ToolResult | InputRequired | { job: JobRecord }

export interface CallUpdates {
  progress: Omit<StatusLine, 'type'>[]
  logs: Omit<LogLine, 'type'>[]
}

/** @throws {ToolFailed} when the contract does not define such an answer. */
export async function readAnswer(response: Response, updates: CallUpdates): Promise<CallAnswer> {
  const text = await response.text()
  const type = response.headers.get('content-type') ?? ''
  if (type.startsWith(LINES_TYPE)) return readLines(text, updates)
  const body = parse(text)
  if (isAnswer(body) && response.status < 500) return body
  const message = (body as { error?: { message?: string } } | undefined)?.error?.message
  throw new ToolFailed(`${response.status}: ${message ?? text.slice(0, 200)}`)
}

function readLines(text: string, { progress, logs }: CallUpdates): CallAnswer {
  for (const line of text.split('\n').filter(Boolean)) {
    const { type, ...rest } = JSON.parse(line) as CallLine
    if (type === 'status') progress.push(rest as CallUpdates['progress'][number])
    else if (type === 'log') logs.push(rest as CallUpdates['logs'][number])
    else if (type === 'error') throw new ToolFailed((rest as { message: string }).message)
    else return (rest as { result: ToolResult | InputRequired }).result
  }
  throw new ToolFailed('the lines of the answer ended without a result')
}

function isAnswer(body: unknown): body is CallAnswer {
  return (
    typeof body === 'object' &&
    body !== null &&
    ('content' in body || 'job' in body || 'resultType' in body)
  )
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** The answers to a tool's questions, by the tool's keys, or a function that returns them. */
export type InputAnswers =
  | Readonly<Record<string, unknown>>
  | ((questions: Readonly<Record<string, InputRequest>>) => Readonly<Record<string, unknown>>)

export function answersTo(
  { inputRequests = {} }: InputRequired,
  answers: InputAnswers | undefined,
): Readonly<Record<string, unknown>> {
  if (answers === undefined) {
    const questions = Object.keys(inputRequests).join(', ')
    throw new TypeError(
      `the tool asks its client for ${questions || 'a repeated call'}: give { answers: { … } }, by these keys`,
    )
  }
  return typeof answers === 'function' ? answers(inputRequests) : answers
}

/** The texts of a result, separated by line breaks. */
export function textOf({ content }: ToolResult): string {
  return content.flatMap((part) => (part.type === 'text' ? [String(part.text)] : [])).join('\n')
}
