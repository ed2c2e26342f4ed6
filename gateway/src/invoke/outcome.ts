/** The outcome of a request to a component. Transports map it to their own wire format. */
import type { InputRequired, JobRecord, LogLine, StatusLine, ToolResult } from 'ftl-contract'
import type { ArgumentError } from './argument-validator.ts'

/** An outcome with nothing left to wait for. */
export type Settled<R = ToolResult> =
  /** It answered; a tool itself sets `isError` in its result. */
  | {
      kind: 'result'
      result: R
      /** The structured part that the tool's outputSchema promises is left out. @default false */
      isUnstructured?: boolean
    }
  /** It needs input from the client to continue. */
  | {
      kind: 'input-required'
      asks: InputRequired
      component?: string
      /** The call was approved: id with which the repeated one is. */
      approved?: string
    }
  | Failure

/** How a caller confirms a call. */
export interface Confirmation {
  token: string
  expiresAt: string
  /** Of the tool, for the person who approves. */
  component: string
}

/** An outcome without an answer. */
export type Failure =
  /** There is no tool, prompt or resource of that name. */
  | { kind: 'unknown' }
  /** At least one error. */
  | { kind: 'invalid-arguments'; errors: ArgumentError[] }
  /** The transport's own check of the call against the tool failed. */
  | { kind: 'refused'; reason: string }
  /** The entry differs from its pin. */
  | { kind: 'not-pinned'; message: string }
  /** The policy requires an approval; the caller confirms the call with the token. */
  | { kind: 'needs-approval'; message: string; approval: Confirmation }
  /** The approval was refused, or is not valid for this call. */
  | { kind: 'not-approved'; message: string }
  /** It needs a capability that the client has not declared. */
  | { kind: 'missing-capability'; message: string; required: object }
  /** The tool cannot be called, because the schema it publishes for its arguments is unusable. */
  | { kind: 'unusable-schema'; message: string }
  /**
   * The tool ran and failed, or its answer was not a valid result. `code` is that of a failed job; `noJob`: the call was
   * about a job that does not exist.
   */
  | { kind: 'tool-failed'; message: string; code?: number; noJob?: boolean }
  /** The caller has used up what the gateway permits in a time; `isFull`: or somebody the room for what is kept. */
  | { kind: 'over-limit'; message: string; retryAfterSeconds: number; isFull?: boolean }
  /** It could not be reached or, `late`, did not answer in time. */
  | { kind: 'unreachable'; message: string; late?: boolean }

export type CallEvent = StatusLine | LogLine

/** Events during the call, then its outcome. A reader that stops early must call `return()`. */
export type CallEvents<R = ToolResult> = AsyncGenerator<CallEvent, Settled<R>, undefined>

/** All outcomes of a call, distinguished by `kind`. */
export type Outcome<R = ToolResult> =
  | Settled<R>
  /** The tool has started a job that outlives the call. */
  | { kind: 'job'; job: JobRecord }
  /** The tool sends progress and log lines; only with {@link CallContext.listens}. */
  | { kind: 'stream'; events: CallEvents<R> }
