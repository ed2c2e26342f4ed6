/** Formats an error for people: the place, the message, the source line and a caret under it. */
import { readFileSync } from 'node:fs'
import { visible } from '../terminal/visible-text.ts'

export interface SourcePlace {
  /** Printed as given; a relative path is read from the working directory. */
  file: string
  /** From 1. */
  line: number
  /** From 1. */
  column: number
  /** Columns to underline. @default 1 */
  length?: number
  /** The source line, if the caller has it; empty to show none. @default read from the file */
  lineText?: string
}

/** Longer lines are cut around the place: a bundle has lines of 100 000 characters. */
const WIDTH = 100

/** @returns only the place and the message when the line cannot be read. */
export function excerpt(place: SourcePlace, message: string): string {
  const { file, line, column, length = 1 } = place
  // The name of a file may have line ends, which would forge lines.
  const head = `${visible(file)}:${line}:${column}: ${message}`
  const text = place.lineText ?? readLine(file, line)
  if (text === undefined || text === '') return head
  const start = Math.max(0, Math.min(column - 1 - WIDTH / 2, text.length - WIDTH))
  const shown = text.slice(start, start + WIDTH)
  const before = shown.slice(0, column - 1 - start)
  const width = Math.max(1, Math.min(length, shown.length - before.length))
  const number = String(line).padStart(5)
  // Tabs are kept, so that the caret is under the character whatever the tab width.
  const gap = before.replaceAll(/[^\t]/g, ' ')
  return `${head}\n${number} | ${shown}\n${' '.repeat(5)} | ${gap}${'^'.repeat(width)}`
}

function readLine(file: string, line: number): string | undefined {
  try {
    return readFileSync(file, 'utf8').split(/\r?\n/)[line - 1]
  } catch {
    return undefined
  }
}
