/** One MCP request of a client, and the forms of its answer. */
import { isObject } from 'ftl-contract'
import type { ClientRequest } from '../../calls/client-request.ts'
import type { RpcAnswer, RpcRequest } from './json-rpc.ts'

/** The HTTP request that carried a message, and what a handler needs to answer it. */
export interface Exchange extends ClientRequest {
  /** The header `MCP-Protocol-Version`, if sent. */
  versionHeader: string | undefined
  /** Whether the answer may be an event stream. */
  acceptsEvents: boolean
}

/** An answer, or a stream of messages that ends with one. */
export type Reply =
  | { status?: number; answer: RpcAnswer; headers?: Readonly<Record<string, string>> }
  | { messages: AsyncGenerator<object> }

/** Serves the requests of one era. @throws {RpcFailure} */
export interface EraHandler {
  answer(exchange: Exchange, request: RpcRequest): Reply | Promise<Reply>
}

export function metaOf({ params }: Pick<RpcRequest, 'params'>): Record<string, unknown> {
  return isObject(params._meta) ? params._meta : {}
}
