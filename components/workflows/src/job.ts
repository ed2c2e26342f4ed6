/** The job of a tool on ComfyUI: submits its workflow, polls it, cancels it and serves its files. */
import {
  type ComfyClient,
  ComfyError,
  type ComfyJob,
  extensionOf,
  type FieldMapping,
  fileResponse,
  mapToFields,
  type OutputFile,
} from 'ftl-comfyui/client'
import {
  type CancelOutcome,
  type JobContext,
  type JobDefinition,
  type PollOutcome,
  ToolError,
} from 'ftl-sdk'
import { resultFiles, toResult } from './result.ts'
import type { Prepared } from './run.ts'
import { connect, liveOptions } from './server.ts'

/** The stored state of a job, which also locates its files. */
export interface WorkflowState {
  /** Base URL of the server that has the job, or that it is being submitted to. */
  server: string
  /** The server's id of the job: our own id if the server lets clients choose it. */
  promptId: string
  /** The server did not confirm the submission; removed as soon as the job is seen there. */
  uncertain?: boolean
  run: Omit<Prepared, 'workflow' | 'places' | 'imprecise'>
  places: FieldMapping[]
  /** In the order of the result. */
  files?: Pick<OutputFile, 'filename' | 'subfolder' | 'type'>[]
}

/** Prompts that may wait on the server: at a minute each, the last one waits half an hour. */
const MAX_QUEUE = 32

const NEVER_ACCEPTED = { lost: 'The job was lost before ComfyUI accepted it.' }

/** @throws {ToolError} which fails the job. */
export async function startJob(
  server: string,
  { workflow, places, imprecise, ...run }: Prepared,
  context: JobContext,
): Promise<WorkflowState> {
  const { job } = context
  const state: WorkflowState = { server, promptId: job.id, run, places }
  // Stored before the submission: if the answer is lost, this records where the job may be.
  await job.update({ state, message: 'Sending the workflow to ComfyUI' })
  const client = connect(server, context)
  let asked = false
  try {
    await requireRoom(client)
    asked = true
    const sent = await client.submit({ workflow, promptId: job.id, ...liveOptions(context) })
    const dropped = sent.warnings.map((warning) => mapToFields(warning, places).message)
    const warnings = [...run.warnings, ...dropped.map((text) => `A part was left out: ${text}`)]
    return { ...state, promptId: sent.promptId, run: { ...run, warnings } }
  } catch (error) {
    if (!(error instanceof ComfyError)) throw error
    // The server answered a moment ago and may have accepted the job: the next poll finds out.
    const silent = error.kind === 'timeout' || error.kind === 'unreachable'
    if (asked && silent) return { ...state, uncertain: true }
    throw toToolError(mapToFields(error, places))
  }
}

/** ComfyUI itself accepts any number of prompts, and the last of them would wait too long. */
async function requireRoom(client: ComfyClient): Promise<void> {
  const waiting = await client.queueRemaining()
  if (waiting < MAX_QUEUE) return
  const text = `Too many prompts are waiting already (${waiting}); try again later.`
  throw new ComfyError('queue_full', text)
}

async function pollJob(
  state: WorkflowState | undefined,
  context: JobContext,
): Promise<PollOutcome<WorkflowState>> {
  if (!state) return NEVER_ACCEPTED
  const { phase } = context.job
  const accepted = phase === 'accepted' && !state.uncertain
  try {
    const found = await connect(state.server, context).job(state.promptId, { accepted })
    if (found.status === 'unknown') return NEVER_ACCEPTED
    const { uncertain, ...seen } = state
    const outcome = outcomeOf(found, seen, context)
    return uncertain && typeof outcome === 'object' ? { state: seen, ...outcome } : outcome
  } catch (error) {
    if (error instanceof ComfyError) return 'unreachable'
    throw error
  }
}

function outcomeOf(
  found: ComfyJob,
  state: WorkflowState,
  { platform, job }: JobContext,
): PollOutcome<WorkflowState> {
  switch (found.status) {
    case 'unknown':
      return NEVER_ACCEPTED
    case 'pending':
      return { message: 'Waiting in the queue of ComfyUI' }
    case 'running': {
      const seconds = Math.max(0, Math.round((platform.now() - job.createdAt) / 1000))
      return { message: `Running (${seconds} s)`, progress: { value: seconds } }
    }
    case 'cancelled':
      return { cancelled: 'Cancelled on the ComfyUI server' }
    case 'failed': {
      const error = found.error && mapToFields(found.error, state.places)
      const { message = 'The workflow failed.', kind } = error ?? {}
      return { error: { message, ...(kind && { kind }), ...(error && fieldsOf(error)) } }
    }
    case 'completed': {
      const files = resultFiles(found)
      if (files.length === 0 && found.texts.length === 0) {
        return { error: { message: 'The workflow made nothing.', kind: 'execution_failed' } }
      }
      const kept = files.map(({ filename, subfolder, type }) => ({ filename, subfolder, type }))
      const result = toResult(job.id, state.run, files, found.texts)
      return { result, state: { ...state, files: kept } }
    }
  }
}

/** Cancels only this job, no other prompt of the server. */
async function cancelJob(
  state: WorkflowState | undefined,
  context: JobContext,
): Promise<CancelOutcome> {
  if (!state) return 'cancelled'
  try {
    return (await connect(state.server, context).cancel(state.promptId)) ? 'cancelled' : 'ended'
  } catch (error) {
    if (error instanceof ComfyError) return 'unreachable'
    throw error
  }
}

/** The part of the job definition that all workflow tools share. */
export const workflowJob = {
  poll: pollJob,
  cancel: cancelJob,
  async files({ index, extension, name }, state, context, request) {
    const file = state?.files?.[index]
    if (!file || extensionOf(file.filename) !== extension) return undefined
    return fileResponse(connect(state.server, context), file, name, request)
  },
  message: 'Sending the workflow to ComfyUI',
  upstream: 'the ComfyUI server',
  errorPrefix: 'Service error: ',
} satisfies Partial<JobDefinition<never, WorkflowState, never>>

function toToolError(error: ComfyError): ToolError {
  const { retryAfterMs } = error.details
  return new ToolError(error.message, {
    kind: error.kind,
    ...fieldsOf(error).data,
    ...(retryAfterMs !== undefined && { retryAfterSeconds: Math.ceil(retryAfterMs / 1000) }),
  })
}

function fieldsOf({ details }: ComfyError): { data?: Record<string, unknown> } {
  return details.fields ? { data: { fields: details.fields } } : {}
}
