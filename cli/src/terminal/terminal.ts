/**
 * The only module that writes to the terminal; the linter forbids other ways. It escapes every text, from servers, registries,
 * components and logs, so that no text can move the cursor, hide or forge lines, or set the clipboard.
 */
import { randomBytes } from 'node:crypto'
import { createInterface } from 'node:readline/promises'
import type { Readable, Writable } from 'node:stream'
import { styleText } from 'node:util'
import { visibleLines } from './visible-text.ts'

type Style = Parameters<typeof styleText>[0]
type Out = 'stdout' | 'stderr'

/** Stands for the escape character of our own colours. It differs in each process, so no text from outside can contain it. */
const OWN_ESCAPE = `\ufdd0${randomBytes(8).toString('hex')}`

/** Moves to the start of the line, and clears it. */
const CLEAR = '\r\x1b[K'

/** Honours NO_COLOR, FORCE_COLOR and pipes. The result is only for the functions of this module. */
export function paint(style: Style, text: string): string {
  const [open = '', close = ''] = styleText(style, '\0', { stream: process.stdout }).split('\0')
  return `${own(open)}${text}${own(close)}`
}

const own = (sequence: string) => sequence.replaceAll('\x1b', OWN_ESCAPE)

/** A text as a terminal may get it: control characters are shown, and only our own colours have an effect. */
export function escaped(text: string): string {
  return visibleLines(text.replaceAll('\r\n', '\n')).replaceAll(OWN_ESCAPE, '\x1b')
}

/** Writes a text without a line end. */
export function put(text: string, to: Out = 'stdout'): void {
  process[to].write(escaped(text))
}

/** Replaces the line in which the cursor is. */
export function replaceLine(text: string, to: Out = 'stdout'): void {
  process[to].write(CLEAR + escaped(text))
}

/** A line for people, on standard error. */
export function note(text: string): void {
  put(`${text}\n`, 'stderr')
}

/** What another program reads: unchanged in a pipe or a file, and escaped on a terminal. */
export function data(text: string): void {
  process.stdout.write(process.stdout.isTTY ? escaped(text) : text)
}

export const isTerminal = (out: Out): boolean => process[out].isTTY

export interface Terminal {
  input: Readable
  output: Writable
}

/** Where a person can be asked; `undefined` without a terminal. */
export function terminalAt(out: Out): Terminal | undefined {
  const { stdin: input } = process
  return input.isTTY && isTerminal(out) ? { input, output: process[out] } : undefined
}

export interface Question {
  /** Ends the waiting, as does Ctrl-C where it is aborted on {@link onInterrupt}. */
  signal?: AbortSignal
  onInterrupt?: () => void
  onEnd?: () => void
}

/** Asks one question after the other with `ask`, and gives the terminal back. */
export async function withQuestions<T>(
  out: Out,
  { signal, onInterrupt, onEnd }: Question,
  run: (ask: (question: string) => Promise<string>) => Promise<T>,
): Promise<T> {
  const terminal = createInterface({ input: process.stdin, output: process[out] })
  if (onInterrupt) terminal.once('SIGINT', onInterrupt)
  if (onEnd) terminal.once('close', onEnd)
  try {
    return await run((question) =>
      terminal.question(escaped(question), { ...(signal && { signal }) }),
    )
  } finally {
    terminal.close()
  }
}

/** Exits without an error when the reader closes the pipe, as in `ftl tools | head -1`. */
export function endWithReader(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
      process.exit()
    })
  }
}
