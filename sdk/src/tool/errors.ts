/** Errors whose words may be shown to the caller; any other is reported without its text. */
import type { ToolResult } from 'ftl-contract'

/** A result that reports a failure. */
export interface ErrorResult extends ToolResult {
  isError: true
}

/** A failure the model should read. */
export function errorResult(message: string): ErrorResult {
  return { content: [{ type: 'text', text: message }], isError: true }
}

/** The arguments do not fit; the message names each path and rule, one a line. */
export class InvalidArguments extends Error {
  override readonly name = 'InvalidArguments'
}

/** A failure whose message may be shown to the caller. */
export class ToolError extends Error {
  override readonly name: string = 'ToolError'
  /** For programs, for example `{ kind: 'out_of_memory' }`: `_meta` of the result, `error.data` of a job. */
  readonly data: Record<string, unknown> | undefined
  constructor(message: string, data?: Record<string, unknown>) {
    super(message)
    this.data = data
  }
}

/** `spin.toml` lacks something; the message, for the log, says what to write there. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
}

/** A handler returned what no caller can be given; the message, for the log, says what to return. */
export class InvalidAnswer extends Error {
  override readonly name = 'InvalidAnswer'
  /** All that would stand there is ours, and in the log of an author's mistake it is noise. */
  override readonly stack = ''
}
