/**
 * A call answered line by line, as `application/x-ndjson`: any number of status and log lines, then one that
 * ends it.
 *
 * @module
 */
import type { InputRequired } from './input-required.ts'
import type { ToolResult } from './tool.ts'

/** RFC 5424 severities, the least severe first. */
export const LOG_LEVELS = [
  ...['debug', 'info', 'notice', 'warning'],
  ...['error', 'critical', 'alert', 'emergency'],
] as readonly LogLevel[]

export type LogLevel =
  'debug' | 'info' | 'notice' | 'warning' | 'error' | 'critical' | 'alert' | 'emergency'

export interface StatusLine {
  type: 'status'
  message?: string
  /** Must grow from line to line. */
  progress?: number
  total?: number
  /** ISO 8601. */
  timestamp?: string
}

export interface LogLine {
  type: 'log'
  level: LogLevel
  /** Any JSON value. */
  data: unknown
  logger?: string
}

export type EndLine =
  | { type: 'result'; result: ToolResult | InputRequired }
  | { type: 'error'; message: string; code?: string | number }

export type CallLine = StatusLine | LogLine | EndLine
