/** Results as text or JSON. */
import { scoreOf, type Result } from './suite.ts'

export const FORMATS = ['table', 'json', 'markdown'] as const
type Format = (typeof FORMATS)[number]

const MARKS = { pass: 'pass', fail: 'FAIL', 'not testable': '-' } as const

function scoreLine(results: readonly Result[]): string {
  const { MUST, SHOULD, untestable } = scoreOf(results)
  const score = `Score: MUST ${MUST.join('/')}, SHOULD ${SHOULD.join('/')}`
  return untestable === 0 ? score : `${score} (${untestable} not testable)`
}

export function report(results: readonly Result[], format: Format): string {
  if (format === 'json') return JSON.stringify({ score: scoreOf(results), results }, undefined, 2)
  const rows = results.map(({ id, level, state, seen }) => [id, level, MARKS[state], seen])
  const failed = results
    .filter(({ state }) => state === 'fail')
    .map(({ id, sentence, source }) => `${id}: ${sentence}\n  ${source}`)
  const table = format === 'markdown' ? markdown(rows) : aligned(rows)
  return [table, ...failed, scoreLine(results)].join('\n\n')
}

function aligned(rows: readonly string[][]): string {
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function markdown(rows: readonly string[][]): string {
  const escaped = (cell: string) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')
  return [['row', 'level', 'result', 'seen'], ['---', '---', '---', '---'], ...rows]
    .map((row) => `| ${row.map(escaped).join(' | ')} |`)
    .join('\n')
}
