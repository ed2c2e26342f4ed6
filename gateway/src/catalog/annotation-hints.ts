/**
 * The annotations of a tool, with the defaults of the specification: a tool that says nothing may be destructive.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/schema#toolannotations
 */
import { memberOf } from 'ftl-contract'

export const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#toolannotations */
export type Hint = (typeof HINTS)[number]

/** @param annotations as a component published them: a value that is not a boolean states nothing. */
export function hintOf(annotations: unknown, hint: Hint): boolean {
  const stated = stateOf(annotations, hint)
  if (stated !== undefined) return stated
  if (hint === 'destructiveHint') return stateOf(annotations, 'readOnlyHint') !== true
  return hint === 'openWorldHint'
}

/** What they say, without the default. */
export function stateOf(annotations: unknown, hint: Hint): boolean | undefined {
  const value = memberOf(annotations, hint)
  return typeof value === 'boolean' ? value : undefined
}
