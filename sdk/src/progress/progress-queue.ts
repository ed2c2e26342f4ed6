/** What a handler reports while it works, by `progress` and `log` of its context. */
import { LOG_LEVELS, type LogLevel } from 'ftl-contract'
import type { ToolLog } from '../tool/context.ts'
import type { ToolUpdate, ToolStatus } from '../tool/stream.ts'

/** Limits of the lines that wait for a slow reader; status lines beyond the first and log lines beyond the second are dropped. */
const MAX_STATUS = 100
const MAX_LINES = 1000

/** The lines of one call, in their order. It exists only if the caller receives them. */
export class ProgressQueue {
  readonly #lines: ToolUpdate[] = []
  #wake: (() => void) | undefined
  #last = -Infinity

  add(update: ToolUpdate): void {
    if (this.#lines.length >= ('type' in update ? MAX_LINES : MAX_STATUS)) return
    if (!('type' in update) && update.progress !== undefined) {
      // The protocol requires that progress increases; the message of a line whose number does not is still sent.
      if (update.progress > this.#last) this.#last = update.progress
      else if (update.message === undefined) return
      else update = { message: update.message }
    }
    this.#lines.push(update)
    this.#wake?.()
  }

  get hasLines(): boolean {
    return this.#lines.length > 0
  }

  take(): ToolUpdate | undefined {
    return this.#lines.shift()
  }

  /** Settles when there is a line. */
  available(): Promise<void> {
    return this.#lines.length > 0
      ? Promise.resolve()
      : new Promise((resolve) => (this.#wake = resolve))
  }
}

export function toStatus(update: number | string | ToolStatus): ToolStatus {
  if (typeof update === 'number') return { progress: update }
  return typeof update === 'string' ? { message: update } : update
}

/** @param report receives the lines, besides the component's output. */
export function logTo(report: (update: ToolUpdate) => void): ToolLog {
  const log = (level: LogLevel, data: unknown) => {
    console.log(`${level}: ${typeof data === 'string' ? data : JSON.stringify(data)}`)
    report({ type: 'log', level, data })
  }
  const named = LOG_LEVELS.map((level) => [level, (data: unknown) => log(level, data)] as const)
  return Object.assign(log, Object.fromEntries(named) as Record<LogLevel, (data: unknown) => void>)
}
