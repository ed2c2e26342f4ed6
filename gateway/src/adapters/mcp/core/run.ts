/** From an outcome to a reply: at once, or as a stream that ends with it. */
import type { LogLevel, ToolResult } from 'ftl-contract'
import { drain } from '../../../invoke/call-component.ts'
import type { CallEvents, Outcome, Settled } from '../../../invoke/outcome.ts'
import type { Exchange, Reply } from '../exchange.ts'
import type { RequestId, RpcAnswer } from '../json-rpc.ts'
import { callMessages } from './call-messages.ts'
import { jobEvents } from './job-events.ts'

export interface RunOptions<R> {
  id: RequestId
  progressToken: RequestId | undefined
  logLevel: LogLevel | undefined
  /** Most milliseconds the client waits for a job. @default as long as the gateway waits */
  waitMs: number | undefined
  /** @throws {RpcFailure} */
  answer: (settled: Settled<R>) => RpcAnswer | Promise<RpcAnswer>
}

/** Without a promise where there is nothing to wait for: each costs as much as reading a header. */
export function run(
  exchange: Exchange,
  outcome: Outcome,
  options: RunOptions<ToolResult>,
): Reply | Promise<Reply> {
  const { progressToken, waitMs, answer } = options
  if (outcome.kind === 'job') {
    const events = jobEvents(exchange, outcome.job, waitMs)
    if (progressToken === undefined) return drained(events, answer)
    return { messages: callMessages(exchange.scope, events, options) }
  }
  if (outcome.kind === 'stream')
    return { messages: callMessages(exchange.scope, outcome.events, options) }
  const answered = answer(outcome)
  return answered instanceof Promise ? answered.then(asReply) : asReply(answered)
}

async function drained(
  events: CallEvents,
  answer: RunOptions<ToolResult>['answer'],
): Promise<Reply> {
  return { answer: await answer(await drain(events)) }
}

function asReply(answer: RpcAnswer): Reply {
  return { answer }
}

/** For what only tools can do. */
export function settledOnly<R>(outcome: Outcome<R>): Settled<R> {
  if (outcome.kind !== 'job' && outcome.kind !== 'stream') return outcome
  return { kind: 'tool-failed', message: 'The component answered with a job.' }
}
