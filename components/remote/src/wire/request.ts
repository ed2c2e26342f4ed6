/** Sends a message to a server: its headers, its envelope and its timeout. */
import type { LogLevel } from 'ftl-contract'
import { type Deadline, discard, fetchUntilResponse, startDeadline } from 'ftl-http'
import type { RemoteServer } from '../servers.ts'
import { toRemoteError } from './remote-error.ts'
import { headerValue } from './standard-headers.ts'

export const MODERN = '2026-07-28'

/** The negotiated revision and session of a server, stored between requests. */
export interface Connection {
  revision: string
  /** Session id that the server assigned; always missing in 2026-07-28. */
  session?: string
  /** When it was made, in milliseconds since the epoch. */
  madeAt?: number
  /** Capabilities that the server declares. @default it was not asked */
  features?: string[]
  /** What the server says about the use of its tools, if clients are to get it. */
  instructions?: string
  /** Level of log lines that its session has. @default it was not asked for one */
  logLevel?: LogLevel
}

export interface Call {
  method: string
  params: Record<string, unknown>
  /** Capabilities of the client; sent only in 2026-07-28. @default none */
  capabilities?: Record<string, unknown>
  /** Gets the server's notifications besides progress. @default they are ignored */
  onNotice?: (method: string) => void
  /** Whether to request progress from the server. @default false */
  listens?: boolean
  /** Least severe log lines to request from the server. @default none */
  logLevel?: LogLevel | undefined
  /** Headers besides the standard ones; sent only in 2026-07-28. */
  headers?: Record<string, string>
  /** Whether it is a call of a tool that runs only as a task. @default false */
  onlyAsTask?: boolean
  timeoutMs: number
  /** Maximum bytes of the answer. */
  limit: number
  /** Most arrays and objects of a message. @default 200,000 */
  brackets?: number
}

/** Functions of the host that are needed here. */
export interface Network {
  fetch(url: string, init?: RequestInit): Promise<Response>
  /** Keeps the instance alive for work that continues after this component's answer. */
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
  deadline: Deadline,
): Promise<Response> {
  const init = {
    method: 'POST',
    headers: { ...headers, ...standard },
    body: JSON.stringify(message),
    // Redirects are followed below, and not to other origins: the headers hold secrets for this server only.
    redirect: 'manual' as const,
    signal: deadline.signal,
  }
  try {
    let at = url
    for (let redirects = 0; ; redirects++) {
      const response = await deadline.race(fetchUntilResponse(network, at, init))
      const next = redirects < MAX_REDIRECTS ? redirectOf(response, at) : undefined
      if (next === undefined) return response
      discard(response)
      at = next
    }
  } catch (error) {
    throw toRemoteError(error, 'cannot be reached')
  }
}

const MAX_REDIRECTS = 3

/** Where a redirect that keeps method and body leads, if that is the same origin. */
function redirectOf({ status, headers }: Response, url: string): string | undefined {
  const location = headers.get('location')
  if ((status !== 307 && status !== 308) || location === null) return undefined
  try {
    const next = new URL(location, url)
    return next.origin === new URL(url).origin ? next.href : undefined
  } catch {
    return undefined
  }
}

/** Sends a message that has no answer. Does not throw. */
export async function sendUnanswered(
  network: Network,
  server: RemoteServer,
  connection: Connection,
  message: Record<string, unknown>,
): Promise<void> {
  const deadline = startDeadline(Math.min(server.timeoutMs, 5_000))
  try {
    discard(await post(network, server, headersOf(connection), message, deadline))
  } catch {
    // Ignore it: a server that is unreachable also fails the next request.
  } finally {
    deadline.end()
  }
}

export function headersOf({ revision, session }: Connection, call?: Call): Record<string, string> {
  const { uri, name = uri } = (call?.params ?? {}) as { name?: unknown; uri?: unknown }
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
  { params, capabilities = {}, listens, logLevel }: Call,
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
    ...(logLevel && { [`${PREFIX}logLevel`]: logLevel }),
  }
  return { ...params, _meta: { ..._meta, ...envelope } }
}
