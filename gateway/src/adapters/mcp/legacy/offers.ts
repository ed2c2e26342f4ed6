/**
 * Prompts, resources and completions for the revisions with a handshake.
 *
 * @module
 */
import { traceOf } from '../../../invoke/call-context.ts'
import type { Outcome } from '../../../invoke/outcome.ts'
import { offerFailure } from '../core/failures.ts'
import { completionRequest, namedCall, uriParam } from '../core/params.ts'
import { settledOnly } from '../core/run.ts'
import { type Exchange, metaOf } from '../exchange.ts'
import { invalidParams, RpcFailure, type RpcRequest } from '../json-rpc.ts'

/** @see https://modelcontextprotocol.io/specification/2025-11-25/server/resources#error-handling */
export const RESOURCE_NOT_FOUND = -32002

export function unknownResource(uri: string): RpcFailure {
  return new RpcFailure({ code: RESOURCE_NOT_FOUND, message: 'Resource not found', data: { uri } })
}

export async function getPrompt(exchange: Exchange, request: RpcRequest): Promise<object> {
  const { gateway, scope } = exchange
  const { name, args } = namedCall(request.params, 'prompt')
  const outcome = await gateway.offers.prompt(scope, name, args, contextOf(exchange, request))
  return only(outcome, () => invalidParams(`unknown prompt: ${name}`))
}

export async function readResource(exchange: Exchange, request: RpcRequest): Promise<object> {
  const { gateway, scope } = exchange
  const uri = uriParam(request.params)
  const outcome = await gateway.offers.resource(scope, uri, contextOf(exchange, request))
  const { ttlMs, cacheScope, ...result } = only(outcome, () => unknownResource(uri))
  return result
}

export async function complete(exchange: Exchange, request: RpcRequest): Promise<object> {
  const { gateway, scope } = exchange
  const wanted = completionRequest(request.params)
  const outcome = await gateway.offers.complete(scope, wanted, contextOf(exchange, request))
  return only(outcome, () => invalidParams('params.ref names nothing that is known'))
}

function only<R extends object>(outcome: Outcome<R>, unknown: () => RpcFailure): R {
  const settled = settledOnly(outcome)
  if (settled.kind === 'result') return settled.result
  throw offerFailure(settled, unknown)
}

function contextOf({ request }: Exchange, message: RpcRequest) {
  return { trace: traceOf(request.headers, metaOf(message)) }
}
