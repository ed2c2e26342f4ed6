/** The server for a workflow: the least busy one that has its nodes, models and images, as for the image tools. */
import { ComfyError, type ComfyClient, isUploadName, toNodeClass } from 'ftl-comfyui/client'
import { rankServers, type Server, type Servers } from 'ftl-comfyui/servers'
import { checkWorkflow, type Workflow } from 'ftl-comfyui/workflow'
import { connectTo } from 'ftl-comfyui/job'
import { InvalidArguments, type ToolContext } from 'ftl-sdk'
import { withUploads } from './uploads/in-workflow.ts'
import { labelOf, requireServers, shownLabel, toFailure } from './servers.ts'

/** Problems that an error lists. */
const MAX_PROBLEMS = 20

export interface Chosen {
  /** The workflow in the API format, without a wrapper. */
  text: string
  server: Server
  /** Every server that could run it has as many prompts as it may have. */
  isFull: boolean
}

/** A workflow as a caller sent it. */
export interface GivenWorkflow {
  classes: readonly string[]
  /**
   * @param infos what a server says of the classes that it has.
   * @throws {InvalidArguments}
   */
  toApi(infos: Record<string, unknown>): { workflow: Workflow; text: string }
}

/**
 * @throws {InvalidArguments} with every problem that the best server has with the workflow.
 * @throws {ToolError} when no server answers.
 */
export async function chooseServer(given: GivenWorkflow, context: ToolContext): Promise<Chosen> {
  const servers = await requireServers(context)
  const { ranked, silence } = await candidates(servers, context)
  let error = silence
  let full: Omit<Chosen, 'isFull'> | undefined
  let least: { server: Server; problems: string[] } | undefined
  for (const { server, load } of ranked) {
    try {
      const { problems, text } = await lookAt(server, given, servers, context)
      if (problems.length > 0) {
        if (!least || problems.length < least.problems.length) least = { server, problems }
      } else if ((await load()) < server.maxQueue) return { server, text, isFull: false }
      else full ??= { server, text }
    } catch (thrown) {
      if (!(thrown instanceof ComfyError)) throw thrown
      error ??= thrown
    }
  }
  if (full) return { ...full, isFull: true }
  if (least) throw refusalOf(least, servers, ranked)
  throw toFailure(error ?? new ComfyError('unreachable', 'No ComfyUI server could be reached.'))
}

interface Candidate {
  server: Server
  load: () => number | Promise<number>
}

/** The least busy first. Of a single server the load is read only when the workflow fits. */
async function candidates(
  servers: Servers,
  context: ToolContext,
): Promise<{ ranked: Candidate[]; silence?: ComfyError }> {
  const [only] = servers.list
  if (only && servers.list.length === 1) {
    return { ranked: [{ server: only, load: () => connectTo(only, context).queueRemaining() }] }
  }
  const { ranked, silence } = await rankServers(servers, context)
  return {
    ranked: ranked.map(({ server, load }) => ({ server, load: () => load })),
    ...(silence && { silence }),
  }
}

async function lookAt(
  server: Server,
  given: GivenWorkflow,
  { list }: Servers,
  context: ToolContext,
): Promise<{ problems: string[]; text: string }> {
  const client = connectTo(server, context)
  const infos = await client.objectInfo(given.classes)
  const sent = given.toApi(infos).workflow
  const { workflow, problems: elsewhere } = await withUploads(sent, server.url, context)
  if (elsewhere.length > 0) return { problems: elsewhere, text: '' }
  const text = JSON.stringify(workflow)
  const classes = Object.entries(infos).map(([name, info]) => [name, toNodeClass(info)] as const)
  const found = checkWorkflow(text, Object.fromEntries(classes))
  const problems = found.map(({ message, fix }) => `workflow: ${message}; ${fix}`)
  // A single server says itself what it lacks.
  if (problems.length > 0 || list.length === 1) return { problems, text }
  return { problems: await missingUploads(workflow, client), text }
}

/** Uploads that a server lacks, because it was down when they were uploaded. */
async function missingUploads(workflow: Workflow, client: ComfyClient): Promise<string[]> {
  const values = Object.values(workflow).flatMap(({ inputs }) => Object.values(inputs))
  const names = values.filter((value) => typeof value === 'string').filter(isUploadName)
  const problems: string[] = []
  for (const name of new Set(names)) {
    const at = name.lastIndexOf('/')
    const [subfolder, filename] = [name.slice(0, at), name.slice(at + 1)]
    const file = { filename, subfolder, type: 'input' as const }
    const { status, body } = await client.view(file, { range: 'bytes=0-0' })
    await body?.cancel()
    if (status === 404) problems.push(`workflow: the file "${name}" is missing; upload it again`)
  }
  return problems
}

function refusalOf(
  { server, problems }: { server: Server; problems: string[] },
  servers: Servers,
  ranked: readonly Candidate[],
): InvalidArguments {
  const lines = problems.slice(0, MAX_PROBLEMS)
  if (problems.length > MAX_PROBLEMS) lines.push(`and ${problems.length - MAX_PROBLEMS} more`)
  if (ranked.length > 1) {
    lines.unshift(
      `workflow: none of ${ranked.length} servers can run it. ${shownLabel(labelOf(server, servers))}:`,
    )
  }
  return new InvalidArguments(lines.join('\n'))
}
