/** The job of an image tool: its arguments become a workflow, which one ComfyUI server runs. */
import { ERROR_PREFIX, promptJob, type PromptState } from 'ftl-comfyui/job'
import { type JobContext, ToolError } from 'ftl-sdk'
import type { BuiltWorkflow } from './build-workflow.ts'
import { withoutNodeIds } from './failures.ts'
import type { Rendering } from './rendering.ts'
import { resultFiles, toResult } from './result.ts'
import type { GenerateImageOutput, UpscaleImageOutput } from './schema.ts'
import { loadServers } from './server-list.ts'
import { recordDuration } from './server-memory.ts'
import { connect, submitToOne } from './servers.ts'

/** Becomes the result's `structuredContent`, with the images added. */
export type ImageOutput = Omit<GenerateImageOutput, 'images'> | Omit<UpscaleImageOutput, 'images'>

/** State of a job, kept to find its images again. */
export interface ImageState extends PromptState {
  output: ImageOutput
  /** Nodes whose files are the result, in its order; empty = all nodes. */
  outputNodes: string[]
}

/** The part of the job definition that all image tools share. */
export const imageJob = {
  ...promptJob<ImageState>({
    connect: async (server, context) =>
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
  }),
  start: startJob,
}

/** @throws {ToolError} that ends the job. */
async function startJob(built: BuiltWorkflow, context: JobContext): Promise<ImageState> {
  const { workflow, outputs, rendering, ...options } = built
  const { job } = context
  const output = outputOf(rendering)
  const state = { promptId: job.id, output, outputNodes: outputs }
  const sent = await submitToOne(
    workflow,
    { id: job.id, renderType: output.render_type },
    await loadServers(context.platform),
    context,
    // Saved before the request: if the answer is lost, the state says where the job may be.
    (server) => job.update({ state: { ...state, server }, message: 'Waiting for ComfyUI' }),
    options,
  )
  return { ...state, ...sent }
}

function outputOf({ renderType, ...rendering }: Rendering): ImageOutput {
  const { prompt, seed, seeds, width, height, scale } = rendering
  const common = { width, height, render_type: renderType.name }
  if (scale !== undefined) return { ...common, scale }
  return { seed, ...(seeds.length > 1 && { seeds }), ...common, prompt }
}

/** A failure before the job exists: the call is refused in the words that a failed job would have. */
export function toRefusal(error: unknown): never {
  if (!(error instanceof ToolError)) throw error
  throw new ToolError(`${ERROR_PREFIX}${error.message}`, error.data)
}
