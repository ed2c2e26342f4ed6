/** Submits a workflow to the least busy server that can run it and has room for it. */
import { type ComfyClient, ComfyError } from 'ftl-comfyui/client'
import { type PromptState, submitPrompt } from 'ftl-comfyui/job'
import { connect, type Ranked, rankServers, type Server, type Servers } from 'ftl-comfyui/servers'
import type { Workflow } from 'ftl-comfyui/workflow'
import { type ToolContext, ToolError } from 'ftl-sdk'
import { compatibility, rememberRefusal, withAvailable } from './compatibility.ts'
import { toImageError } from './failures.ts'
import { typicalDuration } from './server-memory.ts'
import { type Pictures, withPictures } from './workflow/pictures.ts'
import type { Targets } from './workflow/targets.ts'

/** What a job needs besides its workflow. */
export interface SubmitOptions extends Pictures {
  /** The inputs that the arguments were set in, to name arguments in errors. */
  targets?: Targets['fields']
}

interface SubmittedJob {
  id: string
  /** Name of the render type, for messages. */
  renderType: string
}

/**
 * Submits to the first server that can run the workflow.
 *
 * @param before called with each server before the job is sent there, to record where the job may be.
 * @returns the server, and the job's id there.
 * @throws {ToolError} of kind `queue_full` with `position` and `retryAfterSeconds` when a server that can run it has
 *   `maxQueue` prompts, and no other server took it.
 */
export async function submitToOne(
  workflow: Workflow,
  { id, renderType }: SubmittedJob,
  servers: Servers,
  context: ToolContext,
  before: (server: string) => Promise<void>,
  { targets = {}, ...pictures }: SubmitOptions = {},
): Promise<Pick<PromptState, 'server' | 'promptId' | 'uncertain'>> {
  if (servers.list.length === 0) throw new ToolError('No active ComfyUI servers configured.')
  const { ranked, silence } = await rankServers(servers, context)
  let refusal = ranked.length === 0 ? silence : undefined
  let full: Ranked | undefined
  // A single server needs no check: it validates the workflow on submission.
  const tries = ranked.map((one) => ({ ...one, isChecked: servers.list.length === 1 }))
  for (const { server, load, isChecked } of tries) {
    const client = connect(server.url, servers, context)
    let sent = false
    try {
      if (!isChecked && !(await fits(server, client, workflow, targets, context))) {
        // Tried last, because ComfyUI may take more than the description of its nodes says.
        tries.push({ server, load, isChecked: true })
        continue
      }
      if (load >= server.maxQueue) {
        full ??= { server, load }
        continue
      }
      await before(server.url)
      const ready = await withPictures(workflow, pictures, targets, client)
      sent = true
      const { promptId, uncertain } = await submitPrompt(
        client,
        { workflow: ready, promptId: id },
        context,
      )
      return { server: server.url, promptId, uncertain }
    } catch (error) {
      if (!(error instanceof ComfyError)) throw error
      refusal = await withAvailable(error, client)
      const { kind, message: reason } = refusal
      if (kind === 'missing_node' || kind === 'missing_model') {
        const verdict = { fits: false, kind, reason } as const
        await rememberRefusal(server.url, workflow, targets, verdict, context)
      } else if (sent && kind !== 'queue_full') {
        // Only a full queue proves that the server did not take the prompt: on another server it could run twice.
        throw toImageError(error, renderType, targets)
      }
    }
  }
  throw full ? await queueFull(full, context) : toImageError(refusal, renderType, targets)
}

/**
 * @returns `false` if the server has everything, and its nodes seem to take other links or values.
 * @throws {ComfyError} when it lacks something, or does not answer.
 */
async function fits(
  { url }: Server,
  client: ComfyClient,
  workflow: Workflow,
  targets: Targets['fields'],
  context: ToolContext,
): Promise<boolean> {
  const verdict = await compatibility(url, client, workflow, targets, context)
  const { kind, reason = '' } = verdict
  if (kind === 'missing_node' || kind === 'missing_model') throw new ComfyError(kind, reason)
  return verdict.fits
}

async function queueFull({ server, load }: Ranked, context: ToolContext): Promise<ToolError> {
  const seconds = (await typicalDuration(server.url, context)) / 1000
  const retryAfterSeconds = Math.max(1, Math.ceil((load - server.maxQueue + 1) * seconds))
  const message = `Too many images are waiting already (${load}); try again in about ${retryAfterSeconds} s.`
  return new ToolError(message, { kind: 'queue_full', position: load + 1, retryAfterSeconds })
}
