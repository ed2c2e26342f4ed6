/** Writes the lines that components print to the terminal and to files like Spin's. */
import { appendFileSync, readdirSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { type LogEntry, makePrivate } from 'ftl-host'
import { CommandFailure } from '../terminal/failure.ts'
import { logLines } from './log-lines.ts'
import { visible, visibleLines } from '../terminal/visible-text.ts'

export interface OutputOptions {
  /** Ids of the served components. */
  components: readonly string[]
  /** Only these are shown. @default all */
  follow?: readonly string[]
  /** Shows no lines. */
  quiet?: boolean
  /** Folder of `<component>_stdout.txt` and `_stderr.txt`; empty or absent writes none. */
  logDir?: string | undefined
  /** Empties the files first. */
  truncate?: boolean
  print: (text: string) => void
  /** What is written and shown instead of a line. @default the line */
  rewrite?: (component: string, line: string) => string
  /** @default plain text for people */
  format?: (entry: LogEntry) => string
}

/** @throws {CommandFailure} when `follow` names an unknown component. */
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
    // Logs may contain what callers sent, so other users of the machine must not read them.
    makePrivate(logDir)
    if (truncate) emptyLogs(logDir)
  }
  return (entry) => {
    const { component, stream } = entry
    // Log files are escaped too, because they are viewed on terminals. Rewriting may turn one line into several.
    const line = rewrite(component, entry.line)
    const written = line === entry.line ? visible(line) : visibleLines(line)
    // Written synchronously, as Spin does, so that the lines before a crash are not lost.
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
