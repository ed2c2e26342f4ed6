/** Prompts, resources and completions, for both eras. */
import { isObject, isString, type PromptResult, type ResourceResult } from 'ftl-contract'
import type { CallContext } from '../../../invoke/call-context.ts'
import type { Completion } from '../../../invoke/feature-reader.ts'
import type { Outcome, Settled } from '../../../invoke/outcome.ts'
import type { Exchange } from '../exchange.ts'
import { invalidParams, type RpcFailure, type RpcRequest } from '../json-rpc.ts'
import { bridgeAddress } from '../../../calls/stream-address.ts'
import { withBridge } from './app-policy.ts'
import { completionRequest, namedCall, uriParam } from './params.ts'

export type FeatureResult = Partial<PromptResult & ResourceResult & Completion>

/** @returns `undefined` for any other method. @throws {RpcFailure} when the parameters are not as they must be. */
export async function askFeature(
  { gateway: { features }, scope, request }: Exchange,
  { method, params }: RpcRequest,
  contextOf: () => CallContext | Promise<CallContext>,
): Promise<Settled<FeatureResult> | undefined> {
  switch (method) {
    case 'prompts/get': {
      const { name, args } = namedCall(params, 'prompt')
      return settledOnly(await features.prompt(scope, name, args, await contextOf()))
    }
    case 'resources/read':
      return withBridge(
        settledOnly(
          await features.resource(scope, uriParam(params), await contextOf(), componentOf(params)),
        ),
        () => bridgeAddress(scope, request),
      )
    case 'completion/complete':
      return settledOnly(
        await features.complete(scope, completionRequest(params), await contextOf()),
      )
  }
  return undefined
}

export function unknownFeature({ params: { name, uri } }: RpcRequest): RpcFailure {
  if (uri !== undefined) return invalidParams('resource not found', { uri })
  return invalidParams(
    name === undefined
      ? 'params.ref must name a known prompt or resource'
      : `unknown prompt: ${name as string}`,
  )
}

/**
 * `_meta["ftl/component"]`: the resource is read only if this component has it. A host of MCP Apps sends it, so that the app
 * of one component cannot read what another has.
 */
function componentOf({ _meta: meta }: RpcRequest['params']): string | undefined {
  const wanted = isObject(meta) ? meta['ftl/component'] : undefined
  // Anything but a name is that of no component.
  return wanted === undefined || isString(wanted) ? wanted : ''
}

/** Only tools can start jobs or send progress. */
function settledOnly<R>(outcome: Outcome<R>): Settled<R> {
  if (outcome.kind !== 'job' && outcome.kind !== 'stream') return outcome
  return { kind: 'tool-failed', message: 'The component answered with a job.' }
}
