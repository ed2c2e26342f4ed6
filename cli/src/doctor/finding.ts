/** What `ftl doctor` finds: a fact, how bad it is, and what to do about it. */
import { paint } from '../terminal/ui.ts'

/** `warning`: it runs, and not everywhere or not as meant. `problem`: it does not run. */
export type Level = 'ok' | 'warning' | 'problem'

export interface Finding {
  level: Level
  /** What was looked at: `node`, `port 3000`, `component echo`. */
  about: string
  message: string
  /** What to do; everything but `ok` has it. */
  remedy?: string
  /** A value that a variable needs: `wait_limit_ms=28000`, or `allowed_hosts=…` if only the user knows it. */
  variable?: string
}

const MARKS = { ok: paint('green', '✓'), warning: paint('yellow', '!'), problem: paint('red', '✗') }

export function findingLines({ level, about, message, remedy }: Finding): string {
  const first = `  ${MARKS[level]} ${about}: ${message}`
  return remedy === undefined
    ? first
    : `${first}\n      ${paint('cyan', '→')} ${remedy.replaceAll('\n', '\n        ')}`
}

export const ok = (about: string, message: string): Finding => ({ level: 'ok', about, message })

export const warning = (about: string, message: string, remedy: string): Finding => ({
  level: 'warning',
  about,
  message,
  remedy,
})

export const problem = (about: string, message: string, remedy: string): Finding => ({
  level: 'problem',
  about,
  message,
  remedy,
})

/** A problem that a value of a variable solves. @param more follows the option. */
export function unsuitable(message: string, variable: string, more = ''): Finding {
  const about = `variable ${variable.replace(/=.*/, '')}`
  return { ...problem(about, message, `--variable ${variable}${more}`), variable }
}
