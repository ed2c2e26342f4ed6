/** The job of an image tool: its arguments become a workflow, which one ComfyUI server runs. */
import { shownName } from 'ftl-comfyui/client'
import { ERROR_PREFIX, promptJob, type PromptState, showsInline } from 'ftl-comfyui/job'
import { connect, loadServers } from 'ftl-comfyui/servers'
import { type JobContext, type ToolContext, ToolError } from 'ftl-sdk'
import type { BuiltWorkflow } from './build-workflow.ts'
import { withoutNodeIds } from './failures.ts'
import type { Rendering } from './rendering.ts'
import { resultFiles, toResult } from './result.ts'
import type { GenerateImageOutput, UpscaleImageOutput } from './schema.ts'
import { recordDuration } from './server-memory.ts'
import { modelOf, submitWithModel } from './submit-with-model.ts'

/** Becomes the result's `structuredContent`, with the images added. */
export type ImageOutput = Omit<GenerateImageOutput, 'images'> | Omit<UpscaleImageOutput, 'images'>

/** State of a job, kept to find its images again. */
export interface ImageState extends PromptState {
  output: ImageOutput
  /** Nodes whose files are the result, in its order; empty = all nodes. */
  outputNodes: string[]
  /** The model that the server does not have, if another one was used instead. */
  missingModel?: string
}

const renderingJob = promptJob<ImageState>({
  connect: async (server: string, context: ToolContext) =>
    connect(server, await loadServers(context.platform), context),
  activity: 'Rendering',
  nothingMade: 'The workflow made no image.',
  selectFiles: resultFiles,
  toResult,
  explain: withoutNodeIds,
  // `retryAfterSeconds` of a full queue is estimated from the median of these durations.
  async onCompleted({ startedAt, endedAt }, { server }, context) {
    if (startedAt === undefined || endedAt === undefined) return
    await recordDuration(server, endedAt - startedAt, context)
  },
})

/** The part of the job definition that all image tools share. */
export const imageJob = {
  ...renderingJob,
  start: startJob,
}

/** @throws {ToolError} that ends the job. */
async function startJob(built: BuiltWorkflow, context: JobContext): Promise<ImageState> {
  const { workflow, outputs, rendering, ...options } = built
  const { job } = context
  const wanted = modelOf(workflow)
  const output = outputOf(rendering, wanted)
  const inline = showsInline(rendering.inline, context)
  const state = { promptId: job.id, output, outputNodes: outputs, ...(inline && { inline }) }
  const withModel = (instead?: string) =>
    instead === undefined
      ? state
      : { ...state, output: outputOf(rendering, instead), ...(wanted && { missingModel: wanted }) }
  const { instead, ...sent } = await submitWithModel(
    workflow,
    { id: job.id, renderType: output.render_type },
    await loadServers(context.platform),
    context,
    // Saved before the request: if the answer is lost, the state says where the job may be.
    (server, model) =>
      job.update({
        state: { ...withModel(model), server },
        message: `Waiting for ComfyUI${model === undefined ? '' : `, with the model "${shownName(model)}"`}`,
      }),
    {
      ...options,
      preference: rendering.models.model === undefined && (rendering.renderType.models ?? {}),
    },
  )
  return { ...withModel(instead), ...sent }
}

function outputOf({ renderType, ...rendering }: Rendering, model?: string): ImageOutput {
  const { prompt, seed, seeds, width, height, scale, warnings } = rendering
  const common = {
    ...{ width, height, render_type: renderType.name },
    ...(warnings.length > 0 && { warnings }),
  }
  if (scale !== undefined) return { ...common, scale }
  return { seed, ...(seeds.length > 1 && { seeds }), ...common, ...(model && { model }), prompt }
}

/** A failure before the job exists: the call is refused in the words that a failed job would have. */
export function toRefusal(error: unknown): never {
  if (!(error instanceof ToolError)) throw error
  throw new ToolError(`${ERROR_PREFIX}${error.message}`, error.data)
}
