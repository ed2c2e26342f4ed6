/**
 * `tools/call`: the call, and for a job the wait or the stream.
 *
 * @module
 */
import type { Entry } from '../../../catalog/catalog.ts'
import { traceOf } from '../../../invoke/call-context.ts'
import { withAbsoluteOutputs } from '../../../invoke/output-links.ts'
import type { Settled } from '../../../invoke/outcome.ts'
import { toolFailure } from '../core/failures.ts'
import { worded } from '../core/list.ts'
import { namedCall } from '../core/params.ts'
import { run } from '../core/run.ts'
import { type Exchange, metaOf, progressTokenOf, type Reply } from '../exchange.ts'
import { result, type RpcAnswer, type RpcRequest } from '../json-rpc.ts'
import { isObject } from '../../../values.ts'
import { answerPlain } from './profiles.ts'
import { streamStart, wantsStream } from './stream-start.ts'

/** What a client of these revisions is sent when a component logs: `logging/setLevel` is not remembered. */
const LOG_LEVEL = 'info'

export async function callTool(exchange: Exchange, message: RpcRequest): Promise<Reply> {
  const { gateway, scope, request, versionHeader, acceptsEvents } = exchange
  const { id, params } = message
  const { name, args } = namedCall(params, 'tool')
  const progressToken = progressTokenOf(exchange, message)
  const logLevel = acceptsEvents && versionHeader !== undefined ? LOG_LEVEL : undefined
  const outcome = await gateway.invoker.call(scope, {
    name,
    arguments: args,
    context: {
      trace: traceOf(request.headers, metaOf(message)),
      listens: progressToken !== undefined || logLevel !== undefined,
      ...(logLevel && { logLevel }),
    },
  })
  if (outcome.kind === 'job' && wantsStream(exchange)) {
    return { answer: streamStart(exchange, id, outcome.job) }
  }
  const answer = (settled: Settled) => word(exchange, message, name, settled)
  return run(exchange, outcome, { id, progressToken, logLevel, answer })
}

function word(
  { request, versionHeader }: Exchange,
  { id }: RpcRequest,
  name: string,
  settled: Settled,
): RpcAnswer {
  if (settled.kind === 'result') {
    const value = withAbsoluteOutputs(settled.result, new URL(request.url).origin)
    // Before 2026-07-28 only an object may be structured; the text says the same.
    if (!isObject(value.structuredContent)) delete value.structuredContent
    return result(id, value)
  }
  if (versionHeader === undefined) return answerPlain(id, name, settled)
  return result(id, toolFailure(name, settled))
}

/** Older clients refuse the whole list for one output schema whose root is not an object. */
export function legacyTool(entry: Entry): object {
  const { outputSchema, ...rest } = worded(entry) as { outputSchema?: { type?: unknown } }
  return outputSchema?.type === 'object' ? { ...rest, outputSchema } : rest
}
