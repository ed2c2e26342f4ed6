/**
 * Reads a component's answer to a call.
 *
 * @module
 */
import type { JobRecord, ToolResult } from 'ftl-sdk/contract'
import { isJobRecord } from '../jobs/job-record.ts'
import { isObject } from '../values.ts'
import type { Outcome, Settled } from './outcome.ts'

const NOT_A_RESULT: Settled = {
  kind: 'tool-failed',
  message: 'The tool answered something that is not a tool result.',
}

/**
 * 200 = result, 202 = job, 4xx with a tool result = that result, 404 without = no such tool.
 *
 * 405 is read as 404: a component made of several tools answers `POST /` so.
 */
export function readAnswer({ status, headers }: Response, text: string): Outcome {
  if (status === 200 && headers.get('content-type')?.startsWith('application/x-ndjson')) {
    return readLines(text)
  }
  const value = parse(text)
  if (status === 200) return isToolResult(value) ? { kind: 'result', result: value } : NOT_A_RESULT
  if (status === 202) {
    const job = isObject(value) ? value.job : undefined
    return isJobRecord(job) ? { kind: 'job', job } : NOT_A_RESULT
  }
  if (status >= 400 && status < 500 && isToolResult(value)) {
    // Refused with words of its own: an error, whether the tool says so or not.
    return { kind: 'result', result: { ...value, isError: true } }
  }
  if (status === 404 || status === 405) return { kind: 'unknown-tool' }
  return { kind: 'tool-failed', message: `The tool answered with status ${status}.` }
}

/** Status lines, any number of them, then one that ends the call. */
function readLines(text: string): Outcome {
  const last = parse(text.trimEnd().split('\n').at(-1) ?? '')
  if (!isObject(last)) return NOT_A_RESULT
  if (last.type === 'result' && isToolResult(last.result)) {
    return { kind: 'result', result: last.result }
  }
  if (last.type === 'error' && typeof last.message === 'string') {
    return { kind: 'tool-failed', message: last.message }
  }
  return NOT_A_RESULT
}

/** Content types are open, so that tools can have their own; every item must name its type. */
export function isToolResult(value: unknown): value is ToolResult {
  return (
    isObject(value) &&
    Array.isArray(value.content) &&
    value.content.every((item: unknown) => isObject(item) && typeof item.type === 'string') &&
    ['boolean', 'undefined'].includes(typeof value.isError)
  )
}

/** How a finished job ends the call that started it. */
export function outcomeOfJob(job: JobRecord): Settled {
  if (job.status === 'completed') {
    return isToolResult(job.result) ? { kind: 'result', result: job.result } : NOT_A_RESULT
  }
  const message = job.error?.message ?? job.message ?? `The job was ${job.status}.`
  return { kind: 'tool-failed', message, ...(job.error && { code: job.error.code }) }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
