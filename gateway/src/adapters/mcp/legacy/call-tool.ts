/**
 * `tools/call`: the call, and for a job the wait or the stream.
 *
 * @module
 */
import { isFinal, type JobRecord } from 'ftl-sdk/contract'
import type { Gateway } from '../../../gateway.ts'
import { outcomeOfJob } from '../../../invoke/answer.ts'
import { traceOf } from '../../../invoke/call-headers.ts'
import type { Settled } from '../../../invoke/outcome.ts'
import { withAbsoluteOutputs } from '../../../invoke/output-links.ts'
import { isObject } from '../../../values.ts'
import {
  error,
  INVALID_PARAMS,
  result,
  type RpcAnswer,
  type RpcRequest,
  standardError,
} from '../json-rpc.ts'
import type { Exchange } from '../mcp-adapter.ts'
import { jobHandle } from './job-handle.ts'
import { answerPlain, answerRevision } from './profiles.ts'
import { streamStart, wantsStream } from './stream-start.ts'

export async function callTool(
  gateway: Gateway,
  exchange: Exchange,
  { id, params }: RpcRequest,
): Promise<RpcAnswer> {
  const { name, arguments: args = {} } = params
  if (typeof name !== 'string' || name === '') {
    const reason = 'params.name must be the name of a tool'
    return error(id, standardError(INVALID_PARAMS, { reason }))
  }
  if (!isObject(args)) {
    const reason = 'params.arguments must be an object'
    return error(id, standardError(INVALID_PARAMS, { tool: name, reason }))
  }
  const { scope, request } = exchange
  const meta = isObject(params._meta) ? params._meta : {}
  const trace = traceOf(request.headers, meta)
  const outcome = await gateway.invoker.call(scope, { name, arguments: args, trace })

  if (outcome.kind === 'job') return answerJob(gateway, exchange, { id, name, job: outcome.job })
  return answerOutcome(exchange, { id, name, outcome })
}

interface Started {
  id: RpcRequest['id']
  name: string
  job: JobRecord
}

async function answerJob(
  { jobs }: Gateway,
  exchange: Exchange,
  { id, name, job }: Started,
): Promise<RpcAnswer> {
  if (wantsStream(exchange)) return streamStart(exchange, id, job)
  const { scope, request } = exchange
  const ended = await jobs.wait(scope, job, scope.settings.waitLimitMs)
  if (!isFinal(ended)) return result(id, jobHandle(ended, originOf(request)))
  return answerOutcome(exchange, { id, name, outcome: outcomeOfJob(ended) })
}

function answerOutcome(
  { request, versionHeader }: Exchange,
  { id, name, outcome }: { id: RpcRequest['id']; name: string; outcome: Settled },
): RpcAnswer {
  if (outcome.kind === 'result') {
    return result(id, withAbsoluteOutputs(outcome.result, originOf(request)))
  }
  return versionHeader === undefined
    ? answerPlain(id, name, outcome)
    : answerRevision(id, name, outcome)
}

function originOf(request: Request): string {
  return new URL(request.url).origin
}
