/** The components and their numbers, as a table. */
import { paint } from '../terminal/ui.ts'
import { visible } from '../terminal/visible-text.ts'
import type { ShownComponent } from './activity-types.ts'

const HEAD = ['COMPONENT', 'STATE', 'CALLS', 'ERRORS', 'P50', 'P95', 'INSTANCES', 'MEMORY']

export function componentTable(components: readonly ShownComponent[]): string[] {
  const rows = components.map((each) => [
    visible(each.id),
    visible(each.state ?? each.status ?? ''),
    number(each.calls),
    number(each.errors),
    each.p50 === undefined ? '-' : `${each.p50} ms`,
    each.p95 === undefined ? '-' : `${each.p95} ms`,
    number(each.instances),
    each.memory === undefined ? '-' : `${Math.round(each.memory / 1024 ** 2)} MB`,
  ])
  const widths = HEAD.map((name, at) =>
    Math.max(name.length, ...rows.map((row) => row[at]?.length ?? 0)),
  )
  const joined = (cells: readonly string[]) =>
    cells
      .map((cell, at) => (at < 2 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  ')
      .trimEnd()
  return [
    paint('bold', joined(HEAD)),
    ...rows.flatMap((row, at) => {
      const failure = components[at]?.lastFailure
      const text = joined(row)
      return failure
        ? [
            text,
            paint('red', `  last failure ${visible(failure.time)}: ${visible(failure.reason)}`),
          ]
        : [text]
    }),
  ]
}

const number = (value: number | undefined) => (value === undefined ? '-' : String(value))
