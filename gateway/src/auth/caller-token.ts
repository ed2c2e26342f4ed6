/**
 * The token of the caller, for components that exchange it for one of another server (RFC 8693). Only a gateway with the
 * variable `caller_token_components` is built with it.
 *
 * Threat: a component with the token of a user can act as that user at this gateway. So the operator names each component
 * that gets one, and API keys, which do not expire, reach none.
 */
import { ConfigurationError } from 'ftl-http'
import type { Scope } from '../scope.ts'
import { isComponentName } from '../setting-values.ts'
import { bearerOf } from './bearer.ts'

const VARIABLE = 'caller_token_components'

/** @throws {ConfigurationError} */
function namesIn(text: string): string[] {
  const names = text.split(/[\s,]+/).filter((name) => name !== '')
  if (names.every(isComponentName)) return names
  throw new ConfigurationError(VARIABLE, 'must name components, separated by spaces or commas')
}

/** Keeps the token of a request whose caller it has proved. @throws {ConfigurationError} */
export function keepToken(scope: Scope, request: Request): void {
  const names = namesIn(scope.platform.variables.get(VARIABLE) ?? '')
  if (names.length === 0 || scope.caller?.issuer === undefined) return
  const presented = bearerOf(request)
  if (presented && 'token' in presented) {
    Object.assign(scope, { token: { text: presented.token, components: names } })
  }
}
