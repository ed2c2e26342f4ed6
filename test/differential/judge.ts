/** Holds what differs against what may differ. */
import type { Disagreement } from './compare.ts'
import type { Difference } from './differences/difference.ts'

export interface Outcome {
  id: string
  disagreements: readonly Disagreement[]
}

/** @returns a line for every difference that is not listed, and every listed one that does not occur (any more). */
export function judge(outcomes: readonly Outcome[], listed: readonly Difference[]): string[] {
  const unlisted = outcomes.flatMap(({ id, disagreements }) =>
    disagreements
      .filter((found) => !listed.some((entry) => entry.cases.test(id) && isSame(entry, found)))
      .map(({ ours, official }) => `${id}: ours ${ours}, the SDK's ${official}: not listed`),
  )
  const stale = listed.flatMap((entry) => {
    const named = outcomes.filter(({ id }) => entry.cases.test(id))
    const line = `${String(entry.cases)}: ours ${entry.ours}, the SDK's ${entry.official}`
    if (named.length === 0) return [`${line}: no case has such an id`]
    return named
      .filter(({ disagreements }) => !disagreements.some((found) => isSame(entry, found)))
      .map(({ id }) => `${line}: no longer occurs in ${id}`)
  })
  return [...unlisted, ...stale]
}

function isSame(entry: Difference, { ours, official }: Disagreement): boolean {
  return entry.ours === ours && entry.official === official
}
