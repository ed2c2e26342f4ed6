/**
 * Errors whose words may be shown to the caller; any other is reported without its text.
 *
 * @module
 */

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
