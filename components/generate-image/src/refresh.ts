/**
 * Reading and cancelling jobs: one look at ComfyUI, and only when it is due.
 *
 * @module
 */
import { type ComfyClient, ComfyError, type ComfyJob } from 'ftl-comfyui/client'
import type { ContextKeyValue, ToolContext } from 'ftl-sdk'
import { isFinal } from 'ftl-sdk/contract'
import { readServers } from './config.ts'
import { changeJob, type ImageJob, openJobs, readJob, writeJob } from './job-store.ts'
import { resultFiles, toResult } from './result.ts'
import { connect } from './servers.ts'
import { ServiceError, toJobError } from './service-error.ts'

/** Milliseconds between the two looks after which a job is given up as lost. */
const SECOND_LOOK_MS = 300
/** Milliseconds a job that was being submitted may take to appear. */
const SUBMIT_GRACE_MS = 30_000
/** Milliseconds a server may be silent before its jobs are given up; restarts take less. */
const SILENCE_LIMIT_MS = 120_000

type Change = Partial<ImageJob>

/** The job, refreshed if it is due. */
export async function getJob(id: string, context: ToolContext): Promise<ImageJob | undefined> {
  const store = await openJobs(context)
  const job = await readJob(store, id, context)
  if (!job || isFinal(job)) return job
  const age = context.platform.now() - Date.parse(job.updatedAt)
  return age < job.pollIntervalMs ? job : refresh(job, store, context)
}

/** Cancels exactly this job; one that has ended meanwhile is answered as it ended. */
export async function cancelJob(id: string, context: ToolContext): Promise<ImageJob | undefined> {
  const store = await openJobs(context)
  const job = await readJob(store, id, context)
  if (!job || isFinal(job)) return job
  try {
    const client = clientOf(job, context)
    if (!(await client.cancel(job.upstream.promptId))) {
      const found = await client.job(job.upstream.promptId)
      if (found.status === 'completed' || found.status === 'failed') {
        return await settle(job, await endOf(job, found), store, context)
      }
    }
  } catch (error) {
    if (!(error instanceof ComfyError)) throw error
    // Saying "cancelled" while it may go on would be a lie.
    const message = 'Not cancelled: the ComfyUI server could not be reached'
    return settle(job, { message }, store, context)
  }
  return settle(job, { status: 'cancelled', message: 'Cancelled' }, store, context)
}

async function refresh(
  job: ImageJob,
  store: ContextKeyValue,
  context: ToolContext,
): Promise<ImageJob> {
  let change: Change
  try {
    change = await look(job, context)
  } catch (error) {
    if (!(error instanceof ComfyError)) throw error
    change = silence(job, context.platform.now())
  }
  return settle(job, change, store, context)
}

// A cancel may have ended the job while ComfyUI was asked, and an end is never taken back.
async function settle(
  job: ImageJob,
  change: Change,
  store: ContextKeyValue,
  context: ToolContext,
): Promise<ImageJob> {
  const latest = await readJob(store, job.id, context)
  if (latest && isFinal(latest)) return latest
  return writeJob(store, changeJob(job, context.platform.now(), change))
}

async function look(job: ImageJob, context: ToolContext): Promise<Change> {
  const client = clientOf(job, context)
  const { promptId } = job.upstream
  let found = await client.job(promptId)
  if (found.status === 'unknown') {
    if (job.upstream.state === 'submitting') {
      const age = context.platform.now() - Date.parse(job.createdAt)
      if (age < SUBMIT_GRACE_MS) return {}
      return failure('The job was lost before ComfyUI accepted it.', 'server_lost')
    }
    await new Promise((resolve) => setTimeout(resolve, SECOND_LOOK_MS))
    found = await client.job(promptId)
  }
  return { ...heard(job), ...(await endOf(job, found, context.platform.now())) }
}

async function endOf(job: ImageJob, found: ComfyJob, now = 0): Promise<Change> {
  switch (found.status) {
    case 'unknown':
      return failure('The job was lost: ComfyUI no longer knows it.', 'server_lost')
    case 'pending':
      return { message: 'Waiting in the queue of ComfyUI' }
    case 'running': {
      const seconds = Math.max(0, Math.round((now - Date.parse(job.createdAt)) / 1000))
      return { message: `Rendering (${seconds} s)`, progress: { value: seconds } }
    }
    case 'cancelled':
      return { status: 'cancelled', message: 'Cancelled on the ComfyUI server' }
    case 'failed':
      return failure(found.error?.message ?? 'The workflow failed.', found.error?.kind)
    case 'completed': {
      const files = resultFiles(found, job.upstream)
      if (files.length === 0) return failure('The workflow made no image.', 'execution_failed')
      const kept = files.map(({ filename, subfolder, type }) => ({ filename, subfolder, type }))
      return {
        status: 'completed',
        message: 'Done',
        result: toResult(job, files),
        upstream: { ...job.upstream, files: kept },
      }
    }
  }
}

function failure(message: string, kind?: string): Change {
  const error = toJobError(new ServiceError(message, kind === undefined ? undefined : { kind }))
  return { status: 'failed', message: error.message, error }
}

/** The server answered: what was counted against it is forgotten, and a submit is known to have arrived. */
function heard({ upstream }: ImageJob): Change {
  const { silentSince, ...rest } = upstream
  return { upstream: { ...rest, state: 'accepted' } }
}

function silence(job: ImageJob, now: number): Change {
  const silentSince = job.upstream.silentSince ?? new Date(now).toISOString()
  if (now - Date.parse(silentSince) > SILENCE_LIMIT_MS) {
    return failure('The ComfyUI server has not answered for two minutes.', 'unreachable')
  }
  return {
    message: 'The ComfyUI server does not answer; asking again',
    upstream: { ...job.upstream, silentSince },
  }
}

function clientOf(job: ImageJob, context: ToolContext): ComfyClient {
  return connect(job.upstream.server, readServers(context.platform), context)
}
