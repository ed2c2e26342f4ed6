/** One attempt of a run with a journal: the call of its component, watched until it ends. */
import { isFinal, isObject } from 'ftl-contract'
import { Connection } from '../connection.ts'
import { RUN_RESULT } from '../invoke/answer.ts'
import { callComponent } from '../invoke/call-component.ts'
import { noRoom } from '../invoke/no-room.ts'
import type { Outcome, Settled } from '../invoke/outcome.ts'
import { storedJob } from '../jobs/kept-jobs.ts'
import { logError } from '../log.ts'
import type { Scope } from '../scope.ts'
import { StoreFull } from '../store-failure.ts'
import { RUN_HEADER, sealGrant } from './capability.ts'
import { loadCall } from './journal.ts'
import { endRun, takeRunRoom } from './run-expiry.ts'
import { type KeptRun, loadRun, type RunCall, type RunQuestion, saveRun } from './kept-run.ts'
import type { JobStatus } from './program-status.ts'
import { deadlineOf } from './run-deadline.ts'

/** How an attempt ends. */
export type AttemptEnd =
  | { kind: 'ended'; settled: Settled }
  | { kind: 'paused'; question: RunQuestion }
  /** The credential of its caller has expired: the next reader goes on with another one. */
  | { kind: 'interrupted' }
  /** The run was cancelled, or another attempt goes on. */
  | { kind: 'superseded' }

type Reports = Pick<JobStatus, 'add' | 'end'>

export interface AttemptOptions {
  /** Gets what the program reports. */
  status?: Reports
  /** Called with how it ends, before this is stored: a job must have its result first. */
  onEnd?: (end: AttemptEnd) => Promise<void>
}

/** Milliseconds between two reports of an attempt. */
const BEAT_MS = 1_000

/** Milliseconds without a report after which an attempt is lost. */
export const LOST_MS = 6_000

/** Never throws. @param run as it is stored: of this attempt. */
export async function runAttempt(
  scope: Scope,
  run: KeptRun,
  call: RunCall,
  { status, onEnd }: AttemptOptions = {},
): Promise<AttemptEnd> {
  // The client may leave; the run does not.
  const own: Scope = { ...scope, connection: new Connection() }
  const stop = beat(own, run)
  let settled: Settled
  const deadline = deadlineOf(own, call.timeoutMs)
  try {
    settled = await ended(await send(own, run, call, deadline), status)
  } catch (error) {
    logError(scope, `run ${run.id}`, error)
    settled = { kind: 'tool-failed', message: (error as Error).message }
  }
  stop()
  await status?.end()
  try {
    const end = await endOf(own, run, settled, deadline)
    await onEnd?.(end)
    await store(own, run, end)
    return end
  } catch (error) {
    // Its reader starts it again, and it comes to the same end.
    logError(scope, `the end of run ${run.id} is not stored`, error)
    return { kind: 'superseded' }
  }
}

async function send(scope: Scope, run: KeptRun, call: RunCall, deadline: number): Promise<Outcome> {
  const { component, paths, args, context, maxCalls, origin, client, only, timeoutMs } = call
  const { id, startedAt, attempt, nonce } = run
  const grant = { run: id, startedAt, deadline, maxCalls, attempt, nonce, origin, client, only }
  const sealed = await sealGrant(scope, {
    ...grant,
    caller: scope.caller,
    request: scope.requestId,
  })
  return callComponent(scope, {
    component,
    paths,
    arguments: args,
    context: { ...context, listens: true },
    expected: RUN_RESULT,
    timeoutMs,
    headers: { ...call.headers, [RUN_HEADER]: sealed },
  })
}

async function ended(outcome: Outcome, status?: Reports): Promise<Settled> {
  if (outcome.kind === 'job') return { kind: 'tool-failed', message: 'A program starts no job.' }
  if (outcome.kind !== 'stream') return outcome
  for (;;) {
    const { done, value } = await outcome.events.next()
    if (done) return value
    if (value.type === 'status') status?.add(value)
  }
}

/** Reports that the attempt goes on, and ends it when it must not. @returns stops the reports */
function beat(scope: Scope, run: KeptRun): () => void {
  let timer = setTimeout(report, BEAT_MS)
  let isOver = false
  return () => {
    isOver = true
    clearTimeout(timer)
  }

  function report(): void {
    const reported = loadRun(scope, run.id).then(async (stored) => {
      const isOwn = stored?.state === 'working' && stored.nonce === run.nonce
      // A cancel may have been overwritten by a report; the end of its job is not.
      const job = run.job === undefined ? undefined : await storedJob(scope, run.job)
      if (isOver) return
      if (!isOwn || (job && isFinal(job))) return scope.connection.leave()
      await saveRun(scope, { ...run, beatAt: scope.platform.now() })
    })
    reported
      .catch((error: unknown) => logError(scope, `run ${run.id} cannot report`, error))
      .finally(() => {
        if (!isOver) timer = setTimeout(report, BEAT_MS)
      })
  }
}

async function endOf(
  scope: Scope,
  run: KeptRun,
  settled: Settled,
  deadline: number,
): Promise<AttemptEnd> {
  const stored = await loadRun(scope, run.id)
  if (stored?.state !== 'working' || stored.nonce !== run.nonce) return { kind: 'superseded' }
  const seq = pausedAt(settled)
  if (seq === undefined) return { kind: 'ended', settled }
  const entry = await loadCall(scope, run.id, seq)
  if (entry?.state === 'asks') {
    try {
      await takeRunRoom(scope, run)
    } catch (error) {
      if (!(error instanceof StoreFull)) throw error
      return { kind: 'ended', settled: noRoom(error) }
    }
    return { kind: 'paused', question: { id: scope.platform.randomUUID(), seq, ask: entry.ask } }
  }
  const now = scope.platform.now()
  if (run.job !== undefined && (scope.caller?.expires ?? Infinity) <= now) {
    return { kind: 'interrupted' }
  }
  const message =
    deadline <= now
      ? 'The time of the program is over.'
      : 'The gateway ended the run before the program returned a result.'
  return { kind: 'ended', settled: { kind: 'tool-failed', message } }
}

/** The component says so; whether it is true is in the journal. */
function pausedAt(settled: Settled): number | undefined {
  const meta = settled.kind === 'result' ? settled.result._meta?.['ftl/run'] : undefined
  const seq = isObject(meta) ? meta.paused : undefined
  return Number.isSafeInteger(seq) && (seq as number) > 0 ? (seq as number) : undefined
}

async function store(scope: Scope, run: KeptRun, end: AttemptEnd): Promise<void> {
  switch (end.kind) {
    case 'ended':
      return endRun(scope, run.id)
    case 'paused':
      return saveRun(scope, { ...run, state: 'paused', question: end.question })
    case 'interrupted':
      return saveRun(scope, { ...run, beatAt: 0 })
    case 'superseded':
  }
}
