/**
 * A mistake as people want to see it: the place, what is wrong, the line itself and a caret under it.
 *
 * @module
 */
import { readFileSync } from 'node:fs'

export interface SourcePlace {
  /** As it is to be printed; relative ones are read from the working directory. */
  file: string
  /** From 1. */
  line: number
  /** From 1. */
  column: number
  /** Columns the mistake takes. @default 1 */
  length?: number
  /** The line, where whoever found the mistake has it. @default read from the file */
  lineText?: string
}

/** Longer lines are cut around the place: a bundle has lines of 100 000 characters. */
const WIDTH = 100

/** @returns the place alone where the line cannot be read. */
export function excerpt(place: SourcePlace, message: string): string {
  const { file, line, column, length = 1 } = place
  const head = `${file}:${line}:${column}: ${message}`
  const text = place.lineText ?? readLine(file, line)
  if (text === undefined) return head
  const start = Math.max(0, Math.min(column - 1 - WIDTH / 2, text.length - WIDTH))
  const shown = text.slice(start, start + WIDTH)
  const before = shown.slice(0, column - 1 - start)
  const width = Math.max(1, Math.min(length, shown.length - before.length))
  const number = String(line).padStart(5)
  // A tab stays a tab, so that the caret stands where the terminal puts the character.
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
