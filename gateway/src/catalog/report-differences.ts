/** Reports to the operator, in the output of the gateway, what differs from the pins. */
import { logError } from '../log.ts'
import type { Scope } from '../scope.ts'
import { type Difference, reasonOfDifference } from './differences.ts'

/** Lines of one component; a new server behind it may have thousands of tools. */
const MAX_LINES = 20

/** Once for each set of differences. */
export function reportDifferences(
  scope: Scope,
  component: string,
  { differences = [] }: { differences?: readonly Difference[] | undefined } = {},
  before: { differences?: readonly Difference[] | undefined } = {},
): void {
  if (differences.length === 0) return
  if (JSON.stringify(differences) === JSON.stringify(before.differences)) return
  const lines = differences.slice(0, MAX_LINES).map(reasonOfDifference)
  const more = differences.length - lines.length
  if (more > 0) lines.push(`And ${more} more: see /health/components.`)
  logError(scope, `pins of ${component}`, `${lines.join(' ')} Accept it with: ftl pin ${component}`)
}
