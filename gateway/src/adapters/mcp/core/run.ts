/**
 * From an outcome to a reply: at once, or as a stream that ends with it.
 *
 * @module
 */
import type { LogLevel, ToolResult } from 'ftl-sdk/contract'
import { drain } from '../../../invoke/call-component.ts'
import type { Outcome, Settled } from '../../../invoke/outcome.ts'
import type { Exchange, Reply } from '../exchange.ts'
import type { RequestId, RpcAnswer } from '../json-rpc.ts'
import { callMessages } from './call-messages.ts'
import { jobEvents } from './job-events.ts'

export interface RunOptions<R> {
  id: RequestId
  progressToken: RequestId | undefined
  logLevel: LogLevel | undefined
  /** @throws {RpcFailure} */
  answer: (settled: Settled<R>) => RpcAnswer | Promise<RpcAnswer>
}

export async function run(
  exchange: Exchange,
  outcome: Outcome,
  options: RunOptions<ToolResult>,
): Promise<Reply> {
  const { progressToken, answer } = options
  if (outcome.kind === 'job') {
    const events = jobEvents(exchange, outcome.job)
    if (progressToken === undefined) return { answer: await answer(await drain(events)) }
    return { messages: callMessages(exchange.scope, events, options) }
  }
  if (outcome.kind === 'stream')
    return { messages: callMessages(exchange.scope, outcome.events, options) }
  return { answer: await answer(outcome) }
}

/** For what only tools can do. */
export function settledOnly<R>(outcome: Outcome<R>): Settled<R> {
  if (outcome.kind !== 'job' && outcome.kind !== 'stream') return outcome
  return { kind: 'tool-failed', message: 'The component answered with a job.' }
}
