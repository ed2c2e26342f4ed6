/**
 * Runs as jobs: a client that does not wait for the end of a run follows a job, by whichever means it follows others.
 *
 * The job is the gateway's own. Its component knows nothing of it.
 */
import { isFinal, type JobRecord } from 'ftl-contract'
import { reasonOf } from '../invoke/reason-of.ts'
import type { Settled } from '../invoke/outcome.ts'
import { keepAnswer, keepStarted, storedJob } from '../jobs/kept-jobs.ts'
import type { Scope } from '../scope.ts'
import type { AttemptEnd } from './attempt.ts'
import { RUN_TOOL } from '../catalog/program-tool.ts'
import type { KeptRun, RunQuestion } from './kept-run.ts'

/** Milliseconds between two reads of a client. */
const POLL_MS = 500

/** The stored job, or one that could not be stored. */
export async function startJob(scope: Scope, run: KeptRun, component: string): Promise<JobRecord> {
  const now = new Date(scope.platform.now()).toISOString()
  const job: JobRecord = {
    id: run.job ?? run.id,
    component,
    tool: RUN_TOOL,
    status: 'working',
    message: 'The program runs.',
    seq: 1,
    createdAt: now,
    updatedAt: now,
    expiresAt: new Date(run.expiresAt).toISOString(),
    pollIntervalMs: POLL_MS,
  }
  return (await keepStarted(scope, job)) ?? job
}

/** Stores how an attempt has ended in the job of its run. */
export async function endJob(scope: Scope, id: string, end: AttemptEnd): Promise<void> {
  if (end.kind === 'ended') return changeJob(scope, id, endOf(end.settled))
  if (end.kind === 'paused') await changeJob(scope, id, asking(end.question))
}

/** What changes in the job of a run that waits for an approval. */
export function asking({ ask }: RunQuestion): Partial<JobRecord> {
  return {
    status: 'input_required',
    message: 'A call of the program needs an approval.',
    inputRequests: { 'ftl/approval': ask },
  }
}

function endOf(settled: Settled): Partial<JobRecord> {
  if (settled.kind === 'result') {
    return { status: 'completed', message: 'The program has ended.', result: settled.result }
  }
  const message =
    settled.kind === 'unknown' || settled.kind === 'invalid-arguments'
      ? 'The component of the program has no such tool.'
      : reasonOf(settled)
  const approval = settled.kind === 'needs-approval' ? settled.approval : undefined
  if (!approval) return { status: 'failed', message, error: { code: -32000, message } }
  // A client that reads the result finds the token where that of a call is.
  const content = [{ type: 'text' as const, text: message }]
  return {
    status: 'completed',
    message,
    result: { content, isError: true, _meta: { 'ftl/approval': approval } },
  }
}

export async function changeJob(
  scope: Scope,
  id: string,
  change: Partial<JobRecord>,
): Promise<void> {
  const job = await storedJob(scope, id)
  if (!job || isFinal(job)) return
  const updatedAt = new Date(scope.platform.now()).toISOString()
  await keepAnswer(scope, job, {
    ...job,
    inputRequests: undefined,
    ...change,
    seq: job.seq + 1,
    updatedAt,
  })
}
