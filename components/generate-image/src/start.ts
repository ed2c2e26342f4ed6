/**
 * Starting a job: validate, set the inputs, write the record, submit, answer.
 *
 * @module
 */
import { inject, outputNodes, type Workflow, WorkflowError } from 'ftl-comfyui/workflow'
import { type ToolAnswer, type ToolContext, ToolError, ToolResponse } from 'ftl-sdk'
import { type Config, readConfig, readServers, readWorkflow } from './config.ts'
import { findJob, idempotencyEntry, rememberJob } from './idempotency.ts'
import { changeJob, createJob, type ImageJob, openJobs, writeJob } from './job-store.ts'
import { prepareRendering, type Rendering } from './prepare.ts'
import type { GenerateImageInput } from './schema.ts'
import { submitToOne } from './servers.ts'
import { ServiceError, toJobError } from './service-error.ts'

/** @throws {InvalidArguments} before anything is started. */
export async function startJob(
  input: GenerateImageInput,
  context: ToolContext,
): Promise<ToolAnswer> {
  const rendering = prepareRendering(input, await requireConfig(context))
  const store = await openJobs(context)
  const { idempotencyKey } = context
  const entry =
    idempotencyKey === undefined ? undefined : await idempotencyEntry(idempotencyKey, context)
  const known = entry === undefined ? undefined : await findJob(store, entry, context)
  if (known) return ToolResponse.job(known)

  let job: ImageJob | undefined
  try {
    const workflow = await buildWorkflow(rendering, context)
    const servers = readServers(context.platform)
    const started = createRecord(rendering, servers.urls[0] ?? '', outputNodes(workflow), context)
    job = started
    if (entry !== undefined) await rememberJob(store, entry, started)
    const { server, promptId } = await submitToOne(
      workflow,
      started,
      servers,
      context,
      async (candidate) => {
        started.upstream.server = candidate
        await writeJob(store, started)
      },
    )
    const upstream = { ...started.upstream, server, promptId, state: 'accepted' as const }
    job = change(started, context, { message: 'Waiting for ComfyUI', upstream })
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    job ??= createRecord(rendering, '', [], context)
    const failure = toJobError(error)
    job = change(job, context, { status: 'failed', message: failure.message, error: failure })
  }
  return ToolResponse.job(await writeJob(store, job))
}

// Without configuration there is no tool to speak of, so there is no job either.
async function requireConfig({ platform }: ToolContext): Promise<Config> {
  try {
    return await readConfig(platform)
  } catch (error) {
    throw error instanceof ServiceError ? new ToolError(toJobError(error).message) : error
  }
}

async function buildWorkflow(rendering: Rendering, context: ToolContext): Promise<Workflow> {
  const { renderType, ...fields } = rendering
  const workflow = await readWorkflow(context.platform, renderType)
  try {
    return inject(workflow, fields)
  } catch (error) {
    if (!(error instanceof WorkflowError)) throw error
    const message = `The workflow of render type '${renderType.name}' is not usable: ${error.message}`
    throw new ServiceError(message)
  }
}

function createRecord(
  { renderType, prompt, seed, width, height }: Rendering,
  server: string,
  nodes: string[],
  context: ToolContext,
): ImageJob {
  const output = { seed, width, height, render_type: renderType.name, prompt }
  return createJob(context, { server, output, outputNodes: nodes })
}

function change(job: ImageJob, { platform }: ToolContext, to: Partial<ImageJob>): ImageJob {
  return changeJob(job, platform.now(), to)
}
