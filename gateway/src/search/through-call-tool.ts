/** A call through `use_tool` becomes the call of the tool: it takes the same path, and its errors name the tool. */
import { isObject, isString } from 'ftl-contract'
import type { ClientRequest } from '../calls/client-request.ts'
import { hasVirtualTools } from './call-virtual-tool.ts'
import { isCall } from './virtual-tools.ts'

interface NamedCall {
  name: string
  args: Record<string, unknown>
}

/** @returns the call itself, if it is of another tool or is not valid: the error is then about `use_tool`. */
export function throughCallTool<C extends NamedCall>(
  client: Pick<ClientRequest, 'scope' | 'request'>,
  call: C,
): C {
  if (!isCall(call.name)) return call
  const { name, arguments: given, ...others } = call.args
  // Some clients send null for what a model left out. semantic-kernel puts all arguments of a call in one of this name.
  const args = isObject(given) && isRepeated(name, given) ? given.arguments : (given ?? {})
  const isValid = isString(name) && isObject(args) && Object.keys(others).length === 0
  return isValid && hasVirtualTools(client) ? { ...call, name, args } : call
}

function isRepeated(name: unknown, given: Record<string, unknown>): boolean {
  return given.name === name && isObject(given.arguments) && Object.keys(given).length === 2
}
