import { CALLER_TOKEN_HEADER } from 'ftl-contract'
import type { Scope } from '../scope.ts'

/** The header with the token of the caller, for a component that gets it. */
export function tokenFor({ token }: Scope, component: string): Record<string, string> {
  return token?.components.includes(component) ? { [CALLER_TOKEN_HEADER]: token.text } : {}
}
