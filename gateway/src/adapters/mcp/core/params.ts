/** Parameters of the methods that both eras have. */
import { isObject, isString } from 'ftl-contract'
import type { CompletionRequest } from '../../../invoke/feature-reader.ts'
import { invalidParams } from '../json-rpc.ts'

type Params = Readonly<Record<string, unknown>>

/** @throws {RpcFailure} as every function here. */
export function textParam(params: Params, field: string, what: string): string {
  const value = params[field]
  if (isString(value) && value !== '') return value
  throw invalidParams(`params.${field} must be ${what}`)
}

export interface NamedCall {
  name: string
  args: Record<string, unknown>
}

/** Of `tools/call` and `prompts/get`. */
export function namedCall(params: Params, what: 'tool' | 'prompt'): NamedCall {
  const name = textParam(params, 'name', `the name of a ${what}`)
  const args = params.arguments ?? {}
  if (isObject(args)) return { name, args }
  throw invalidParams('params.arguments must be an object', { [what]: name })
}

export function uriParam(params: Params): string {
  return textParam(params, 'uri', 'the uri of a resource')
}

/** Of `completion/complete`. */
export function completionRequest({ ref, argument, context }: Params): CompletionRequest {
  if (!isObject(argument) || !isString(argument.name) || !isString(argument.value)) {
    throw invalidParams('params.argument must have a name and a value, both strings')
  }
  const known = isObject(context) && isObject(context.arguments) ? context.arguments : undefined
  return {
    of: reference(ref),
    argument: { name: argument.name, value: argument.value },
    context: known,
  }
}

function reference(ref: unknown): CompletionRequest['of'] {
  if (isObject(ref)) {
    if (ref.type === 'ref/prompt' && isString(ref.name)) return { prompt: ref.name }
    if (ref.type === 'ref/resource' && isString(ref.uri)) return { resource: ref.uri }
  }
  throw invalidParams('params.ref must be a ref/prompt with a name or a ref/resource with a uri')
}
