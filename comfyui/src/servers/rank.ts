/** Connects to the configured servers, and finds the least busy one. */
import type { ToolContext } from 'ftl-sdk'
import type { ComfyClient } from '../client/client.ts'
import { ComfyError } from '../client/errors.ts'
import { connectTo } from '../job/connect.ts'
import type { Server, Servers } from './server-list.ts'

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

export interface Ranked {
  server: Server
  /** Number of running and waiting prompts. */
  load: number
}

/**
 * Returns the servers that answer, the least busy first, and the first error of those that do not.
 *
 * A server that is slow is used too if no other one answers sooner.
 */
export async function rankServers(
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
      // Report a slow server before one that is down, because the user more likely means the slow one.
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
