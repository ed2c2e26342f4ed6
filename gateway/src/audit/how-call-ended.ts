/** How a call ended, in the words of the audit log. */
import type { Connection } from '../connection.ts'
import type { Settled } from '../invoke/outcome.ts'
import { InsufficientScope } from '../insufficient-scope.ts'
import type { AuditEntry } from './audit-line.ts'

export type Ended = Pick<AuditEntry, 'outcome' | 'reason' | 'job'>

export function endOfError(error: unknown): Ended {
  return error instanceof InsufficientScope
    ? { outcome: 'denied', reason: error.message }
    : { outcome: 'failed' }
}

export function endOf(settled: Settled, client: Pick<Connection, 'hasLeft'>): Ended {
  switch (settled.kind) {
    case 'result':
      return { outcome: settled.result.isError ? 'tool_error' : 'ok' }
    case 'input-required':
      return { outcome: 'input_required' }
    case 'unknown':
      return { outcome: 'refused', reason: 'There is no such tool.' }
    case 'invalid-arguments': {
      // Where, and not what: the message may quote an argument.
      const fields = settled.errors.map(({ path }) => path || 'arguments').join(', ')
      return { outcome: 'refused', reason: `The arguments are not valid: ${fields}.` }
    }
    case 'refused':
      return { outcome: 'refused', reason: settled.reason }
    case 'missing-capability':
    case 'unusable-schema':
    case 'over-limit':
    case 'not-pinned':
    case 'needs-approval':
    case 'not-approved':
      return { outcome: 'refused', reason: settled.message }
    case 'unreachable':
      if (client.hasLeft) return { outcome: 'cancelled' }
      return { outcome: settled.late ? 'timeout' : 'failed', reason: settled.message }
    case 'tool-failed':
      return { outcome: client.hasLeft ? 'cancelled' : 'failed', reason: settled.message }
  }
}
