/** Submits a workflow to the least busy server that can run it and has room for it. */
import { type ComfyClient, ComfyError } from 'ftl-comfyui/client'
import type { SourceImage } from 'ftl-comfyui/image'
import { connectTo, type PromptState, submitPrompt } from 'ftl-comfyui/job'
import type { Workflow } from 'ftl-comfyui/workflow'
import { type ToolContext, ToolError } from 'ftl-sdk'
import { compatibility, rememberRefusal } from './compatibility.ts'
import { toImageError } from './failures.ts'
import { typicalDuration } from './server-memory.ts'
import type { Server, Servers } from './server-list.ts'
import type { Target, Targets } from './workflow/targets.ts'

/** Milliseconds to wait for the load of every server. After that, the first server that answers gets the job. */
const LOAD_LIMIT_MS = 3_000
/** Part of the call's deadline in which a server may report its load; the rest is for the submission. */
const LOAD_SHARE = 0.5

/** Only configured servers get their key: the state of a job may contain a server that was removed. */
export function connect(
  baseUrl: string,
  { list }: Servers,
  context: ToolContext,
  limitMs?: number,
): ComfyClient {
  const server = list.find(({ url }) => url === baseUrl)
  return connectTo({ url: baseUrl, headers: server?.headers ?? {} }, context, limitMs)
}

/** What a job needs besides its workflow. */
export interface SubmitOptions {
  /** Uploaded to the server that gets the job; its name there is set in the inputs of `targets.image`. */
  image?: SourceImage
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
  { image, targets = {} }: SubmitOptions = {},
): Promise<Pick<PromptState, 'server' | 'promptId' | 'uncertain'>> {
  if (servers.list.length === 0) throw new ToolError('No active ComfyUI servers configured.')
  const { ranked, silence } = await rankServers(servers, context)
  let refusal = ranked.length === 0 ? silence : undefined
  let full: Ranked | undefined
  for (const { server, load } of ranked) {
    const client = connect(server.url, servers, context)
    let sent = false
    try {
      // A single server needs no check: it validates the workflow on submission.
      if (servers.list.length > 1) await requireFit(server, client, workflow, targets, context)
      if (load >= server.maxQueue) {
        full ??= { server, load }
        continue
      }
      await before(server.url)
      const ready = image
        ? withImage(workflow, targets.image ?? [], await client.uploadImage(image.bytes))
        : workflow
      sent = true
      const { promptId, uncertain } = await submitPrompt(
        client,
        { workflow: ready, promptId: id },
        context,
      )
      return { server: server.url, promptId, uncertain }
    } catch (error) {
      if (!(error instanceof ComfyError)) throw error
      refusal = error
      const { kind, message: reason } = error
      if (kind === 'missing_node' || kind === 'missing_model') {
        const verdict = { fits: false, kind, reason }
        await rememberRefusal(server.url, workflow, targets, verdict, context)
      } else if (sent && kind !== 'queue_full') {
        // Only a full queue proves that the server did not take the prompt: on another server it could run twice.
        throw toImageError(error, renderType, targets)
      }
    }
  }
  throw full ? await queueFull(full, context) : toImageError(refusal, renderType, targets)
}

interface Ranked {
  server: Server
  /** Number of running and waiting prompts. */
  load: number
}

/**
 * Returns the servers that answer, the least busy first, and the first error of those that do not.
 *
 * A server that is slow is used too if no other one answers sooner.
 */
async function rankServers(
  servers: Servers,
  context: ToolContext,
): Promise<{ ranked: Ranked[]; silence?: ComfyError }> {
  const ranked: Ranked[] = []
  let silence: ComfyError | undefined
  let onAnswer: (() => void) | undefined
  const anAnswer = new Promise<void>((resolve) => (onAnswer = resolve))
  const limitMs = context.deadline * LOAD_SHARE
  const look = async (server: Server) => {
    const client = connect(server.url, servers, context, limitMs)
    try {
      ranked.push({ server, load: await client.queueRemaining() })
      onAnswer?.()
    } catch (error) {
      if (!(error instanceof ComfyError)) throw error
      // A server that is slow is more likely to be the one that is meant than a server that is down.
      if (silence?.kind !== 'timeout')
        silence = error.kind === 'timeout' ? error : (silence ?? error)
    }
  }
  const all = Promise.all(servers.list.map(look))
  await settledWithin(LOAD_LIMIT_MS, all)
  await Promise.race([anAnswer, all])
  // If two are equally busy, prefer the order of the configuration to the order of the answers.
  const place = ({ server }: Ranked) => servers.list.indexOf(server)
  // A copy: an answer that comes later must not change the list.
  const inTime = [...ranked].sort((a, b) => a.load - b.load || place(a) - place(b))
  return { ranked: inTime, ...(silence && { silence }) }
}

/** Waits until the work has settled, or for the limit. */
async function settledWithin(limitMs: number, work: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const limit = new Promise<void>((resolve) => (timer = setTimeout(resolve, limitMs)))
  await Promise.race([work, limit]).finally(() => clearTimeout(timer))
}

async function requireFit(
  { url }: Server,
  client: ComfyClient,
  workflow: Workflow,
  targets: Targets['fields'],
  context: ToolContext,
): Promise<void> {
  const { fits, kind, reason } = await compatibility(url, client, workflow, targets, context)
  if (!fits) throw new ComfyError(kind ?? 'missing_node', reason ?? '')
}

async function queueFull({ server, load }: Ranked, context: ToolContext): Promise<ToolError> {
  const seconds = (await typicalDuration(server.url, context)) / 1000
  const retryAfterSeconds = Math.max(1, Math.ceil((load - server.maxQueue + 1) * seconds))
  const message = `Too many images are waiting already (${load}); try again in about ${retryAfterSeconds} s.`
  return new ToolError(message, { kind: 'queue_full', position: load + 1, retryAfterSeconds })
}

function withImage(workflow: Workflow, targets: readonly Target[], name: string): Workflow {
  const result = { ...workflow }
  for (const { node: id, input } of targets) {
    const node = result[id]
    if (node) result[id] = { ...node, inputs: { ...node.inputs, [input]: name } }
  }
  return result
}
