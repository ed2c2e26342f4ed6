/**
 * An answer sent line by line, as `application/x-ndjson`: any number of status and log lines, then one line that ends
 * the call.
 */
import type { InputRequired } from './input-required.ts'
import type { ToolResult } from './tool.ts'

/** RFC 5424 severities, the least severe first. */
export const LOG_LEVELS = [
  ...['debug', 'info', 'notice', 'warning'],
  ...['error', 'critical', 'alert', 'emergency'],
] as readonly LogLevel[]

/** Severity of a log line. Source: RFC 5424, section 6.2.1. */
export type LogLevel =
  'debug' | 'info' | 'notice' | 'warning' | 'error' | 'critical' | 'alert' | 'emergency'

/** Progress of a call. */
export interface StatusLine {
  type: 'status'
  message?: string
  /** Must increase from line to line. */
  progress?: number
  total?: number
  /** ISO 8601. */
  timestamp?: string
}

/** A log line for the client. */
export interface LogLine {
  type: 'log'
  level: LogLevel
  /** Any JSON value. */
  data: unknown
  logger?: string
}

/** The last line: the result, or the error. */
export type EndLine =
  | { type: 'result'; result: ToolResult | InputRequired }
  | { type: 'error'; message: string; code?: string | number }

/** One line of an answer that is sent line by line. */
export type CallLine = StatusLine | LogLine | EndLine
