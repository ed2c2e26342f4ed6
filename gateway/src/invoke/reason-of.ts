/** Why a call has no result, in words for its client. */
import type { Settled } from './outcome.ts'

/** An outcome without a result. */
export type NoResult = Exclude<Settled<never>, { kind: 'result' }>

export function reasonOf(failure: Exclude<NoResult, { kind: 'unknown' | 'invalid-arguments' }>) {
  if (failure.kind === 'refused') return failure.reason
  if (failure.kind !== 'input-required') return failure.message
  return 'The tool asks the client for input, which needs MCP revision 2026-07-28.'
}
