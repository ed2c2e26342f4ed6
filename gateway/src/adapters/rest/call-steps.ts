/** Runs one call: yields its events and returns its answer. Never throws, so that each call of a list has an answer. */
import type { JobRecord } from 'ftl-contract'
import { callTool } from '../../calls/call-tool.ts'
import type { ClientRequest } from '../../calls/client-request.ts'
import { changesOf, followToLimit, followWithProgress, statusesOf } from '../../calls/follow-job.ts'
import type { CallEvent } from '../../invoke/outcome.ts'
import { type Answer, jobAnswer, settledAnswer, thrownAnswer } from './answer.ts'
import type { WantedCall } from './call-forms.ts'
import { ownName } from './function-names.ts'

export interface RestExchange extends ClientRequest {
  /** Milliseconds the client will wait for a job. @default `wait_limit_ms`; for a stream, `stream_limit_ms` */
  waitMs: number | undefined
  /** Whether the client receives progress while a call runs. */
  wantsProgress: boolean
}

export type CallSteps = AsyncGenerator<CallEvent, Answer, undefined>

/** @param place index in a list of calls; makes the idempotency key unique, so that each call starts its own job. */
export async function* callSteps(
  exchange: RestExchange,
  wanted: WantedCall,
  place?: number,
): CallSteps {
  const { gateway, scope, wantsProgress } = exchange
  try {
    const direct = scope.hooks.callMeant(exchange, wanted)
    const { args, openAi } = direct
    const name = openAi ? await ownName(gateway.tools, scope, direct.name) : direct.name
    const at = direct === wanted ? wanted.at : [wanted.at, 'arguments'].filter(Boolean).join('.')
    const call = { ...direct, name, at }
    const outcome = await callTool(exchange, { name, args, meta: NO_META, wantsProgress, place })
    if (outcome.kind === 'job') return yield* jobSteps(exchange, call, outcome.job)
    const settled = outcome.kind === 'stream' ? yield* outcome.events : outcome
    return settledAnswer(exchange, call, settled)
  } catch (thrown) {
    return thrownAnswer(scope, thrown)
  }
}

/** Plain HTTP has trace context in headers only. */
const NO_META = {}

async function* jobSteps(exchange: RestExchange, call: WantedCall, job: JobRecord): CallSteps {
  const { gateway, scope, wantsProgress, waitMs } = exchange
  const follow = wantsProgress ? followWithProgress : followToLimit
  const records = changesOf(follow(gateway.jobs, scope, job, waitMs))
  return jobAnswer(exchange, call, yield* statusesOf(records))
}
