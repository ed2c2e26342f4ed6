/** Runs with a journal: begun by a call of `run_code`, and continued by a call that brings the approval of one of theirs. */
import { canonicalJson, type JobRecord, pause, type ToolResult } from 'ftl-contract'
import { sha256 } from 'ftl-http'
import { APPROVAL_KEY } from '../invoke/approval-key.ts'
import { canBeAsked } from '../invoke/approval-question.ts'
import { callTimeoutOf } from '../call-settings.ts'
import type { ComponentCall } from '../invoke/call-component.ts'
import type { ToolCall } from '../invoke/invoker.ts'
import type { Outcome, Settled } from '../invoke/outcome.ts'
import { forgetJob, storedJob } from '../jobs/kept-jobs.ts'
import type { Scope } from '../scope.ts'
import { type AttemptEnd, runAttempt } from './attempt.ts'
import { answerIn, answerQuestion } from './answer-question.ts'
import {
  type KeptRun,
  loadRun,
  loadRunCall,
  mayContinue,
  nextJobId,
  type RunCall,
  saveRun,
  saveRunCall,
} from './kept-run.ts'
import { JobStatus } from './program-status.ts'
import { clientOfRun } from './run-client.ts'
import { RunEvents } from './run-events.ts'
import { endRun, takeJobRoom, takeRunRoom } from './run-expiry.ts'
import { claimKey, goneJob, jobOfKey, runKeyOf } from './run-key.ts'
import { endJob, startJob } from './run-jobs.ts'
import { confirmation, endForJob } from './run-question.ts'
import { findRunByToken } from './run-token.ts'
import { limitsOf } from './run-settings.ts'

/** Sender of the state of a paused run. No component can have this name. */
const RUNS = 'ftl:run'

/** Milliseconds a client waits before it gets a job: most programs have ended by then. */
const GRACE_MS = 1_000

export async function startKeptRun(
  scope: Scope,
  call: ToolCall,
  sent: ComponentCall<ToolResult>,
): Promise<Outcome> {
  const { component, paths, arguments: args = {}, headers } = sent
  const { platform, settings, principal, only } = scope
  const runLimits = limitsOf(settings)
  const now = platform.now()
  const digest = await digestOf(call)
  const key = await runKeyOf(scope, call, digest)
  const known = key && (await jobOfKey(scope, key))
  if (known) return 'job' in known ? { kind: 'job', job: known.job } : known.refused
  const run: KeptRun = {
    id: platform.randomUUID(),
    owner: principal,
    state: 'working',
    attempt: 1,
    nonce: platform.randomUUID(),
    beatAt: now,
    restarts: 0,
    startedAt: now,
    expiresAt: now + runLimits.keepMs,
    digest,
  }
  const { protocol, trace } = call.context
  const runCall: RunCall = {
    component,
    paths,
    args,
    headers,
    context: { protocol, ...(trace && { trace }) },
    timeoutMs: key || mayBecomeJob(scope, call) ? runLimits.timeoutMs : callTimeoutOf(scope),
    maxCalls: runLimits.maxCalls,
    only,
    asksByJob: call.context.tasks === true && canBeAsked(call.context.capabilities),
    ...clientOfRun(call.context),
  }
  await saveRunCall(scope, run.id, runCall)
  if (!key) {
    await saveRun(scope, run)
    return attempted(scope, call, run, runCall)
  }
  // The job is there before the key names it, and the key before the program runs.
  run.job = run.id
  await saveRun(scope, run)
  const job = await keepAsJob(scope, run, component)
  if (await claimKey(scope, key, run, await goneJob(scope, key))) {
    return attempted(scope, call, run, runCall, job)
  }
  await Promise.all([endRun(scope, run.id), forgetJob(scope, job)])
  return startKeptRun(scope, call, sent)
}

/** @returns `undefined` for a call that continues no run. */
export async function resumeRun(scope: Scope, call: ToolCall): Promise<Outcome | undefined> {
  const { requestState, inputResponses } = call.context
  if (requestState?.of === RUNS) {
    const [id = '', question = ''] = JSON.parse(requestState.text ?? '[]') as string[]
    const run = await loadRun(scope, id)
    if (run?.question?.id !== question || !(await mayContinue(scope, id))) return usedBefore()
    const answer = answerIn(inputResponses)
    if (!answer) return outcomeOf(scope, call, run, { kind: 'paused', question: run.question })
    return continued(scope, call, await answerQuestion(scope, run, question, answer, NO_JOB))
  }
  const run = await runByToken(scope, call)
  if (!run?.question || !(await mayContinue(scope, run.id))) return undefined
  return continued(scope, call, await answerQuestion(scope, run, run.question.id, 'accept', NO_JOB))
}

/** A job of the run has ended with the token: this client gets another one. */
const NO_JOB: Partial<KeptRun> = { job: undefined }

/** The run that waits for an approval, and whose token the call has. */
export async function runByToken(scope: Scope, call: ToolCall): Promise<KeptRun | undefined> {
  const { approval } = call.context
  return approval === undefined ? undefined : findRunByToken(scope, await digestOf(call), approval)
}

async function continued(scope: Scope, call: ToolCall, run: KeptRun | undefined): Promise<Outcome> {
  const runCall = run && (await loadRunCall(scope, run.id))
  if (!run || !runCall) return usedBefore()
  return attempted(scope, call, run, runCall)
}

/** The end of the attempt, or a job if it takes longer and the client can follow one. */
async function attempted(
  scope: Scope,
  call: ToolCall,
  run: KeptRun,
  runCall: RunCall,
  known?: JobRecord,
): Promise<Outcome> {
  let started = known && Promise.resolve(known)
  const waits = !known && !mayBecomeJob(scope, call)
  const events = waits && call.context.listens ? new RunEvents() : undefined
  const status = new JobStatus(scope, known?.id)
  const attempt = runAttempt(scope, run, runCall, {
    status: events ?? status,
    async onEnd(end) {
      const job = await started
      if (job) await endJob(scope, job.id, await endForJob(scope, run, runCall, end))
    },
  })
  scope.platform.waitUntil(attempt)
  const settle = (end: AttemptEnd) => outcomeOf(scope, call, run, end)
  if (events) return { kind: 'stream', events: events.until(attempt, settle) }
  if (waits) return settle(await attempt)
  const first = await withinGrace(attempt)
  const asks = first?.kind === 'paused' && runCall.asksByJob ? first : undefined
  if (first && !asks) return outcomeOf(scope, call, run, first)
  if (known) return { kind: 'job', job: (await storedJob(scope, known.id)) ?? known }
  run.job = await nextJobId(scope, run)
  // The end of the attempt waits for this, so the run is not stored again after it was deleted.
  const kept: KeptRun = asks ? { ...run, state: 'paused', question: asks.question } : run
  started = saveRun(scope, kept).then(() => keepAsJob(scope, run, runCall.component))
  const job = await started
  if (asks) await endJob(scope, job.id, asks)
  else status.begin(job.id)
  return { kind: 'job', job }
}

/** @throws {StoreFull} there is no room for the run or its job; it is then ended. */
async function keepAsJob(scope: Scope, run: KeptRun, component: string): Promise<JobRecord> {
  try {
    await takeRunRoom(scope, run)
    await takeJobRoom(scope, run)
    return await startJob(scope, run, component)
  } catch (error) {
    await endRun(scope, run.id)
    throw error
  }
}

async function withinGrace(attempt: Promise<AttemptEnd>): Promise<AttemptEnd | undefined> {
  const timer = new AbortController()
  // Its rejection is the end of the race that it lost.
  const waited = pause(GRACE_MS, timer.signal).catch(() => undefined)
  try {
    return (await Promise.race([attempt, waited])) ?? undefined
  } finally {
    timer.abort()
  }
}

async function outcomeOf(
  scope: Scope,
  { context }: ToolCall,
  run: KeptRun,
  end: AttemptEnd,
): Promise<Settled> {
  if (end.kind === 'ended') return end.settled
  if (end.kind !== 'paused') return { kind: 'tool-failed', message: 'The run was ended.' }
  const { question } = end
  if (!canBeAsked(context.capabilities)) return confirmation(scope, run, question)
  return {
    kind: 'input-required',
    asks: {
      resultType: 'input_required',
      inputRequests: { [APPROVAL_KEY]: question.ask },
      requestState: JSON.stringify([run.id, question.id]),
    },
    component: RUNS,
  }
}

function mayBecomeJob({ settings }: Scope, { context }: ToolCall): boolean {
  return context.tasks === true || limitsOf(settings).journal === 'always'
}

function digestOf({ name, arguments: args }: ToolCall): Promise<string> {
  return sha256(canonicalJson([name, args]))
}

function usedBefore(): Settled {
  const message =
    'The program is not continued: the approval was used before, or the run has ended or expired.'
  return { kind: 'not-approved', message }
}
