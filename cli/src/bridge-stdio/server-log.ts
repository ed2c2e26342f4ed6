/** What servers write to stderr, as it is printed to a terminal. */

/** Loggers write colours where they expect a terminal. Without this they are shown as `\x1b[32m`. */
const STYLES = /\x1b\[[\d;]*m/g

export const withoutStyles = (text: string): string => text.replaceAll(STYLES, '')

/**
 * The lines of one of several servers, each with its name in front.
 *
 * @param text a piece of what it writes. A line that is cut there becomes two.
 * @returns what to print: `''`, or lines that end.
 */
export function namedLines(name: string, text: string): string {
  const lines = withoutStyles(text).split(/\r?\n/)
  return lines.flatMap((line) => (line.trim() === '' ? [] : `[${name}] ${line}\n`)).join('')
}
