/** The variables of runs, each read when it is first used: by a call of `run_code`, and by the calls of a run. */
import type { Parse, SettingVariables } from 'ftl-http'
import { isComponentName, milliseconds, namedValues, oneOf, quota } from '../setting-values.ts'

/** Which runs keep a journal. */
export type KeepsJournal = 'auto' | 'always' | 'never'

export interface RunLimits {
  /** `calls`: calls of tools that one run may make. @default 100 */
  maxCalls: number
  /** `timeout_ms`: milliseconds that a run with a journal may take without a pause. @default 300000 */
  timeoutMs: number
  /** `keep_ms`: milliseconds for which a run waits for an approval, and its result is kept. @default 604800000 */
  keepMs: number
  /**
   * `journal`: `auto` is for clients that follow tasks, and for callers whose calls may need an approval; `always` lets the
   * runs of all clients outlive their request.
   *
   * @default 'auto'
   */
  journal: KeepsJournal
}

/** @throws {ConfigurationError} by every member, when its variable is unusable. */
export interface RunSettings {
  /** `saved_programs`: components whose tools are programs that the code component runs. @default none */
  readonly savedPrograms: readonly string[]
  /** `program_limits`: names and values: `calls=100; timeout_ms=300000`. */
  readonly programLimits: RunLimits | undefined
  /** `code_limits`: the earlier name of the variable. */
  readonly codeLimits: RunLimits
}

const MOST_CALLS = 10_000
const LONGEST_KEEP_MS = 30 * 24 * 3_600_000
const NAMES = ['calls', 'timeout_ms', 'keep_ms', 'journal']

const limits: Parse<RunLimits> = (text, refuse) => {
  const { read } = namedValues(text, NAMES, 'calls=100; timeout_ms=300000', refuse)
  const maxCalls = read('calls', quota) || 100
  if (maxCalls > MOST_CALLS) return refuse(`has "calls", which must be at most ${MOST_CALLS}`)
  return {
    maxCalls,
    timeoutMs: read('timeout_ms', milliseconds(300_000)),
    keepMs: Math.min(read('keep_ms', milliseconds(7 * 24 * 3_600_000)), LONGEST_KEEP_MS),
    journal: read('journal', oneOf<KeepsJournal>('auto', 'always', 'never')),
  }
}

const components: Parse<readonly string[]> = (text, refuse) => {
  const names = text.split(/[\s,]+/).filter(Boolean)
  return names.every(isComponentName) ? names : refuse('must be names of components')
}

declare module '../settings.ts' {
  interface Settings extends RunSettings {}
}

/** @throws {ConfigurationError} when the variable is unusable. */
export function limitsOf(settings: RunSettings): RunLimits {
  return settings.programLimits ?? settings.codeLimits
}

export const runVariables: SettingVariables<RunSettings> = {
  savedPrograms: ['saved_programs', components],
  programLimits: ['program_limits', (text, refuse) => (text ? limits(text, refuse) : undefined)],
  codeLimits: ['code_limits', limits],
}
