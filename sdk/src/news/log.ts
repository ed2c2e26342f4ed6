import { LOG_LEVELS, type LogLevel } from 'ftl-contract'
import type { ToolLog } from '../tool/context.ts'
import type { ToolNews } from '../tool/stream.ts'

/** @param tell where lines go besides the component's output. */
export function logTo(tell: (news: ToolNews) => void): ToolLog {
  const log = (level: LogLevel, data: unknown) => {
    console.log(`${level}: ${typeof data === 'string' ? data : JSON.stringify(data)}`)
    tell({ type: 'log', level, data })
  }
  const named = LOG_LEVELS.map((level) => [level, (data: unknown) => log(level, data)] as const)
  return Object.assign(log, Object.fromEntries(named) as Record<LogLevel, (data: unknown) => void>)
}
