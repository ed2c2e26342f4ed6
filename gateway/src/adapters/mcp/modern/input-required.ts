/**
 * Questions of a component to the client, and the client's answers.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 */
import { type InputRequest, isObject, isString } from 'ftl-contract'
import type { CallContext } from '../../../invoke/call-context.ts'
import type { Settled } from '../../../invoke/outcome.ts'
import type { Exchange } from '../exchange.ts'
import { invalidParams, type RpcRequest } from '../json-rpc.ts'
import type { Envelope } from './envelope.ts'
import { missingCapability } from './errors.ts'
import { seal, unseal } from './request-state.ts'

/** What a component asks, and which component. */
export type Question = Extract<Settled<never>, { kind: 'input-required' }>

/** The result that asks the client. @throws {RpcFailure} when it did not declare that it can answer. */
export async function inputRequired(
  { scope }: Exchange,
  request: RpcRequest,
  { capabilities }: Envelope,
  { asks: { inputRequests, requestState }, component = '', approved }: Question,
): Promise<object> {
  const missing = Object.values(inputRequests ?? {}).map((ask) => missingFor(ask, capabilities))
  const required = Object.assign({}, ...missing) as object
  if (Object.keys(required).length > 0) throw missingCapability(required)
  if (requestState === undefined && approved === undefined) return { inputRequests }
  const state = { of: component, text: requestState, approved }
  return { inputRequests, requestState: await seal(scope, request, state) }
}

/** What the client would have to declare besides. */
function missingFor({ method, params }: InputRequest, declared: Envelope['capabilities']): object {
  const [capability = ''] = method.split('/')
  const feature = featureOf(capability, params)
  const known = declared[capability]
  // Before there were two modes there were only forms.
  const plain = feature === undefined || (feature === 'form' && isEmpty(known))
  if (isObject(known) && (plain || isObject(known[feature]))) return {}
  return { [capability]: feature === undefined ? {} : { [feature]: {} } }
}

function featureOf(capability: string, params?: Record<string, unknown>): string | undefined {
  if (capability === 'elicitation') return params?.mode === 'url' ? 'url' : 'form'
  return capability === 'sampling' && params?.tools !== undefined ? 'tools' : undefined
}

function isEmpty(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0
}

/** What a repeated request brings. @throws {RpcFailure} */
export async function repeated(
  { scope }: Exchange,
  request: RpcRequest,
): Promise<Pick<CallContext, 'inputResponses' | 'requestState'>> {
  const { inputResponses, requestState } = request.params
  if (inputResponses !== undefined && !isObject(inputResponses)) {
    throw invalidParams('params.inputResponses must be an object')
  }
  if (requestState !== undefined && !isString(requestState)) {
    throw invalidParams('params.requestState must be a string')
  }
  return {
    inputResponses,
    requestState:
      requestState === undefined ? undefined : await unseal(scope, request, requestState),
  }
}
