/**
 * The events of a call as messages of its response stream.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/progress
 */
import { isString, LOG_LEVELS, type LogLevel, type StatusLine } from 'ftl-contract'
import type { CallEvents, Settled } from '../../../invoke/outcome.ts'
import {
  error,
  INTERNAL_ERROR,
  type RequestId,
  RpcFailure,
  type RpcAnswer,
  standardError,
} from '../json-rpc.ts'
import { OwnerUnavailable } from '../../../jobs/job-reader.ts'
import { logError, logUnexpected } from '../../../log.ts'
import { isStoreFailure, STORE_FAILURE } from '../../../store-failure.ts'
import type { Scope } from '../../../scope.ts'

export interface MessageOptions<R> {
  id: RequestId
  /** @default no progress */
  progressToken?: RequestId | undefined
  /** Least severe level. @default no log messages */
  logLevel?: LogLevel | undefined
  /** @throws {RpcFailure} */
  answer: (settled: Settled<R>) => RpcAnswer | Promise<RpcAnswer>
}

/** Notifications, then the answer: always exactly one, and always the last. */
export async function* callMessages<R>(
  scope: Scope,
  events: CallEvents<R>,
  { id, progressToken, logLevel, answer }: MessageOptions<R>,
): AsyncGenerator<object> {
  let last: number | undefined
  try {
    for (;;) {
      const { done, value } = await events.next()
      if (done) {
        yield await answer(value)
        return
      }
      if (value.type === 'log') {
        const { level, data, logger } = value
        if (logLevel === undefined || LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(logLevel))
          continue
        yield notification('message', { level, logger, data })
      } else if (progressToken !== undefined) {
        const progress = nextProgress(value, last)
        if (progress === undefined) continue
        last = progress
        const { message, total } = value
        yield notification('progress', {
          progressToken,
          progress,
          total: typeof total === 'number' ? total : undefined,
          message: isString(message) ? message : undefined,
        })
      }
    }
  } catch (cause) {
    yield failureAnswer(scope, id, cause)
  } finally {
    await events.return({ kind: 'unknown' })
  }
}

/** The answer to a request that threw. What else was thrown than what is named here is not shown to the client. */
export function failureAnswer(scope: Scope, id: RequestId, cause: unknown): RpcAnswer {
  if (cause instanceof RpcFailure) return error(id, cause.error)
  if (cause instanceof OwnerUnavailable) {
    return error(id, standardError(INTERNAL_ERROR, { reason: cause.message }))
  }
  if (isStoreFailure(cause)) {
    logError(scope, 'failed', cause)
    const { code: reason, message, retryAfterSeconds: retryAfter } = STORE_FAILURE
    return error(id, { code: INTERNAL_ERROR, message, data: { reason, retryAfter } })
  }
  logUnexpected(scope, cause)
  return error(id, standardError(INTERNAL_ERROR))
}

/** Added for a message without more progress: the specification requires that the number grows. */
const SMALLEST_STEP = 0.001

/** `undefined` for a line with neither more progress nor a message. */
function nextProgress({ progress, message }: StatusLine, last: number | undefined) {
  const known = typeof progress === 'number' && Number.isFinite(progress)
  if (last === undefined) return known ? progress : 0
  if (known && progress > last) return progress
  return isString(message) ? last + SMALLEST_STEP : undefined
}

export function notification(method: string, params?: object): object {
  return { jsonrpc: '2.0', method: `notifications/${method}`, params }
}
