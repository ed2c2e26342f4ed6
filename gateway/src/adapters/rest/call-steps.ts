/** Runs one call: yields its events and returns its answer. Never throws, so that each call of a list has an answer. */
import { IDEMPOTENCY_HEADER, type JobRecord } from 'ftl-contract'
import { traceOf } from '../../invoke/call-context.ts'
import type { CallEvent } from '../../invoke/outcome.ts'
import { callJobTool } from '../mcp/core/job-tools.ts'
import type { Exchange } from '../mcp/exchange.ts'
import { type Answer, jobAnswer, settledAnswer, thrownAnswer } from './answer.ts'
import type { WantedCall } from './call-forms.ts'
import { ownName } from './function-names.ts'

export interface RestExchange extends Exchange {
  /** Milliseconds the client will wait for a job. @default `wait_limit_ms`; for a stream, until the job expires */
  waitMs: number | undefined
  /** Whether the client receives progress while a call runs. */
  listens: boolean
}

export type CallSteps = AsyncGenerator<CallEvent, Answer, undefined>

/** @param place index in a list of calls; makes the idempotency key unique, so that each call starts its own job. */
export async function* callSteps(
  exchange: RestExchange,
  wanted: WantedCall,
  place?: number,
): CallSteps {
  const { gateway, scope, request, listens } = exchange
  try {
    const { args, openAi } = wanted
    const name = openAi ? await ownName(gateway.tools, scope, wanted.name) : wanted.name
    const call = { ...wanted, name }
    const { headers } = request
    const key = headers.get(IDEMPOTENCY_HEADER)
    const outcome =
      (await callJobTool(exchange, call)) ??
      (await gateway.invoker.call(scope, {
        name,
        arguments: args,
        context: {
          trace: traceOf(headers, {}),
          idempotencyKey: key !== null && place !== undefined ? `${key}-${place}` : key,
          listens,
        },
      }))
    if (outcome.kind === 'job') return yield* jobSteps(exchange, call, outcome.job)
    const settled = outcome.kind === 'stream' ? yield* outcome.events : outcome
    return settledAnswer(exchange, call, settled)
  } catch (thrown) {
    return thrownAnswer(scope, thrown)
  }
}

async function* jobSteps(exchange: RestExchange, call: WantedCall, job: JobRecord): CallSteps {
  const { gateway, scope, listens, waitMs = Infinity } = exchange
  // A stream keeps its connection alive; any other response must be sent before proxies time out.
  const most = listens
    ? Date.parse(job.expiresAt) - scope.platform.now()
    : scope.settings.waitLimitMs
  const records = gateway.jobs.follow(scope, job, Math.min(waitMs, most))
  let seen: number | undefined
  for (;;) {
    const { done, value } = await records.next()
    if (done) return jobAnswer(exchange, call, value)
    const { seq, message, progress } = value
    if (seq === seen) continue
    seen = seq
    yield { type: 'status', message, progress: progress?.value, total: progress?.total }
  }
}
