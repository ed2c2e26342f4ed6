/** The access token of the caller, which the gateway sends to the components that its operator has named. */
import { CALLER_TOKEN_HEADER } from 'ftl-contract'
import type { ToolContext } from 'ftl-sdk'

/** By the context of a call, so that no other call can find it. */
const tokens = new WeakMap<object, string>()

/** @param request of the gateway, not of a client. */
export function keepCallerToken(context: ToolContext, { headers }: Request): void {
  const token = headers.get(CALLER_TOKEN_HEADER)
  if (token !== null) tokens.set(context, token)
}

export function callerTokenOf(context: ToolContext): string | undefined {
  return tokens.get(context)
}
