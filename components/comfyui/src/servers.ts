/** The ComfyUI servers of the tools: those that the image tools use, else those of the variable `comfyui_url`. */
import { type ComfyClient, ComfyError } from 'ftl-comfyui/client'
import { connectTo, ERROR_PREFIX, isSameServer, toToolError, workflowServer } from 'ftl-comfyui/job'
import { loadServers, type Server, type Servers } from 'ftl-comfyui/servers'
import { InvalidArguments, type ToolContext, ToolError } from 'ftl-sdk'
import * as z from 'zod'

/** Where the manifest mounts the configuration of the image tools. */
const FOLDER = 'generate-image'

/** A server as results name it; its address is not for clients. */
export interface ServerLabel {
  /** Place in the configuration, from 1. */
  server: number
  /** In `servers.json`. */
  name?: string
}

/** {@link ServerLabel} in an output schema. */
export const serverLabel = {
  server: z.int().describe('Place of the server in the configuration, from 1'),
  name: z.string().optional().describe('Name of the server in servers.json'),
}

export type Answer<T> = ServerLabel & ({ value: T } | { error: ComfyError })

type Call = Pick<ToolContext, 'platform' | 'deadline'>

/** An empty list without `servers.json` and `comfyui_url`. */
export async function configuredServers({ platform }: Pick<Call, 'platform'>): Promise<Servers> {
  const servers = await loadServers(platform, FOLDER)
  // A server that the file names has a name of its own; the default of the image tools does not.
  const isNamed = servers.list.some(({ name, url }) => name !== url)
  if (isNamed || platform.variables.get('comfyui_url')?.trim()) return servers
  return { list: [], urls: [], problems: servers.problems }
}

export function labelOf({ name, url }: Server, { list }: Servers): ServerLabel {
  const server = list.findIndex((each) => each.url === url) + 1
  // A server of the variable is named by its address.
  return { server, ...(name !== url && { name }) }
}

/** `Server 2 (gpu2)`. */
export function shownLabel({ server, name }: ServerLabel): string {
  return `Server ${server}${name === undefined ? '' : ` (${name})`}`
}

/** @throws {ToolError} if none is configured. */
export async function requireServers(context: Call): Promise<Servers> {
  const servers = await configuredServers(context)
  if (servers.list.length === 0) throw new ToolError('No ComfyUI server is configured.')
  return servers
}

/** The servers, and that of `comfyui_url`, where the workflow tools run whatever `servers.json` names. */
export function withWorkflowServer(
  servers: Servers,
  { platform }: Pick<Call, 'platform'>,
): Servers {
  const server = workflowServer(platform.variables)
  if (!server || servers.urls.some((known) => isSameServer(known, server.url))) return servers
  const own = { name: 'workflow tools', ...server, maxQueue: 1 }
  return { ...servers, list: [...servers.list, own], urls: [...servers.urls, server.url] }
}

/**
 * Asks every server at the same time.
 *
 * @param place of the only server to ask, from 1. @default all
 * @throws {InvalidArguments} if there is no such server.
 */
export async function askEach<T>(
  servers: Servers,
  context: Call,
  work: (client: ComfyClient, server: Server) => Promise<T>,
  place?: number,
): Promise<Answer<T>[]> {
  const { list } = servers
  if (place !== undefined && !list[place - 1]) {
    throw new InvalidArguments(`server: must be 1 to ${list.length}`)
  }
  const asked = place === undefined ? list : list.slice(place - 1, place)
  return Promise.all(
    asked.map(async (server): Promise<Answer<T>> => {
      const label = labelOf(server, servers)
      try {
        return { ...label, value: await work(connectTo(server, context), server) }
      } catch (error) {
        if (!(error instanceof ComfyError)) throw error
        return { ...label, error }
      }
    }),
  )
}

/** @throws {ToolError} when no server answered: the failure of the first. */
export function answeredOnly<T>(answers: readonly Answer<T>[]): (ServerLabel & { value: T })[] {
  const answered = answers.flatMap((answer) => ('value' in answer ? [answer] : []))
  const [first] = answers
  if (answered.length > 0 || !first || !('error' in first)) return answered
  throw toFailure(first.error)
}

/** As the state of the servers is shown: one entry a server, with its error in words. */
export function toStates<T>(
  answers: readonly Answer<T>[],
): (ServerLabel & (T | { error: string }))[] {
  return answers.map((answer) => {
    const { server, name } = answer
    const label = { server, ...(name !== undefined && { name }) }
    if ('error' in answer) return { ...label, error: answer.error.message }
    return { ...label, ...answer.value }
  })
}

/** Lines about the servers that did not answer. */
export function silentLines<T>(answers: readonly Answer<T>[]): string[] {
  return answers.flatMap((answer) =>
    'error' in answer ? [`(${shownLabel(answer)}: ${answer.error.message})`] : [],
  )
}

/** @param prefix of the message; a job adds its own. */
export function toFailure(error: ComfyError, prefix = ERROR_PREFIX): ToolError {
  const { message, data } = toToolError(error)
  return new ToolError(prefix + message, data)
}
