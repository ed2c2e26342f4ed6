/** The job of a workflow tool on ComfyUI. */
import { ComfyError, type FieldMapping, mapToFields } from 'ftl-comfyui/client'
import {
  preferKept,
  promptJob,
  type PromptState,
  SENDING_MESSAGE,
  showsInline,
  submitPrompt,
  toToolError,
} from 'ftl-comfyui/job'
import type { JobContext } from 'ftl-sdk'
import { placeholders, type Ready, upload } from './call-files.ts'
import { toResult } from './result.ts'
import type { Prepared } from './prepare-call.ts'
import { connect, maxQueueOf } from './server.ts'

/** Part of the call's deadline in which the server may report its load; the rest is for the submission. */
const LOAD_SHARE = 0.5

/** The stored state of a job, which also locates its files. */
export interface WorkflowState extends PromptState {
  run: Omit<Prepared, 'workflow' | 'places' | 'imprecise'>
  places: FieldMapping[]
}

/** The part of the job definition that all workflow tools share. */
export const workflowJob = promptJob<WorkflowState>({
  connect,
  activity: 'Running',
  nothingMade: 'The workflow made nothing.',
  selectFiles: ({ files }) => preferKept(files),
  toResult: (jobId, { run }, files, texts) => toResult(jobId, run, files, texts),
  explain: (error, { places }) => mapToFields(error, places),
})

/** @throws {ToolError} which fails the job. */
export async function startJob(
  server: string,
  ready: Ready,
  context: JobContext,
): Promise<WorkflowState> {
  const { job } = context
  const { places, run: begun } = split(ready.draft.finish(placeholders(ready)))
  const inline = showsInline(ready.draft.inline, context)
  const begin: WorkflowState = {
    ...{ server, promptId: job.id, run: begun, places },
    ...(inline && { inline }),
  }
  // Stored before the submission: if the answer is lost, this records where the job may be.
  await job.update({ state: begin, message: SENDING_MESSAGE })
  const client = connect(server, context)
  try {
    await requireRoom(server, context)
    const { workflow, run } = split(await upload(ready, server, client, context))
    const state = { ...begin, run }
    const { warnings: dropped, ...sent } = await submitPrompt(
      client,
      { workflow, promptId: job.id },
      context,
    )
    const texts = dropped.map((warning) => mapToFields(warning, places).message)
    const warnings = [...run.warnings, ...texts.map((text) => `A part was left out: ${text}`)]
    return { ...state, ...sent, run: { ...run, warnings } }
  } catch (error) {
    throw error instanceof ComfyError ? toToolError(mapToFields(error, places)) : error
  }
}

/** The workflow may be large, and is not part of a job's state. */
function split({ workflow, places, imprecise, ...run }: Prepared) {
  return { workflow, places, imprecise, run }
}

/** ComfyUI itself accepts any number of prompts, and the last of them would wait too long. */
async function requireRoom(server: string, context: JobContext): Promise<void> {
  const client = connect(server, context, context.deadline * LOAD_SHARE)
  const [waiting, limit] = await Promise.all([client.queueRemaining(), maxQueueOf(server, context)])
  if (waiting < limit) return
  const text = `Too many prompts are waiting already (${waiting}, and the limit is ${limit}); try again later.`
  throw new ComfyError('queue_full', text)
}
