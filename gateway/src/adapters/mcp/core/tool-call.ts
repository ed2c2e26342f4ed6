/** `tools/call`, for both eras: each only formats the answer. */
import { isFinal, isString, type JobRecord, type LogLevel } from 'ftl-contract'
import { callTool, type ClientCall } from '../../../calls/call-tool.ts'
import { originOf } from '../../../calls/client-request.ts'
import { followToLimit, followWithProgress, statusesOf } from '../../../calls/follow-job.ts'
import { jobHandle } from '../../../jobs/job-handle.ts'
import { streamAddress } from '../../../calls/stream-address.ts'
import { outcomeOfJob } from '../../../invoke/answer.ts'
import { LISTED_WAIT_MS, traitsOf, WAIT_KEY } from '../../../client-traits.ts'
import { drain } from '../../../invoke/call-component.ts'
import type { CallEvents, Settled } from '../../../invoke/outcome.ts'
import { type Exchange, metaOf, type Reply } from '../exchange.ts'
import type { RequestId, RpcAnswer, RpcRequest } from '../json-rpc.ts'
import { callMessages } from './call-messages.ts'
import { namedCall } from './params.ts'

/** A request and what carried it. */
export interface McpCall {
  exchange: Exchange
  request: RpcRequest
}

/** Answers that differ between the eras. */
export interface ToolCallForm<C extends McpCall> {
  /** The answer to a call that has started a job. @returns `undefined` for a client that waits for its end */
  startedJob(call: C, job: JobRecord): RpcAnswer | undefined
  /** @throws {RpcFailure} */
  answer(call: C, settled: Settled): RpcAnswer | Promise<RpcAnswer>
}

/**
 * @param logLevel least severe level that the client receives, if it accepts events.
 * @returns the call as it is made, and what the client sees: the call of the tool itself, also if it came through `use_tool`.
 * @throws {RpcFailure}
 */
export function readToolCall<C extends McpCall>(
  sent: C,
  logLevel: LogLevel | undefined,
): { wanted: ClientCall; call: C } {
  const { exchange } = sent
  const asked = namedCall(sent.request.params, 'tool')
  const named = exchange.scope.hooks.callMeant(exchange, asked)
  const { name, args } = named
  const call =
    named === asked
      ? sent
      : { ...sent, request: withParams(sent.request, { name, arguments: args }) }
  const { request } = call
  const wanted: ClientCall = {
    name,
    args,
    meta: metaOf(request),
    wantsProgress: progressTokenOf(exchange, request) !== undefined,
    logLevel: exchange.acceptsEvents ? logLevel : undefined,
  }
  return { wanted, call }
}

function withParams(request: RpcRequest, params: object): RpcRequest {
  return { ...request, params: { ...request.params, ...params } }
}

/** Runs the call, and answers at once or with a stream of messages that ends with the answer. */
export async function serveToolCall<C extends McpCall>(
  call: C,
  wanted: ClientCall,
  form: ToolCallForm<C>,
): Promise<Reply> {
  const { exchange } = call
  const outcome = await callTool(exchange, wanted)
  if (outcome.kind === 'stream') return streamed(call, wanted, form, outcome.events)
  if (outcome.kind !== 'job') {
    const answer = form.answer(call, outcome)
    return { answer: answer instanceof Promise ? await answer : answer }
  }
  const started = form.startedJob(call, outcome.job)
  if (started) return { answer: started }
  const events = jobEvents(call, outcome.job, wanted.wantsProgress)
  if (wanted.wantsProgress) return streamed(call, wanted, form, events)
  return { answer: await form.answer(call, await drain(events)) }
}

function streamed<C extends McpCall>(
  call: C,
  { logLevel }: ClientCall,
  form: ToolCallForm<C>,
  events: CallEvents,
): Reply {
  const { exchange, request } = call
  const messages = callMessages(exchange.scope, events, {
    id: request.id,
    progressToken: progressTokenOf(exchange, request),
    logLevel,
    answer: (settled) => form.answer(call, settled),
  })
  return { messages }
}

/** Waits for the job's end as long as the gateway waits, or as this client asks, then gives a handle. */
async function* jobEvents(
  { exchange, request }: McpCall,
  job: JobRecord,
  wantsProgress: boolean,
): CallEvents {
  const { gateway, scope } = exchange
  const follow = wantsProgress ? followWithProgress : followToLimit
  const last = yield* statusesOf(follow(gateway.jobs, scope, job, waitOf(exchange, request)))
  if (isFinal(last)) return outcomeOfJob(last)
  const stream = streamAddress(scope, exchange.request, last.id)
  return { kind: 'result', result: jobHandle(last, originOf(exchange.request), stream) }
}

/**
 * The client's progress token, if it sent a valid one and accepts events while the call runs.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/progress
 */
function progressTokenOf(exchange: Exchange, request: RpcRequest): RequestId | undefined {
  const { progressToken } = metaOf(request)
  const usable = isString(progressToken) || Number.isInteger(progressToken)
  return exchange.acceptsEvents && usable ? (progressToken as RequestId) : undefined
}

/**
 * `_meta["ftl/wait_ms"]`: maximum milliseconds a call waits for a job before the client gets the handle; 0 = at once.
 * For a client that shows a job's progress itself, such as an MCP App. Others are known to give up early.
 */
function waitOf({ request }: Exchange, message: RpcRequest): number | undefined {
  const meta = metaOf(message)
  const wait = meta[WAIT_KEY]
  // What a client has copied from the list, its address may say better.
  if (typeof wait === 'number' && wait !== LISTED_WAIT_MS) return wait
  return traitsOf(request, meta).waitMs
}
