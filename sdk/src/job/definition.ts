/**
 * What the author of a slow tool writes: functions that start, poll and cancel the work. The SDK manages the record,
 * its id and its lifetime.
 */
import type { JobRecord, parseOutputName, ToolResult } from 'ftl-contract'
import type { ToolContext } from '../tool/context.ts'

/**
 * - `submitting`: `start` has not returned. It may still run, or may have crashed before or after it reached the
 *   service that does the work; only that service knows.
 * - `accepted`: `start` has returned, or a `poll` has found the work.
 */
export type JobPhase = 'submitting' | 'accepted'

/** Progress of the work. `value` must increase; without `total` the remaining amount is unknown. */
export interface JobProgress {
  value: number
  total?: number
}

/** A change of the record while the work continues. */
export interface JobUpdate {
  message?: string
  progress?: JobProgress
  /** Replaces the stored state: store where the work can be found before you send it there. */
  state?: unknown
}

/** The job that a function is called for. */
export interface JobHandle {
  /** UUIDv4. If the service accepts an id from its caller, send this one: `poll` can then ask for the work by it. */
  readonly id: string
  readonly phase: JobPhase
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  /** The state stored last; `undefined` until one is stored. */
  readonly state: unknown
  /**
   * Stores a change at once, so that every reader sees it.
   *
   * @throws {JobEnded} when the job has ended (cancelled, expired, or its record is too large). Start no more work for
   * it.
   */
  update(change: JobUpdate): Promise<void>
}

/** The context of a job's functions: that of a handler, and the job. */
export interface JobContext extends ToolContext {
  readonly job: JobHandle
}

/** Thrown by {@link JobHandle.update}; do not catch it. */
export class JobEnded extends Error {
  override readonly name = 'JobEnded'
}

/** Its message is shown to the client. */
export interface JobFailure {
  message: string
  /** Machine-readable, for example `out_of_memory`; becomes `error.data.kind` of the record. */
  kind?: string
  /** More machine-readable details; becomes `error.data`. */
  data?: Record<string, unknown>
}

/**
 * State of the work. The text of `{ lost }` or `{ unreachable }` replaces the default message of the record; when the
 * job fails after `silenceLimitMs`, the message ends with the text of `{ unreachable }`.
 *
 * - `lost`: the service does not know the work, so the job fails; in the phase `submitting` only after `submitGraceMs`.
 * - `unreachable`: the service did not answer; the job fails after `silenceLimitMs` without an answer.
 */
export type PollOutcome<State> =
  | {
      state?: State
      message?: string
      progress?: JobProgress
      /** Milliseconds between two polls from now on. */
      pollIntervalMs?: number
    }
  | { result: ToolResult; state?: State; message?: string }
  | { error: JobFailure }
  | { cancelled: string }
  | 'lost'
  | { lost: string }
  | 'unreachable'
  | { unreachable: string }

/**
 * - `cancelled`: the work was stopped.
 * - `ended`: there was nothing to stop; `poll` is then called to find out how the work ended.
 * - `unreachable`: the service did not answer, so the job continues. The text replaces the default message.
 */
export type CancelOutcome = 'cancelled' | 'ended' | 'unreachable' | { unreachable: string }

/** `{id}.png` is file 0 of a job, `{id}-2.png` file 1. */
export type JobFile = NonNullable<ReturnType<typeof parseOutputName>> & { name: string }

/** How to start, poll and cancel work that takes longer than the call. */
export interface JobDefinition<Input, State, Prepared = Input> {
  /**
   * Checks that a schema cannot express. Nothing is stored yet, so an error that it throws rejects the call.
   *
   * @throws {InvalidArguments | ToolError}
   */
  prepare?(input: Input, context: ToolContext): Prepared | Promise<Prepared>
  /**
   * Starts the work and returns the state needed to find it again, as JSON. The record is stored before the call, in
   * the phase `submitting`. An error ends the job as failed; clients see only the message of a `ToolError` or
   * `InvalidArguments`.
   */
  start(input: Prepared, context: JobContext): State | Promise<State>
  /**
   * Checks the work once. Called only when a job is read whose record is older than its poll interval, or when `cancel`
   * returns `ended`. An error other than a `ToolError` (which ends the job) counts as `unreachable`.
   *
   * @param state `undefined` while none is stored: `start` may still run, or may have crashed.
   */
  poll(state: State | undefined, context: JobContext): Promise<PollOutcome<State>>
  /** Stops only this work. @default the record is cancelled, and the service is not notified */
  cancel?(state: State | undefined, context: JobContext): Promise<CancelOutcome>
  /** Returns a file of the job; `undefined` if it does not exist. `request` has the caller's `range`. */
  files?(
    file: JobFile,
    state: State | undefined,
    context: JobContext,
    request: Request,
  ): Response | undefined | Promise<Response | undefined>
  /** First message of a job. @default 'Starting' */
  message?: string
  /** Name of the service in messages, in the middle of a sentence. @default 'the service behind it' */
  upstream?: string
  /** Prefix of every failure's message. @default '' */
  errorPrefix?: string
  /** Minimum milliseconds between two polls. @default 1000 */
  pollIntervalMs?: number
  /** Milliseconds a job is kept, counted from its start. @default 86_400_000 (a day) */
  lifetimeMs?: number
  /** Milliseconds from the job's start in which `lost` is ignored while it is `submitting`. @default 30_000 */
  submitGraceMs?: number
  /** Milliseconds without an answer after which the job fails; a restart takes less. @default 120_000 */
  silenceLimitMs?: number
}

/** A job of any tool. Methods are compared bivariantly, so every definition is assignable to it. */
export type AnyJob = JobDefinition<unknown, unknown, unknown>

/** What the SDK stores in a record's `upstream`. */
export interface Tracking {
  phase: JobPhase
  /** What `start`, `poll` or `update` stored. */
  state?: unknown
  /** Time of the first poll without an answer, ISO 8601. */
  silentSince?: string
  /** Start of a poll that goes on behind the read that began it, ISO 8601. */
  pollingSince?: string
}

export type OwnJob = JobRecord & { upstream: Tracking }
