/** The figures as the table of docs/many-tools.md. `npm run tasks` writes it there. */
import type { Measured } from './measure.ts'
import { WAYS } from './ways.ts'

/** In hundreds. */
const number = (tokens: number) => (Math.round(tokens / 100) * 100).toLocaleString('en-US')

export const DOCS = new URL('../../docs/many-tools.md', import.meta.url)

/** A row for each task: requests and tokens in each way. */
export function figuresTable(measured: readonly Measured[]): string[] {
  const tasks = [...new Set(measured.map(({ task }) => task))]
  const rows = tasks.map((task) => {
    const cells = WAYS.map((way) =>
      cell(measured.filter((each) => each.way === way && each.task === task)),
    )
    return `| ${[task.name, ...cells].join(' | ')} |`
  })
  const sums = WAYS.map((way) => cell(measured.filter((each) => each.way === way)))
  return [...rows, `| ${['all ten', ...sums].join(' | ')} |`]
}

function cell(measured: Measured[]): string {
  const done = measured.filter(({ answer }) => answer !== undefined)
  if (done.length === 0) return 'too long'
  const sum = (of: (each: Measured) => number) => done.reduce((total, each) => total + of(each), 0)
  const only = done.length < measured.length ? ` (${String(done.length)} done)` : ''
  return `${String(sum(({ rounds }) => rounds))} / ${number(sum(({ read, written }) => read + written))}${only}`
}
