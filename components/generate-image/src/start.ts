/** Starts a job: checks the arguments, sets the inputs, submits the workflow. */
import { type JobContext, type ToolContext, ToolError } from 'ftl-sdk'
import { type BuiltWorkflow, buildWorkflow } from './build-workflow.ts'
import { type Config, readConfig } from './config.ts'
import type { OpenOutput } from './image/source.ts'
import type { Rendering } from './prepare.ts'
import { loadServers } from './server-list.ts'
import { submitToOne } from './servers.ts'
import { ServiceError, toJobError } from './service-error.ts'
import type { ImageOutput, ImageState } from './state.ts'

/** A `ServiceError` is kept until the job starts: the service failed, the call's arguments are valid. */
export type Prepared = BuiltWorkflow | ServiceError

/**
 * Checks the arguments against the configuration and builds the workflow. Nothing is sent to ComfyUI.
 *
 * @throws {InvalidArguments}
 * @throws {ToolError} without a configuration: the tool then has no render types, so no job is created.
 */
export async function prepareJob(
  toRendering: (config: Config) => Rendering,
  context: ToolContext,
  openOutput: OpenOutput,
): Promise<Prepared> {
  let config: Config
  try {
    config = await readConfig(context.platform)
  } catch (error) {
    throw error instanceof ServiceError ? new ToolError(toJobError(error).message) : error
  }
  const rendering = toRendering(config)
  try {
    return await buildWorkflow(rendering, context, openOutput)
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
}

/** @throws {ToolError} that ends the job. */
export async function startJob(prepared: Prepared, context: JobContext): Promise<ImageState> {
  if (prepared instanceof ServiceError) throw toToolError(prepared)
  const { workflow, outputs, rendering, ...options } = prepared
  const { job } = context
  const output = outputOf(rendering)
  const state = { promptId: job.id, output, outputNodes: outputs }
  try {
    const sent = await submitToOne(
      workflow,
      { id: job.id, upstream: { output } },
      await loadServers(context.platform),
      context,
      // Saved before the request: if the answer is lost, the state says where the job may be.
      (server) => job.update({ state: { ...state, server }, message: 'Waiting for ComfyUI' }),
      options,
    )
    return { ...state, ...sent }
  } catch (error) {
    throw error instanceof ServiceError ? toToolError(error) : error
  }
}

function toToolError({ message, data }: ServiceError): ToolError {
  return new ToolError(message, data)
}

function outputOf({ renderType, ...rendering }: Rendering): ImageOutput {
  const { prompt, seed, seeds, width, height, scale } = rendering
  const common = { width, height, render_type: renderType.name }
  if (scale !== undefined) return { ...common, scale }
  return { seed, ...(seeds.length > 1 && { seeds }), ...common, prompt }
}
