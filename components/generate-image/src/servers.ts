/**
 * Giving a workflow to a server that can run it.
 *
 * Whether a server can is asked of the server itself: it checks every node class and model file when the
 * workflow arrives, so a list of what it has would cost a request and could be out of date.
 *
 * @module
 */
import { type ComfyClient, ComfyError, createComfyClient } from 'ftl-comfyui/client'
import type { Workflow } from 'ftl-comfyui/workflow'
import type { ToolContext } from 'ftl-sdk'
import type { Servers } from './config.ts'
import { type ImageJob } from './job-store.ts'
import { ServiceError } from './service-error.ts'

/** Milliseconds for one answer; a caller with less time gets less. */
const ANSWER_LIMIT_MS = 8_000
const SHORTEST_MS = 500

export function connect(
  baseUrl: string,
  { headers }: Servers,
  { platform, deadline }: ToolContext,
): ComfyClient {
  return createComfyClient({
    baseUrl,
    fetch: (url, init) => platform.fetch(url, init),
    headers,
    timeoutMs: Math.max(SHORTEST_MS, Math.min(ANSWER_LIMIT_MS, deadline - SHORTEST_MS)),
  })
}

/** The servers that answer, the least busy first. With a single one nobody is asked. */
export async function rankServers(servers: Servers, context: ToolContext): Promise<string[]> {
  if (servers.urls.length === 1) return servers.urls
  const loads = await Promise.all(
    servers.urls.map(async (url) => ({
      url,
      load: await connect(url, servers, context)
        .queueRemaining()
        .catch(() => undefined),
    })),
  )
  return loads
    .filter(({ load }) => load !== undefined)
    .sort((a, b) => (a.load ?? 0) - (b.load ?? 0))
    .map(({ url }) => url)
}

/**
 * Submits to the first server that can run the workflow.
 *
 * @param before called with each server before it is asked, to write down where the job may be.
 * @returns the server, and the id it knows the job by.
 * @throws {ServiceError}
 */
export async function submitToOne(
  workflow: Workflow,
  job: ImageJob,
  servers: Servers,
  context: ToolContext,
  before: (server: string) => Promise<void>,
): Promise<{ server: string; promptId: string }> {
  const renderType = job.upstream.output.render_type
  const ranked = await rankServers(servers, context)
  let refusal: ComfyError | undefined
  for (const server of ranked) {
    await before(server)
    try {
      const submission = { workflow, promptId: job.id }
      const { promptId } = await connect(server, servers, context).submit(submission)
      return { server, promptId }
    } catch (error) {
      if (!(error instanceof ComfyError)) throw error
      refusal = error
      // Only a refusal for what the server lacks is a reason to ask another: after no answer the job may run.
      if (error.kind !== 'missing_node' && error.kind !== 'missing_model') break
    }
  }
  throw toServiceError(refusal, renderType)
}

function toServiceError(error: ComfyError | undefined, renderType: string): ServiceError {
  if (!error || error.kind === 'unreachable' || error.kind === 'timeout') {
    return new ServiceError('Could not connect to any compatible ComfyUI servers.', {
      kind: error?.kind ?? 'unreachable',
    })
  }
  if (error.kind === 'missing_node' || error.kind === 'missing_model') {
    return new ServiceError(
      `No active ComfyUI server is compatible with render type '${renderType}'.`,
      { kind: error.kind, reason: error.message },
    )
  }
  return new ServiceError(error.message, { kind: error.kind })
}
