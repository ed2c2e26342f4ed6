/** Prompts, resources and completions, as both eras ask for them. */
import type { PromptResult, ResourceResult } from 'ftl-contract'
import type { CallContext } from '../../../invoke/call-context.ts'
import type { Completion } from '../../../invoke/offers.ts'
import type { Settled } from '../../../invoke/outcome.ts'
import type { Exchange } from '../exchange.ts'
import { invalidParams, type RpcFailure, type RpcRequest } from '../json-rpc.ts'
import { completionRequest, namedCall, uriParam } from './params.ts'
import { settledOnly } from './run.ts'

export type Offered = Partial<PromptResult & ResourceResult & Completion>

/** @returns `undefined` for any other method. @throws {RpcFailure} when the parameters are not as they must be. */
export async function askOffer(
  { gateway: { offers }, scope }: Exchange,
  { method, params }: RpcRequest,
  contextOf: () => CallContext | Promise<CallContext>,
): Promise<Settled<Offered> | undefined> {
  switch (method) {
    case 'prompts/get': {
      const { name, args } = namedCall(params, 'prompt')
      return settledOnly(await offers.prompt(scope, name, args, await contextOf()))
    }
    case 'resources/read':
      return settledOnly(await offers.resource(scope, uriParam(params), await contextOf()))
    case 'completion/complete':
      return settledOnly(await offers.complete(scope, completionRequest(params), await contextOf()))
  }
  return undefined
}

export function unknownOffer({ params: { name, uri } }: RpcRequest): RpcFailure {
  if (uri !== undefined) return invalidParams('resource not found', { uri })
  return invalidParams(
    name === undefined
      ? 'params.ref names nothing that is known'
      : `unknown prompt: ${name as string}`,
  )
}
