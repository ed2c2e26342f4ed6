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

/** How bad it is. Source: RFC 5424, section 6.2.1. */
export type LogLevel =
  'debug' | 'info' | 'notice' | 'warning' | 'error' | 'critical' | 'alert' | 'emergency'

/** How far the call is. */
export interface StatusLine {
  type: 'status'
  message?: string
  /** Must grow from line to line. */
  progress?: number
  total?: number
  /** ISO 8601. */
  timestamp?: string
}

/** Something for the log of the client. */
export interface LogLine {
  type: 'log'
  level: LogLevel
  /** Any JSON value. */
  data: unknown
  logger?: string
}

/** The last line: the result, or why there is none. */
export type EndLine =
  | { type: 'result'; result: ToolResult | InputRequired }
  | { type: 'error'; message: string; code?: string | number }

/** One line of an answer that tells how the call is getting on. */
export type CallLine = StatusLine | LogLine | EndLine
