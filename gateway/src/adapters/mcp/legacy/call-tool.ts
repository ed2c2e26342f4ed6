/** `tools/call`: runs the call; for a job, waits for it or starts a stream. */
import { IDEMPOTENCY_HEADER, type JsonSchema } from 'ftl-contract'
import type { Entry } from '../../../catalog/catalog.ts'
import { traceOf } from '../../../invoke/call-context.ts'
import { withAbsoluteOutputs } from '../../../invoke/output-links.ts'
import type { Settled } from '../../../invoke/outcome.ts'
import { toolFailure } from '../core/failures.ts'
import { worded } from '../core/list.ts'
import { callJobTool } from '../core/job-tools.ts'
import { withHandle } from '../core/output-schema.ts'
import { namedCall } from '../core/params.ts'
import { run } from '../core/run.ts'
import {
  type Exchange,
  metaOf,
  originOf,
  progressTokenOf,
  type Reply,
  waitOf,
} from '../exchange.ts'
import { result, type RpcAnswer, type RpcRequest } from '../json-rpc.ts'
import { isObject } from '../../../values.ts'
import { answerPlain } from './profiles.ts'
import { streamStart, wantsStream } from './stream-start.ts'

/** Log level for every client of these revisions, because `logging/setLevel` is not stored. */
const LOG_LEVEL = 'info'

export async function callTool(exchange: Exchange, message: RpcRequest): Promise<Reply> {
  const { gateway, scope, request, versionHeader, acceptsEvents } = exchange
  const { id, params } = message
  const call = namedCall(params, 'tool')
  const { name, args } = call
  const progressToken = progressTokenOf(exchange, message)
  const logLevel = acceptsEvents && versionHeader !== undefined ? LOG_LEVEL : undefined
  const own = callJobTool(exchange, call)
  const outcome =
    (own && (await own)) ??
    (await gateway.invoker.call(scope, {
      name,
      arguments: args,
      context: {
        trace: traceOf(request.headers, metaOf(message)),
        idempotencyKey: request.headers.get(IDEMPOTENCY_HEADER),
        listens: progressToken !== undefined || logLevel !== undefined,
        logLevel,
      },
    }))
  if (outcome.kind === 'job' && wantsStream(exchange)) {
    return { answer: streamStart(exchange, id, outcome.job) }
  }
  const answer = (settled: Settled) => word(exchange, message, name, settled)
  const waitMs = waitOf(message)
  return run(exchange, outcome, { id, progressToken, logLevel, waitMs, answer })
}

function word(
  { request, versionHeader }: Exchange,
  { id }: RpcRequest,
  name: string,
  settled: Settled,
): RpcAnswer {
  if (settled.kind === 'result') {
    const value = withAbsoluteOutputs(settled.result, originOf(request))
    // Before 2026-07-28 `structuredContent` must be an object; the text has the same content.
    if (!isObject(value.structuredContent)) delete value.structuredContent
    return result(id, value)
  }
  if (versionHeader === undefined) return answerPlain(id, name, settled)
  return result(id, toolFailure(name, settled))
}

/** Older clients reject the whole list if one output schema is not an object type, or one property is a boolean. */
export function legacyTool(entry: Entry): object {
  const { inputSchema, outputSchema, ...rest } = worded(entry) as Record<string, JsonSchema>
  const output = withObjects(outputSchema?.type === 'object' ? outputSchema : undefined)
  return {
    ...rest,
    inputSchema: withObjects(inputSchema),
    outputSchema: output && entry.startsJobs ? withHandle(output, entry.name) : output,
  }
}

function withObjects(schema?: JsonSchema): JsonSchema | undefined {
  const properties = Object.entries(schema?.properties ?? {}).map(([name, property]) => [
    name,
    property === true ? {} : property === false ? { not: {} } : (property as unknown),
  ])
  return properties.length > 0
    ? { ...schema, properties: Object.fromEntries(properties) as object }
    : schema
}
