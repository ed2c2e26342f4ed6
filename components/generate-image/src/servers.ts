/**
 * Giving a workflow to a server that can run it and has room for it, the least busy first.
 *
 * @module
 */
import { type ComfyClient, ComfyError, createComfyClient } from 'ftl-comfyui/client'
import type { Workflow } from 'ftl-comfyui/workflow'
import type { ToolContext } from 'ftl-sdk'
import { compatibility, rememberRefusal } from './compatibility.ts'
import type { SourceImage } from './image/source.ts'
import { typicalDuration } from './server-memory.ts'
import type { Server, Servers } from './server-list.ts'
import type { ImageState } from './state.ts'
import { ServiceError, toServiceError } from './service-error.ts'
import type { Target, Targets } from './workflow/targets.ts'

/** Milliseconds for one answer; a caller with less time gets less. */
const ANSWER_LIMIT_MS = 8_000
const SHORTEST_MS = 500
/** A server that is slow to say how busy it is keeps the job from the others. */
const LOAD_LIMIT_MS = 3_000

/** Only a server of the configuration gets its key: a job may remember one that is no longer there. */
export function connect(
  baseUrl: string,
  { list }: Servers,
  { platform, deadline }: ToolContext,
  limitMs = ANSWER_LIMIT_MS,
): ComfyClient {
  return createComfyClient({
    baseUrl,
    fetch: (url, init) => platform.fetch(url, init),
    headers: list.find(({ url }) => url === baseUrl)?.headers ?? {},
    timeoutMs: Math.max(SHORTEST_MS, Math.min(limitMs, deadline - SHORTEST_MS)),
  })
}

/** What a job needs besides its workflow. */
export interface SubmitOptions {
  /** Uploaded to the server that gets the job; its name there is put where `targets.image` says. */
  image?: SourceImage
  /** Where the arguments went, to name them in an error. */
  targets?: Targets['fields']
}

/** What is read of a job. */
interface SubmittedJob {
  id: string
  upstream: { output: { render_type: string } }
}

/**
 * Submits to the first server that can run the workflow.
 *
 * @param before called with each server before it is asked, to write down where the job may be.
 * @returns the server, and the id it knows the job by.
 * @throws {ServiceError} of kind `queue_full` with `position` and `retryAfterSeconds` when all that could run it
 *   have as many prompts waiting as they may have.
 */
export async function submitToOne(
  workflow: Workflow,
  { id, upstream }: SubmittedJob,
  servers: Servers,
  context: ToolContext,
  before: (server: string) => Promise<void>,
  { image, targets = {} }: SubmitOptions = {},
): Promise<Pick<ImageState, 'server' | 'promptId' | 'uncertain'>> {
  const renderType = upstream.output.render_type
  if (servers.list.length === 0) throw new ServiceError('No active ComfyUI servers configured.')
  const { ranked, silence } = await rankServers(servers, context)
  let refusal = ranked.length === 0 ? silence : undefined
  let full: Ranked | undefined
  for (const { server, load } of ranked) {
    const client = connect(server.url, servers, context)
    let sent = false
    try {
      // A single server checks the workflow itself when it gets it.
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
      const { promptId } = await client.submit({
        ...{ workflow: ready, promptId: id },
        ...liveOptions(context),
      })
      return { server: server.url, promptId }
    } catch (error) {
      if (!(error instanceof ComfyError)) throw error
      refusal = error
      const { kind, message: reason } = error
      if (kind === 'missing_node' || kind === 'missing_model') {
        const verdict = { fits: false, kind, reason }
        await rememberRefusal(server.url, workflow, targets, verdict, context)
      } else if (sent && (kind === 'unreachable' || kind === 'timeout')) {
        // It answered a moment ago and may have taken the job: whoever asks for the job next will find out.
        return { server: server.url, promptId: id, uncertain: true }
      } else if (sent) {
        // Another server is asked only when this one cannot have taken the job: after no answer it may run there.
        throw toServiceError(error, renderType, targets)
      }
    }
  }
  throw full ? await queueFull(full, context) : toServiceError(refusal, renderType, targets)
}

interface Ranked {
  server: Server
  /** Prompts that run or wait there. */
  load: number
}

/** The servers that answer, the least busy first, and why another one did not. */
async function rankServers(
  servers: Servers,
  context: ToolContext,
): Promise<{ ranked: Ranked[]; silence?: ComfyError }> {
  const ranked: Ranked[] = []
  let silence: ComfyError | undefined
  const look = async (server: Server) => {
    const client = connect(server.url, servers, context, LOAD_LIMIT_MS)
    try {
      ranked.push({ server, load: await client.queueRemaining() })
    } catch (error) {
      if (!(error instanceof ComfyError)) throw error
      silence ??= error
    }
  }
  await Promise.all(servers.list.map(look))
  // Of two that are equally busy the first of the configuration, not the one that answered first.
  const place = ({ server }: Ranked) => servers.list.indexOf(server)
  ranked.sort((a, b) => a.load - b.load || place(a) - place(b))
  return { ranked, ...(silence && { silence }) }
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

async function queueFull({ server, load }: Ranked, context: ToolContext): Promise<ServiceError> {
  const seconds = (await typicalDuration(server.url, context)) / 1000
  const retryAfterSeconds = Math.max(1, Math.ceil((load - server.maxQueue + 1) * seconds))
  const message = `Too many images are waiting already (${load}); try again in about ${retryAfterSeconds} s.`
  return new ServiceError(message, { kind: 'queue_full', position: load + 1, retryAfterSeconds })
}

function withImage(workflow: Workflow, targets: readonly Target[], name: string): Workflow {
  const result = { ...workflow }
  for (const { node: id, input } of targets) {
    const node = result[id]
    if (node) result[id] = { ...node, inputs: { ...node.inputs, [input]: name } }
  }
  return result
}

/**
 * Who is told of steps and previews while a prompt runs: the bridge, if it listens under the same id.
 *
 * Without an id ComfyUI tells everybody the steps, and nobody which preview is whose.
 */
function liveOptions({ platform }: ToolContext) {
  const clientId = platform.variables.get('comfyui_client_id')
  return clientId ? { clientId, extraData: { preview_method: 'auto' } } : {}
}
