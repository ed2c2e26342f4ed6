/**
 * Questions of a component to the client, and the client's answers.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 * @module
 */
import type { InputRequest, InputRequired } from 'ftl-sdk/contract'
import type { CallContext } from '../../../invoke/call-context.ts'
import { isObject, isString } from '../../../values.ts'
import type { Exchange } from '../exchange.ts'
import { invalidParams, type RpcRequest } from '../json-rpc.ts'
import type { Envelope } from './envelope.ts'
import { missingCapability } from './errors.ts'
import { seal, unseal } from './request-state.ts'

/** The capability that a question needs. */
const NEEDS: Readonly<Record<InputRequest['method'], string>> = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
}

/** The result that asks the client. @throws {RpcFailure} when it did not say that it can answer. */
export async function inputRequired(
  { scope }: Exchange,
  request: RpcRequest,
  { capabilities }: Envelope,
  { inputRequests, requestState }: InputRequired,
): Promise<object> {
  const needed = Object.values(inputRequests ?? {}).map(({ method, params }) =>
    needs(method, params),
  )
  const lacking = needed.filter((need) => !has(capabilities, need))
  if (lacking.length > 0) throw missingCapability(Object.assign({}, ...lacking) as object)
  return {
    resultType: 'input_required',
    ...(inputRequests && { inputRequests }),
    ...(requestState !== undefined && { requestState: await seal(scope, request, requestState) }),
  }
}

function needs(method: string, params?: Record<string, unknown>): Record<string, object> {
  const capability = Object.hasOwn(NEEDS, method) ? NEEDS[method as InputRequest['method']] : method
  // Forms need no more than the capability itself.
  return { [capability]: params?.mode === 'url' ? { url: {} } : {} }
}

function has(declared: unknown, needed: Record<string, unknown>): boolean {
  return (
    isObject(declared) &&
    Object.entries(needed).every(([name, below]) =>
      isObject(declared[name]) ? has(declared[name], below as Record<string, unknown>) : false,
    )
  )
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
    ...(inputResponses && { inputResponses }),
    ...(requestState !== undefined && { requestState: await unseal(scope, request, requestState) }),
  }
}
