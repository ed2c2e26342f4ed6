/**
 * Where the lines go that components print: the terminal, and files like Spin's.
 *
 * @module
 */
import { appendFileSync, readdirSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { type LogEntry, makePrivate } from 'ftl-host'
import { CommandFailure } from './failure.ts'
import { logLines } from './log-lines.ts'
import { visible, visibleLines } from './visible-text.ts'

export interface OutputOptions {
  /** Ids of the components there are. */
  components: readonly string[]
  /** Only these are shown. @default all */
  follow?: readonly string[]
  /** Shows none. */
  quiet?: boolean
  /** Folder of `<component>_stdout.txt` and `_stderr.txt`; empty or absent writes none. */
  logDir?: string | undefined
  /** Empties the files first. */
  truncate?: boolean
  print: (text: string) => void
  /** What is written and shown instead of a line. @default the line */
  rewrite?: (component: string, line: string) => string
  /** @default for people */
  format?: (entry: LogEntry) => string
}

/** @throws {CommandFailure} for a component to follow that is not there. */
export function componentOutput(options: OutputOptions): (entry: LogEntry) => void {
  const { components, follow = [], quiet = false, logDir = '', truncate = false, print } = options
  const { format = logLines('plain').output, rewrite = (_, line) => line } = options
  const unknown = follow.find((id) => !components.includes(id))
  if (unknown !== undefined) {
    throw new CommandFailure(
      `--follow: there is no component "${unknown}"; there are ${components.join(', ')}`,
    )
  }
  if (logDir !== '') {
    // What callers sent may stand in it.
    makePrivate(logDir)
    if (truncate) emptyLogs(logDir)
  }
  return (entry) => {
    const { component, stream } = entry
    // A log file is shown on a terminal too. Rewriting may make several lines of one.
    const line = rewrite(component, entry.line)
    const written = line === entry.line ? visible(line) : visibleLines(line)
    // Written at once, as Spin does: what a crash was preceded by is what one looks for.
    if (logDir !== '') {
      appendFileSync(join(logDir, `${component}_${stream}.txt`), `${written}\n`, { mode: 0o600 })
    }
    if (quiet || (follow.length > 0 && !follow.includes(component))) return
    print(format({ ...entry, line }))
  }
}

function emptyLogs(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (/_std(out|err)\.txt$/.test(name)) truncateSync(join(folder, name))
  }
}
