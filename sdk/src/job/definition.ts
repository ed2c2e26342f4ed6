/**
 * What the author of a slow tool writes: how the work is begun, asked about and stopped. The record, its id, its
 * life and its end are the SDK's.
 *
 * @module
 */
import type { JobRecord, parseOutputName } from '../contract/job.ts'
import type { ToolResult } from '../contract/tool.ts'
import type { ToolContext } from '../tool/context.ts'

/**
 * - `submitting`: `start` has not returned. It may be under way, or have died before or after it reached whoever does
 *   the work; only they can tell.
 * - `accepted`: `start` has returned, or a `poll` has found the work.
 */
export type JobPhase = 'submitting' | 'accepted'

/** How far the work is. `value` must grow; without `total` nobody knows how much is left. */
export interface JobProgress {
  value: number
  total?: number
}

/** What is written into the record while the work goes on. */
export interface JobUpdate {
  message?: string
  progress?: JobProgress
  /** Replaces the stored state: write down where the work may be before it is sent there. */
  state?: unknown
}

/** The job a function is called for. */
export interface JobHandle {
  /** UUIDv4. A service that lets its callers choose an id should be given this one: it can then be asked for it. */
  readonly id: string
  readonly phase: JobPhase
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  /** What was stored last; `undefined` until there is something. */
  readonly state: unknown
  /**
   * Stores a change at once, for every reader to see.
   *
   * @throws {JobEnded} when the job has ended meanwhile: somebody cancelled it. Nothing more should be begun for it.
   */
  update(change: JobUpdate): Promise<void>
}

/** What a function of a job is given: what a handler is, and which job it is called for. */
export interface JobContext extends ToolContext {
  readonly job: JobHandle
}

/** Thrown by {@link JobHandle.update}; let it pass. */
export class JobEnded extends Error {
  override readonly name = 'JobEnded'
}

/** Its message is shown to the client. */
export interface JobFailure {
  message: string
  /** A word for programs, for example `out_of_memory`; becomes `error.data.kind` of the record. */
  kind?: string
  /** More for programs; becomes `error.data`. */
  data?: Record<string, unknown>
}

/**
 * How the work is getting on. A text in place of a bare word is what the reader is told.
 *
 * - `lost`: nobody knows of it. In the phase `submitting` that is believed only after `submitGraceMs`.
 * - `unreachable`: nobody answered; the job fails after `silenceLimitMs` of that.
 */
export type PollOutcome<State> =
  | {
      state?: State
      message?: string
      progress?: JobProgress
      /** Milliseconds until the next look. */
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
 * - `cancelled`: it was stopped.
 * - `ended`: there was nothing to stop; `poll` is then asked how it ended.
 * - `unreachable`: nobody answered, so the job goes on.
 */
export type CancelOutcome = 'cancelled' | 'ended' | 'unreachable' | { unreachable: string }

/** `{id}.png` is file 0 of a job, `{id}-2.png` file 1. */
export type JobFile = NonNullable<ReturnType<typeof parseOutputName>> & { name: string }

/** A tool whose work outlives the call: how it is begun, looked at and stopped. */
export interface JobDefinition<Input, State, Prepared = Input> {
  /**
   * Checks that need more than the schema. Nothing has been stored yet, so what it throws refuses the call.
   *
   * @throws {InvalidArguments | ToolError}
   */
  prepare?(input: Input, context: ToolContext): Prepared | Promise<Prepared>
  /**
   * Begins the work and returns what is needed to find it again, as JSON. The record is stored before, in the phase
   * `submitting`. What it throws ends the job as failed; only the words of a `ToolError` are shown.
   */
  start(input: Prepared, context: JobContext): State | Promise<State>
  /**
   * One look at the work. Called only when somebody reads a job whose record is older than its poll interval. An error
   * other than a `ToolError` (which ends the job) counts as `unreachable`.
   *
   * @param state `undefined` when `start` died before it stored any.
   */
  poll(state: State | undefined, context: JobContext): Promise<PollOutcome<State>>
  /** Stops exactly this work. @default the record is cancelled, and nobody told */
  cancel?(state: State | undefined, context: JobContext): Promise<CancelOutcome>
  /** Serves a file of the job; `request` has the caller's `range`. `undefined`: there is no such file. */
  files?(
    file: JobFile,
    state: State | undefined,
    context: JobContext,
    request: Request,
  ): Response | undefined | Promise<Response | undefined>
  /** First message of a job. @default 'Starting' */
  message?: string
  /** Who does the work, as the middle of a sentence. @default 'the service behind it' */
  upstream?: string
  /** Put before the message of every failure. @default '' */
  errorPrefix?: string
  /** Milliseconds between two looks. @default 1000 */
  pollIntervalMs?: number
  /** Milliseconds a job is kept, counted from its start. @default 86_400_000 (a day) */
  lifetimeMs?: number
  /** Milliseconds a job that is being submitted may take to appear. @default 30_000 */
  submitGraceMs?: number
  /** Milliseconds of silence after which a job is given up; a restart takes less. @default 120_000 */
  silenceLimitMs?: number
}

/** A job of any tool. Methods are compared bivariantly, so every definition is one. */
export type AnyJob = JobDefinition<unknown, unknown, unknown>

/** What the SDK keeps in a record's `upstream`. */
export interface Tracking {
  phase: JobPhase
  /** The author's own. */
  state?: unknown
  /** Since when nobody has answered, ISO 8601. */
  silentSince?: string
}

export type OwnJob = JobRecord & { upstream: Tracking }
