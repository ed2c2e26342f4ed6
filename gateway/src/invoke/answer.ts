/** Reads a component's answer to a call. */
import {
  INPUT_METHODS,
  type InputRequired,
  isArrayOf,
  isObject,
  isString,
  type JobRecord,
  type ToolResult,
} from 'ftl-contract'
import { jsonIn } from 'ftl-http'
import { errorIn } from '../error-in.ts'
import { isJobRecord } from '../jobs/job-record.ts'
import type { Outcome, Settled } from './outcome.ts'
import { dropReserved } from '../reserved-meta.ts'

/** What is asked for, and what a good answer to it looks like. */
export interface Expected<R> {
  /** For messages: `The tool answered …`. */
  what: 'tool' | 'prompt' | 'resource' | 'completion'
  is(value: unknown): value is R
  /** Reserved keys of `_meta` that the gateway takes from this component. @default none */
  kept?: readonly string[]
}

export const TOOL_RESULT: Expected<ToolResult> = { what: 'tool', is: isToolResult }
/** Of the code component: where its program waits, and the trace of it for the client. */
export const RUN_RESULT = { ...TOOL_RESULT, kept: ['ftl/run', 'ftl/trace'] }

/**
 * 200 = result, 202 = job, 4xx with a tool result = that result, 404 without = there is no such thing.
 *
 * 405 is read as 404: a component made of several tools answers `POST /` so.
 */
export function readAnswer<R>(
  expected: Expected<R>,
  { status }: Response,
  text: string,
): Outcome<R> {
  const value = dropReserved(jsonIn(text), expected.kept)
  if (status === 200) return readResult(expected, value)
  if (status === 202) {
    const job = isObject(value) ? value.job : undefined
    return isJobRecord(job) ? { kind: 'job', job } : noResult(expected)
  }
  if (status >= 400 && status < 500) {
    // A tool result with a status of refusal is an error, whether it has `isError` or not.
    if (expected.is(value)) return { kind: 'result', result: { ...value, isError: true } }
    if (status === 404 || status === 405) return { kind: 'unknown' }
    const error = errorIn(value)
    if (error) {
      const { message, requiredCapabilities: required } = error
      if (isObject(required)) return { kind: 'missing-capability', message, required }
      if (expected.what !== 'tool') {
        return { kind: 'invalid-arguments', errors: [{ path: '', message }] }
      }
    }
  }
  return failed(expected, `answered with status ${status}`)
}

export function readResult<R>(expected: Expected<R>, value: unknown): Settled<R> {
  if (isObject(value) && value.resultType === 'input_required') {
    return isInputRequired(value) ? { kind: 'input-required', asks: value } : noResult(expected)
  }
  return expected.is(value) ? { kind: 'result', result: value } : noResult(expected)
}

/**
 * The result without its structured part. The tool has run, and what it did is not undone: the model must not repeat it.
 *
 * @param why the reason, in a text after the others. @default no such text
 */
export function unstructured(
  { structuredContent: _, ...result }: ToolResult,
  why?: string,
): ToolResult {
  if (why === undefined) return result
  const text = `${why} The structured part of this result is left out. The call itself has run: do not repeat it for this.`
  return { ...result, content: [...result.content, { type: 'text', text }] }
}

export function noResult({ what }: Expected<unknown>): Settled<never> {
  return {
    kind: 'tool-failed',
    message: `The ${what} returned something that is not a ${what === 'tool' ? 'tool ' : ''}result.`,
  }
}

/** @param fault goes on with the sentence: `answered with status 500`. */
export function failed({ what }: Expected<unknown>, fault: string): Settled<never> {
  return { kind: 'tool-failed', message: `The ${what} ${fault}.` }
}

/** Content types are open, so that tools can have their own; every item must name its type. */
function isToolResult(value: unknown): value is ToolResult {
  return (
    isObject(value) &&
    isArrayOf(value.content, (item) => isObject(item) && isString(item.type)) &&
    ['boolean', 'undefined'].includes(typeof value.isError)
  )
}

function isInputRequired(value: Record<string, unknown>): value is InputRequired & typeof value {
  const { inputRequests, requestState } = value
  const asks = isObject(inputRequests) ? Object.values(inputRequests) : []
  return (
    (asks.length > 0 || (inputRequests === undefined && requestState !== undefined)) &&
    asks.every((ask) => isObject(ask) && INPUT_METHODS.includes(ask.method as string)) &&
    ['string', 'undefined'].includes(typeof requestState)
  )
}

/** Notes which component asks the client: the state it gives out is for this component alone. */
export function askedBy<O extends Outcome<unknown>>(component: string, outcome: O): O {
  return outcome.kind === 'input-required' ? { ...outcome, component } : outcome
}

/** How a finished job ends the call that started it. */
export function outcomeOfJob(job: JobRecord): Settled {
  if (job.status === 'completed') return askedBy(job.component, readResult(TOOL_RESULT, job.result))
  const message = job.error?.message ?? job.message ?? `The job was ${job.status}.`
  return { kind: 'tool-failed', message, code: job.error?.code }
}
