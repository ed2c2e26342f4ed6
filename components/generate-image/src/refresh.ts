/** Polls a job on its ComfyUI server, and cancels it there. */
import { type ComfyClient, ComfyError, type ComfyJob } from 'ftl-comfyui/client'
import type { CancelOutcome, JobContext, PollOutcome } from 'ftl-sdk'
import { resultFiles, toResult } from './result.ts'
import { loadServers } from './server-list.ts'
import { recordDuration } from './server-memory.ts'
import { withoutNodes } from './service-error.ts'
import { connect } from './servers.ts'
import type { ImageState } from './state.ts'

/** Milliseconds between the two polls after which a job is considered lost. */
const SECOND_LOOK_MS = 300

const NEVER_ACCEPTED = { lost: 'The job was lost before ComfyUI accepted it.' }

export async function pollJob(
  state: ImageState | undefined,
  context: JobContext,
): Promise<PollOutcome<ImageState>> {
  // No server had been chosen, so nothing was sent.
  if (!state) return NEVER_ACCEPTED
  try {
    const client = await clientOf(state, context)
    let found = await client.job(state.promptId)
    if (found.status === 'unknown') {
      if (context.job.phase === 'submitting') return NEVER_ACCEPTED
      await new Promise((resolve) => setTimeout(resolve, SECOND_LOOK_MS))
      found = await client.job(state.promptId)
    }
    const { startedAt, endedAt } = found
    if (found.status === 'completed' && startedAt !== undefined && endedAt !== undefined) {
      // `retryAfterSeconds` of a full queue is estimated from the median of these durations.
      await recordDuration(state.server, endedAt - startedAt, context)
    }
    if (!state.uncertain) return outcomeOf(found, state, context)
    if (found.status === 'unknown') return NEVER_ACCEPTED
    const { uncertain, ...seen } = state
    const outcome = outcomeOf(found, seen, context)
    return typeof outcome === 'string' ? outcome : { state: seen, ...outcome }
  } catch (error) {
    if (error instanceof ComfyError) return 'unreachable'
    throw error
  }
}

/** Cancels only this job, not the server's other prompts. */
export async function cancelJob(
  state: ImageState | undefined,
  context: JobContext,
): Promise<CancelOutcome> {
  if (!state) return 'cancelled'
  try {
    const client = await clientOf(state, context)
    return (await client.cancel(state.promptId)) ? 'cancelled' : 'ended'
  } catch (error) {
    if (error instanceof ComfyError) return 'unreachable'
    throw error
  }
}

function outcomeOf(
  found: ComfyJob,
  state: ImageState,
  { platform, job }: JobContext,
): PollOutcome<ImageState> {
  switch (found.status) {
    case 'unknown':
      return { lost: 'The job was lost: ComfyUI no longer knows it.' }
    case 'pending':
      return { message: 'Waiting in the queue of ComfyUI' }
    case 'running': {
      const seconds = Math.max(0, Math.round((platform.now() - job.createdAt) / 1000))
      return { message: `Rendering (${seconds} s)`, progress: { value: seconds } }
    }
    case 'cancelled':
      return { cancelled: 'Cancelled on the ComfyUI server' }
    case 'failed': {
      const { message = 'The workflow failed.', kind } = found.error ?? {}
      return { error: { message: withoutNodes(message), ...(kind && { kind }) } }
    }
    case 'completed': {
      const files = resultFiles(found, state)
      if (files.length === 0) {
        return { error: { message: 'The workflow made no image.', kind: 'execution_failed' } }
      }
      const kept = files.map(({ filename, subfolder, type }) => ({ filename, subfolder, type }))
      return { result: toResult(job.id, state, files), state: { ...state, files: kept } }
    }
  }
}

async function clientOf({ server }: ImageState, context: JobContext): Promise<ComfyClient> {
  return connect(server, await loadServers(context.platform), context)
}
