/** The job of an image tool: its arguments become a workflow, which one ComfyUI server runs. */
import { ERROR_PREFIX, promptJob, type PromptState } from 'ftl-comfyui/job'
import { type JobContext, type ToolContext, ToolError } from 'ftl-sdk'
import type { BuiltWorkflow } from './build-workflow.ts'
import { withoutNodeIds } from './failures.ts'
import { inlineImages } from './inline-images.ts'
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
  /** Whether the result contains the pictures themselves, besides their links. */
  inline?: boolean
}

const connectTo = async (server: string, context: ToolContext) =>
  connect(server, await loadServers(context.platform), context)

const renderingJob = promptJob<ImageState>({
  connect: connectTo,
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
  async poll(state: ImageState | undefined, context: JobContext) {
    const outcome = await renderingJob.poll(state, context)
    if (!state?.inline || typeof outcome === 'string' || !('result' in outcome)) return outcome
    const { result, state: next } = outcome
    if (!result || !next?.files) return outcome
    const images = await inlineImages(await connectTo(state.server, context), next.files)
    return { ...outcome, result: { ...result, content: [...result.content, ...images] } }
  },
}

/** @throws {ToolError} that ends the job. */
async function startJob(built: BuiltWorkflow, context: JobContext): Promise<ImageState> {
  const { workflow, outputs, rendering, ...options } = built
  const { job } = context
  const output = outputOf(rendering)
  const inline = rendering.inline ?? context.platform.variables.get('inline_images') === 'true'
  const state = { promptId: job.id, output, outputNodes: outputs, ...(inline && { inline }) }
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
