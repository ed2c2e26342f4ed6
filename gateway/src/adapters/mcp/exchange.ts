/** One request of a client, and the forms of its answer. */
import { addressOf } from '../../address.ts'
import type { Gateway } from '../../gateway.ts'
import type { Scope } from '../../scope.ts'
import { isObject, isString } from '../../values.ts'
import type { RequestId, RpcAnswer, RpcRequest } from './json-rpc.ts'

/** The HTTP request that carried a message, and what a handler needs to answer it. */
export interface Exchange {
  gateway: Gateway
  scope: Scope
  request: Request
  /** The header `MCP-Protocol-Version`, if sent. */
  versionHeader: string | undefined
  /** Whether the answer may be an event stream. */
  acceptsEvents: boolean
}

/** An answer, or a stream of messages that ends with one. */
export type Reply = { status?: number; answer: RpcAnswer } | { messages: AsyncGenerator<object> }

/** Serves the requests of one era. @throws {RpcFailure} */
export interface EraHandler {
  answer(exchange: Exchange, request: RpcRequest): Reply | Promise<Reply>
}

/** Origin of the gateway as the client addressed it. */
export function originOf(request: Request): string {
  return addressOf(request).origin
}

export function metaOf({ params }: Pick<RpcRequest, 'params'>): Record<string, unknown> {
  return isObject(params._meta) ? params._meta : {}
}

/**
 * The client's progress token, if it sent a valid one and accepts events while the call runs.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/progress
 */
export function progressTokenOf(exchange: Exchange, request: RpcRequest): RequestId | undefined {
  const { progressToken } = metaOf(request)
  const usable = isString(progressToken) || Number.isInteger(progressToken)
  return exchange.acceptsEvents && usable ? (progressToken as RequestId) : undefined
}

/**
 * `_meta["ftl/wait_ms"]`: maximum milliseconds a call waits for a job before the client gets the handle; 0 = at once.
 * For a client that shows a job's progress itself, such as an MCP App.
 */
export function waitOf(request: RpcRequest): number | undefined {
  const wait = metaOf(request)['ftl/wait_ms']
  return typeof wait === 'number' ? wait : undefined
}
