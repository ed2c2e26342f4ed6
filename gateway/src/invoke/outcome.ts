/**
 * What asking a component comes to. Transports map it to their own wire form.
 *
 * @module
 */
import type { InputRequired, JobRecord, LogLine, StatusLine, ToolResult } from 'ftl-sdk/contract'
import type { ArgumentError } from './validate.ts'

/** An outcome with nothing left to wait for. */
export type Settled<R = ToolResult> =
  /** It answered; `isError` in a tool's result is the tool's own word. */
  | { kind: 'result'; result: R }
  /** It cannot go on without the client. */
  | { kind: 'input-required'; asks: InputRequired; component?: string }
  | Failure

/** An outcome without an answer. */
export type Failure =
  /** There is no tool, prompt or resource of that name. */
  | { kind: 'unknown' }
  /** At least one error. */
  | { kind: 'invalid-arguments'; errors: ArgumentError[] }
  /** The transport's own check of the call against the tool did not hold. */
  | { kind: 'refused'; reason: string }
  /** It needs what the client has not said that it can do. */
  | { kind: 'missing-capability'; message: string; required: object }
  /** The tool cannot be called, because what it publishes about its arguments cannot be used. */
  | { kind: 'unusable-schema'; message: string }
  /** The tool ran and failed, or answered what is no tool result. `code` is a failed job's own. */
  | { kind: 'tool-failed'; message: string; code?: number }
  /** It could not be reached or, `late`, did not answer in time. */
  | { kind: 'unreachable'; message: string; late?: boolean }

export type CallEvent = StatusLine | LogLine

/** What happens on the way, then the end. Whoever does not read to the end must call `return()`. */
export type CallEvents<R = ToolResult> = AsyncGenerator<CallEvent, Settled<R>, undefined>

/** Every way a call can go on; `kind` says which. */
export type Outcome<R = ToolResult> =
  | Settled<R>
  /** The tool has started a job that outlives the call. */
  | { kind: 'job'; job: JobRecord }
  /** It tells how it is getting on; only where {@link CallContext.listens}. */
  | { kind: 'stream'; events: CallEvents<R> }
