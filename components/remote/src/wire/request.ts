/**
 * A message on its way to a server: its headers, its envelope, and the time it may take.
 *
 * @module
 */
import type { RemoteServer } from '../servers.ts'
import { discard } from './messages.ts'
import { RemoteError } from './remote-error.ts'
import { headerValue } from './standard-headers.ts'
import { startTimer, type Timer } from './timer.ts'

export const MODERN = '2026-07-28'

/** What is known of a server from earlier: how it wants to be spoken with. */
export interface Connection {
  revision: string
  /** As a server with sessions named ours. Never there in 2026-07-28. */
  session?: string
}

export interface Call {
  method: string
  params: Record<string, unknown>
  /** What the client can be asked for; only 2026-07-28 asks. @default nothing */
  capabilities?: Record<string, unknown>
  /** Somebody is shown how it is getting on. @default false */
  listens?: boolean
  /** Besides the standard ones; only of 2026-07-28. */
  headers?: Record<string, string>
  timeoutMs: number
  /** Bytes of the answer. */
  limit: number
}

/** What is needed of the host. */
export interface Network {
  fetch(url: string, init?: RequestInit): Promise<Response>
  /** Work that may outlive the answer of this component: without it the instance ends first. */
  waitUntil(work: Promise<unknown>): void
}

/** How this component introduces itself. */
export const CLIENT = { name: 'ftl-remote', version: '0.1.0' }

const PREFIX = 'io.modelcontextprotocol/'

export async function post(
  network: Network,
  { url, headers }: RemoteServer,
  standard: Record<string, string>,
  message: Record<string, unknown>,
  timer: Timer,
): Promise<Response> {
  const controller = new AbortController()
  const init = {
    method: 'POST',
    headers: { ...headers, ...standard },
    body: JSON.stringify(message),
    // Headers are for this server, and not for another it names.
    redirect: 'manual' as const,
    signal: controller.signal,
  }
  try {
    return await timer.race(network.fetch(url, init))
  } catch (error) {
    if (!(error instanceof RemoteError)) throw new RemoteError('unreachable', 'cannot be reached')
    // Only as long as there is no response: the engine fails in its own code otherwise.
    controller.abort()
    throw error
  }
}

/** Sends a message nobody answers. Never throws. */
export async function tell(
  network: Network,
  server: RemoteServer,
  connection: Connection,
  message: Record<string, unknown>,
): Promise<void> {
  const timer = startTimer(Math.min(server.timeoutMs, 5_000))
  try {
    discard(await post(network, server, headersOf(connection), message, timer))
  } catch {
    // What it was about shows in the next answer.
  } finally {
    timer.end()
  }
}

export function headersOf({ revision, session }: Connection, call?: Call): Record<string, string> {
  const { name } = (call?.params ?? {}) as { name?: unknown }
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(revision !== '' && { 'MCP-Protocol-Version': revision }),
    ...(session !== undefined && { 'Mcp-Session-Id': session }),
    ...(revision === MODERN &&
      call && {
        'Mcp-Method': call.method,
        ...(typeof name === 'string' && { 'Mcp-Name': headerValue(name) }),
        ...call.headers,
      }),
  }
}

export function paramsOf(
  { revision }: Connection,
  { params, capabilities = {}, listens }: Call,
  progressToken: number,
) {
  const _meta = { ...(params['_meta'] as object), ...(listens && { progressToken }) }
  if (revision !== MODERN) {
    return Object.keys(_meta).length > 0 ? { ...params, _meta } : params
  }
  const envelope = {
    [`${PREFIX}protocolVersion`]: MODERN,
    [`${PREFIX}clientInfo`]: CLIENT,
    [`${PREFIX}clientCapabilities`]: capabilities,
  }
  return { ...params, _meta: { ..._meta, ...envelope } }
}
