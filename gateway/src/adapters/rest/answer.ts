/** Maps the outcome of a call to an HTTP response. */
import { isFinal, isObject, isString, type JobRecord, publicJob } from 'ftl-contract'
import { json } from 'ftl-http'
import { type ClientRequest, originOf } from '../../calls/client-request.ts'
import { outcomeOfJob } from '../../invoke/answer.ts'
import { withAbsoluteOutputs } from '../../invoke/output-links.ts'
import type { Settled } from '../../invoke/outcome.ts'
import { reasonOf } from '../../invoke/reason-of.ts'
import type { ArgumentError } from '../../invoke/argument-validator.ts'
import { OwnerUnavailable } from '../../jobs/job-reader.ts'
import { unexpectedError } from '../../log.ts'
import { InsufficientScope } from '../../insufficient-scope.ts'
import type { Scope } from '../../scope.ts'
import { NO_TOOL, Refusal, type RestError } from '../../calls/rest-error.ts'
import type { WantedCall } from './call-forms.ts'

/** `body` is a result or, with status 202, a job; a failed call has an `error` instead. */
export type Answer =
  | { status: number; body: object; error?: undefined; headers?: Record<string, string> }
  | { status: number; error: RestError; headers?: Readonly<Record<string, string>> }

function errorAnswer(
  { requestId }: Pick<Scope, 'requestId'>,
  status: number,
  error: Omit<RestError, 'requestId'>,
): Answer {
  return { status, error: { ...error, requestId } }
}

export function response(answer: Answer): Response {
  if (!answer.error) return json(answer.status, answer.body, answer.headers)
  const { status, error, headers } = answer
  const { retryAfterSeconds: seconds } = error
  return json(
    status,
    { error },
    {
      ...headers,
      ...(seconds !== undefined && { 'retry-after': String(seconds) }),
    },
  )
}

/** Maps a thrown error to an answer. */
export function thrownAnswer(scope: Scope, thrown: unknown): Answer {
  if (thrown instanceof Refusal) {
    const { status, code, message, field } = thrown
    return errorAnswer(scope, status, { code, message, field })
  }
  if (thrown instanceof InsufficientScope) {
    const { code, status } = InsufficientScope
    const { message, headers } = thrown
    return { ...errorAnswer(scope, status, { code, message }), headers }
  }
  if (thrown instanceof OwnerUnavailable) {
    return errorAnswer(scope, 502, { code: 'component_unavailable', message: thrown.message })
  }
  const { status, error } = unexpectedError(scope, thrown)
  return errorAnswer(scope, status, error)
}

/** The answer to a call that has settled. */
export function settledAnswer(
  { scope, request }: ClientRequest,
  { name: tool, at, id }: WantedCall,
  settled: Settled,
): Answer {
  const fail = (status: number, code: string, message: string, more?: object) =>
    errorAnswer(scope, status, { code, message, tool, ...more })
  switch (settled.kind) {
    case 'result': {
      const result = withAbsoluteOutputs(settled.result, originOf(request), scope.links)
      const { isError, _meta, content, structuredContent } = result
      const { text } = (content[0] ?? {}) as { text?: unknown }
      const busy = isError && busyFor(_meta)
      if (busy) {
        const { status, code, ...more } = busy
        return fail(status, code, isString(text) ? text : 'Retry later.', more)
      }
      // Repeated at the top level, as in the reference.
      const { resultUrl, workflow } = isObject(structuredContent) ? structuredContent : {}
      return { status: 200, body: { ...result, resultUrl, workflow, tool_call_id: id } }
    }
    case 'unknown':
      return fail(404, 'tool_not_found', NO_TOOL)
    case 'invalid-arguments': {
      const { errors } = settled
      const [{ path, message }] = errors as [ArgumentError]
      const field = path === '' ? at : at && `${at}.${path}`
      return fail(400, 'invalid_arguments', `${path || 'The arguments'} ${message}.`, {
        field: field || path || undefined,
        errors,
      })
    }
    case 'unreachable':
      return settled.late
        ? fail(504, 'timeout', settled.message)
        : fail(502, 'component_unavailable', settled.message)
    case 'over-limit': {
      const { message, retryAfterSeconds, isFull } = settled
      const [status, code] = isFull
        ? ([507, 'store_full'] as const)
        : ([429, 'limit_reached'] as const)
      return fail(status, code, message, { retryAfterSeconds })
    }
    case 'needs-approval':
      return fail(403, 'approval_required', settled.message, { approval: settled.approval })
    case 'not-approved':
      return fail(403, 'not_approved', settled.message)
    default:
      if ('noJob' in settled) return fail(404, 'job_not_found', settled.message)
      return fail(502, CODES[settled.kind], reasonOf(settled))
  }
}

/** By the kind of a failure that has status 502. */
const CODES = {
  'tool-failed': 'tool_failed',
  'input-required': 'input_required',
  'missing-capability': 'input_required',
  'not-pinned': 'not_pinned',
  refused: 'tool_unusable',
  'unusable-schema': 'tool_unusable',
}

/** The answer to a call that started a job: its outcome or, with status 202, the URL to poll. */
export function jobAnswer(exchange: ClientRequest, call: WantedCall, job: JobRecord): Answer {
  const { scope } = exchange
  if (!isFinal(job)) {
    const headers = {
      location: `/jobs/${job.id}`,
      'retry-after': String(Math.max(1, Math.ceil(job.pollIntervalMs / 1000))),
    }
    return {
      status: 202,
      body: publicJob(job),
      headers,
    }
  }
  const data = isObject(job.error?.data) ? job.error.data : {}
  const settled = outcomeOfJob(job)
  if (settled.kind !== 'tool-failed') return settledAnswer(exchange, call, settled)
  const { message } = settled
  const tool = call.name
  const busy = busyFor(data)
  if (busy) {
    const { status, ...more } = busy
    return errorAnswer(scope, status, { message, tool, ...more })
  }
  const code = job.status === 'cancelled' ? 'job_cancelled' : 'tool_failed'
  const kind = isString(data.kind) ? data.kind : undefined
  return errorAnswer(scope, 502, { code, message, tool, kind })
}

/** Seconds to wait if the tool does not specify them. */
const RETRY_AFTER_SECONDS = 10

/** By the kind of a failure after which a client should send the call again. */
const BUSY: Readonly<Record<string, number>> = { queue_full: 429, store_unavailable: 503 }

/** The status and the seconds to wait if all queues of the tool are full, or its store does not answer. */
function busyFor(data: Record<string, unknown> | undefined) {
  const code = data?.kind
  const status = isString(code) && Object.hasOwn(BUSY, code) ? BUSY[code] : undefined
  if (status === undefined) return undefined
  const seconds = Number(data?.retryAfterSeconds)
  const retryAfterSeconds = seconds > 0 ? Math.ceil(seconds) : RETRY_AFTER_SECONDS
  return { status, code: code as string, retryAfterSeconds }
}
