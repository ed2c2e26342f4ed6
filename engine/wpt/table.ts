/** The table that `npm run wpt` prints. */
export interface Row {
  folder: string
  files: number
  subtests: number
  passed: number
  expectedFailures: number
  unexpected: number
}

const HEADINGS = ['folder', 'files', 'subtests', 'passed', 'expected failures', 'unexpected']

const cells = (row: Row) => [
  row.folder,
  ...[row.files, row.subtests, row.passed, row.expectedFailures, row.unexpected].map(String),
]

/** @returns Markdown, with the sums as the last row. */
export function makeTable(rows: readonly Row[]): string {
  const sum = (key: Exclude<keyof Row, 'folder'>) => rows.reduce((all, row) => all + row[key], 0)
  const total: Row = {
    folder: 'all',
    files: sum('files'),
    subtests: sum('subtests'),
    passed: sum('passed'),
    expectedFailures: sum('expectedFailures'),
    unexpected: sum('unexpected'),
  }
  const lines = [HEADINGS, ...[...rows, total].map(cells)]
  const widths = HEADINGS.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  )
  const pad = (line: string[]) =>
    `| ${line.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`
  const rule = `| ${widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`
  return [pad(HEADINGS), rule, ...lines.slice(1).map(pad)].join('\n')
}
