/**
 * Starts a job: stores the record first, then starts the work.
 *
 * A crash on the way leaves one of three things: no record (no work was started), a record in the phase `submitting`
 * (`poll` finds out whether the work was started) or an accepted record.
 */
import { isFinal } from 'ftl-contract'
import type { ToolContext } from '../tool/context.ts'
import { InvalidArguments } from '../tool/errors.ts'
import { logError } from '../tool/log.ts'
import { jobContext } from './context.ts'
import type { AnyJob, JobContext, OwnJob } from './definition.ts'
import { noteDue, sweep } from './due-index.ts'
import { failedWith, toFailure } from './failure.ts'
import { claim, findJob, type Idempotency, idempotencyOf } from './idempotency.ts'
import { type JobStore, openJobStore } from './store.ts'

const LIFETIME_MS = 24 * 60 * 60 * 1000
const POLL_INTERVAL_MS = 1000

export interface JobCall {
  tool: string
  definition: AnyJob
  /** `args` as parsed by the schema. */
  input: unknown
  /** As received. */
  args: unknown
}

/**
 * Starts a job, or returns the job that was started with the same idempotency key.
 *
 * @throws {InvalidArguments | ToolError} when the call is refused; no record stays stored.
 */
export async function startJob(call: JobCall, context: ToolContext): Promise<OwnJob> {
  const { tool, definition, args } = call
  const input = definition.prepare ? await definition.prepare(call.input, context) : call.input
  const store = await openJobStore(context)
  const key = await idempotencyOf(tool, args, context)
  const known = key && (await findJob(store, key))
  if (known?.job) return known.job

  const job = newJob(call, context)
  await note(store, job, key, context)
  await store.write(job)
  if (key) {
    const owner = await claimOrWithdraw(store, key, job, known?.bytes)
    if (owner.id !== job.id) return owner
  }
  context.platform.waitUntil(sweepLater(store, context))
  const mine = jobContext(context, store, job)
  let started: Started
  try {
    started = { state: await definition.start(input, mine) }
  } catch (error) {
    started = { error }
  }
  return finish(started, { call, store, job, mine })
}

type Started = { state: unknown } | { error: unknown }

interface Begun {
  call: JobCall
  store: JobStore
  job: OwnJob
  mine: JobContext
}

async function finish(started: Started, { call, store, job, mine }: Begun): Promise<OwnJob> {
  const { definition, tool } = call
  const change = changeOf(started, call)
  let written: OwnJob | undefined
  try {
    written = await store.settle(job.id, change)
  } catch (error) {
    // The work has started and the stored record is enough to poll it, so return the job instead of an error.
    logError(`job ${job.id} of tool ${tool} was not stored`, error)
    return { ...job, ...change(job) }
  }
  if (!('state' in started) || (written && !isFinal(written))) return written ?? job
  // The job ended during `start`, when its state was not stored yet: stop the work now.
  try {
    await definition.cancel?.(started.state, mine)
  } catch (error) {
    logError(`job ${job.id} of tool ${tool} was not stopped`, error)
  }
  return written ?? job
}

function changeOf(started: Started, { definition, tool }: JobCall) {
  return ({ upstream }: OwnJob): Partial<OwnJob> => {
    if ('state' in started) {
      return { upstream: { ...upstream, phase: 'accepted', state: started.state } }
    }
    // Never JobEnded: a job that has ended is not changed.
    const { error } = started
    const words = error instanceof InvalidArguments ? { message: error.message } : toFailure(error)
    if (!words) logError(`tool ${tool} failed`, error)
    return failedWith(words ?? { message: 'The job could not be started.' }, definition.errorPrefix)
  }
}

function newJob({ tool, definition }: JobCall, context: ToolContext): OwnJob {
  const { platform, component, principal } = context
  const now = platform.now()
  const createdAt = new Date(now).toISOString()
  return {
    id: platform.randomUUID(),
    component,
    tool,
    ...(principal !== undefined && { owner: principal }),
    status: 'working',
    message: definition.message ?? 'Starting',
    seq: 1,
    createdAt,
    updatedAt: createdAt,
    expiresAt: new Date(now + (definition.lifetimeMs ?? LIFETIME_MS)).toISOString(),
    pollIntervalMs: definition.pollIntervalMs ?? POLL_INTERVAL_MS,
    upstream: { phase: 'submitting' },
  }
}

async function sweepLater({ values }: JobStore, context: ToolContext): Promise<void> {
  // A separate task: between the steps of the start it would delay the call.
  await new Promise((resolve) => setTimeout(resolve, 0))
  try {
    await sweep(values, context)
  } catch (error) {
    logError('expired jobs were not deleted', error)
  }
}

/** Never throws: the index only keeps the store small, so its failure must not fail the call. */
async function note(
  { values }: JobStore,
  { id, expiresAt }: OwnJob,
  key: Idempotency | undefined,
  context: ToolContext,
): Promise<void> {
  try {
    await noteDue(values, context, { id, expiresAt: Date.parse(expiresAt), entry: key?.entry })
  } catch (error) {
    logError(`the end of job ${id} was not stored`, error)
  }
}

async function claimOrWithdraw(
  store: JobStore,
  key: Idempotency,
  job: OwnJob,
  bytes: Uint8Array | undefined,
): Promise<OwnJob> {
  let owner: OwnJob | undefined
  try {
    owner = await claim(store, key, job, bytes)
    return owner
  } finally {
    // Also when the claim failed: no work was started for this job, and none will be.
    if (owner?.id !== job.id) await store.remove(job.id)
  }
}
