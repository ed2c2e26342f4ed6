/** Where something is in a program; both count from 1. */
export interface Position {
  line: number
  column: number
}

/** Lines of a program that a code frame shows before and after the line. */
const AROUND = 2
/** Characters of a line that are shown. */
const WIDTH = 100

/** The lines around a place, with a mark below it. */
export function codeFrame(code: string, { line, column }: Position): string {
  const lines = code.split('\n')
  if (line > lines.length) return ''
  const first = Math.max(1, line - AROUND)
  const last = Math.min(lines.length, line + AROUND)
  const digits = String(last).length
  const shown: string[] = []
  for (let at = first; at <= last; at++) {
    const from = at === line && column > WIDTH ? column - WIDTH / 2 : 0
    const text = (lines[at - 1] ?? '').replaceAll('\t', ' ').slice(from, from + WIDTH)
    shown.push(`${at === line ? '>' : ' '} ${String(at).padStart(digits)} | ${text}`.trimEnd())
    if (at === line) shown.push(`  ${' '.repeat(digits)} | ${' '.repeat(column - 1 - from)}^`)
  }
  return shown.join('\n')
}
