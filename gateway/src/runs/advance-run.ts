/** Reads, answers and cancels runs by their jobs, as components do for their own jobs. */
import { isFinal, type JobRecord, pause } from 'ftl-contract'
import type { OwnerAnswer, OwnerRequest } from '../jobs/ask-owner.ts'
import type { Scope } from '../scope.ts'
import { answerIn, answerQuestion, nextAttempt } from './answer-question.ts'
import { LOST_MS, runAttempt } from './attempt.ts'
import { RUN_TOOL } from '../catalog/program-tool.ts'
import { type KeptRun, loadRun, loadRunCall, mayContinue, runOfJob } from './kept-run.ts'
import { endRun } from './run-expiry.ts'
import { JobStatus } from './program-status.ts'
import { asking, endJob } from './run-jobs.ts'
import { endForJob } from './run-question.ts'

/** The variable is read only for jobs of a tool of this name. */
export function isRunJob(scope: Scope, { tool, component }: JobRecord): boolean {
  return tool === RUN_TOOL && component === scope.settings.codeComponent
}

export async function advanceRun(
  scope: Scope,
  job: JobRecord,
  { method, body }: OwnerRequest,
): Promise<OwnerAnswer> {
  const run = await runOfJob(scope, job.id)
  // Its job has been stored before the run was deleted.
  if (!run) return isFinal(job) ? job : 'gone'
  switch (method) {
    case 'DELETE':
      await endRun(scope, run.id)
      return changed(scope, job, { status: 'cancelled', message: 'The program was cancelled.' })
    case 'POST':
      return answered(scope, job, run, body)
    case 'GET':
      return read(scope, job, run)
  }
}

async function answered(
  scope: Scope,
  job: JobRecord,
  run: KeptRun,
  body = '{}',
): Promise<JobRecord> {
  if (!(await mayContinue(scope, run.id))) return job
  const { inputResponses } = JSON.parse(body) as { inputResponses?: unknown }
  const answer = answerIn(inputResponses)
  const next = answer && (await answerQuestion(scope, run, run.question?.id ?? '', answer))
  return next ? begin(scope, job, next) : job
}

/** Starts a run again whose attempt is lost, with the rights of this reader, who is its caller. */
async function read(scope: Scope, job: JobRecord, run: KeptRun): Promise<JobRecord> {
  const now = scope.platform.now()
  // The host died between the pause and the question.
  if (run.question && job.status === 'working') return changed(scope, job, asking(run.question))
  if (run.state !== 'working' || now - run.beatAt < LOST_MS) return job
  // A link reads: it has no rights of its own.
  if (scope.caller?.byLink || !(await mayContinue(scope, run.id))) return job
  if (run.restarts >= MOST_RESTARTS) {
    await endRun(scope, run.id)
    const message = `The program was interrupted ${run.restarts + 1} times, and is not started again.`
    return changed(scope, job, { status: 'failed', message, error: { code: -32000, message } })
  }
  // One that its credential has ended was not lost.
  const restarts = run.beatAt === 0 ? run.restarts : run.restarts + 1
  const next = await nextAttempt(scope, run, { restarts })
  // Another reader may do the same now: the later one goes on.
  await pause(SETTLE_MS)
  const stored = await loadRun(scope, run.id)
  return stored?.nonce === next.nonce ? begin(scope, job, next) : job
}

/** Times that a run is started again because its attempt was lost: a program that kills its host must end. */
const MOST_RESTARTS = 8

/** Milliseconds after which two readers see which of them has written last. */
const SETTLE_MS = 100

async function begin(scope: Scope, job: JobRecord, run: KeptRun): Promise<JobRecord> {
  const call = await loadRunCall(scope, run.id)
  if (!call) return changed(scope, job, { status: 'failed', error: LOST, message: LOST.message })
  const status = new JobStatus(scope, job.id)
  const attempt = runAttempt(scope, run, call, {
    status,
    onEnd: async (end) => endJob(scope, job.id, await endForJob(scope, run, call, end)),
  })
  scope.platform.waitUntil(attempt)
  return changed(scope, job, { status: 'working', message: 'The program runs again.' })
}

const LOST = { code: -32000, message: 'The program is lost: the store does not have it.' }

function changed(scope: Scope, job: JobRecord, change: Partial<JobRecord>): JobRecord {
  const updatedAt = new Date(scope.platform.now()).toISOString()
  const { inputRequests: _, ...rest } = job
  return { ...rest, ...change, seq: job.seq + 1, updatedAt }
}
