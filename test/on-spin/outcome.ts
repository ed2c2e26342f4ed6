/** What a suite's run found, for the table. */

export interface Outcome {
  passed: number
  /** Names of the tests. */
  failed: string[]
  /** Number of skipped tests by reason. */
  skipped: Record<string, number>
}

const LEFT_OUT = 'for another application, or a program is missing'

export const noOutcome = (): Outcome => ({ passed: 0, failed: [], skipped: {} })

/** Counts a skipped test. */
export function noteSkipped({ skipped }: Outcome, reason = LEFT_OUT): void {
  skipped[reason] = (skipped[reason] ?? 0) + 1
}

/** Number of tests, skipped ones included. */
export function countOf({ passed, failed, skipped }: Outcome): number {
  return passed + failed.length + Object.values(skipped).reduce((sum, count) => sum + count, 0)
}

/** One line a suite, then the reasons and the failed tests. */
export function outcomeTable(outcomes: ReadonlyMap<string, Outcome | string>): string {
  const rows = [['suite', 'passed', 'failed', 'skipped']]
  const details: string[] = []
  for (const [suite, outcome] of outcomes) {
    if (typeof outcome === 'string') {
      rows.push([suite, '-', '-', '-'])
      details.push(`${suite}: ${outcome}`)
      continue
    }
    const { passed, failed, skipped } = outcome
    const left = Object.values(skipped).reduce((sum, count) => sum + count, 0)
    rows.push([suite, String(passed), String(failed.length), String(left)])
    for (const [reason, count] of Object.entries(skipped)) {
      details.push(`${suite}: ${count} skipped: ${reason}`)
    }
    for (const name of failed) details.push(`${suite}: FAILED ${name}`)
  }
  const widths = [0, 1, 2, 3].map((column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  )
  const lines = rows.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  '),
  )
  return `${[...lines, ...(details.length > 0 ? ['', ...details] : [])].join('\n')}\n`
}
