/**
 * Negotiates the protocol revision with a server, and lists its tools.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#backward-compatibility
 */
import { isObject } from 'ftl-contract'
import type { RemoteServer } from '../servers.ts'
import { ask, initialize, notify } from './exchange.ts'
import { RemoteError } from './remote-error.ts'
import { type Connection, MODERN, type Network } from './request.ts'

/** Returns the milliseconds that are left, at least one. */
export type Left = () => number

const NEWEST_LEGACY = '2025-11-25'
const LEGACY = [NEWEST_LEGACY, '2025-06-18', '2025-03-26', '2024-11-05']
/** Only 2026-07-28 has these: headers contradict the body, a capability is missing, the revision is unsupported. */
const MODERN_ERRORS: unknown[] = [-32020, -32021, -32022]
const UNSUPPORTED_VERSION = -32022
/** Statuses that do not depend on the revision. */
const ABOUT_ACCESS: unknown[] = [401, 403, 407, 429]
const ANSWER_LIMIT = 256 * 1024

/** @throws {RemoteError} */
export async function connect(
  network: Network,
  server: RemoteServer,
  left: Left,
): Promise<Connection> {
  const modern = { revision: MODERN }
  const limit = ANSWER_LIMIT
  try {
    const found = await ask(network, server, modern, {
      method: 'server/discover',
      params: {},
      timeoutMs: left(),
      limit,
    })
    const { supportedVersions } = found
    if (!Array.isArray(supportedVersions) || supportedVersions.includes(MODERN)) return modern
  } catch (error) {
    if (!(error instanceof RemoteError) || !saysLegacy(error)) throw error
  }
  const params = { protocolVersion: NEWEST_LEGACY }
  const { result, session } = await initialize(network, server, {
    params,
    timeoutMs: left(),
    limit,
  })
  const { protocolVersion, capabilities } = result
  if (!LEGACY.includes(protocolVersion as string) || !isObject(capabilities)) {
    throw new RemoteError('violation', 'speaks no revision of the protocol that is known here')
  }
  const connection = { revision: protocolVersion as string, ...(session && { session }) }
  await notify(network, server, connection, 'notifications/initialized')
  return connection
}

function saysLegacy({ kind, code, status }: RemoteError): boolean {
  if (kind !== 'rpc' && kind !== 'refused') return false
  if (ABOUT_ACCESS.includes(status)) return false
  return !MODERN_ERRORS.includes(code) || code === UNSUPPORTED_VERSION
}

/**
 * Whether the server rejected a request because the connection is outdated: the session has ended, or the server was
 * replaced. The request did not run, so it can be sent again.
 */
export function isOver(error: unknown, { revision, session }: Connection): boolean {
  if (!(error instanceof RemoteError) || error.status === undefined) return false
  const { status, code } = error
  if (revision === MODERN) {
    if (code === UNSUPPORTED_VERSION) return true
    // An unknown method is also a 404, but with code -32601.
    return status === 400 || status === 404
      ? !MODERN_ERRORS.includes(code) && code !== -32601
      : false
  }
  return (
    status === 404 || (status === 400 && (session !== undefined || code === UNSUPPORTED_VERSION))
  )
}

/** Characters. A cursor is sent back with the next request, and each is remembered. */
const MAX_CURSOR = 4_096

/**
 * Fetches the pages of a server's tools, up to `most` tools and `limit` bytes: pages of one huge tool each would fill
 * the memory in which the lists of all servers are read.
 *
 * @throws {RemoteError}
 */
export async function listTools(
  network: Network,
  server: RemoteServer,
  connection: Connection,
  { left, limit, most }: { left: Left; limit: number; most: number },
): Promise<{ tools: unknown[]; ttlMs?: number; cut: boolean }> {
  const tools: unknown[] = []
  const seen = new Set<string>()
  let size = 0
  for (let params = {}; ;) {
    const call = { method: 'tools/list', params, timeoutMs: left(), limit }
    const { tools: page, nextCursor, ttlMs } = await ask(network, server, connection, call)
    if (!Array.isArray(page)) throw new RemoteError('violation', 'answered without a list of tools')
    // Not spread: an argument list of a page's length can be too long for the stack.
    for (const tool of page.slice(0, most)) tools.push(tool)
    const isCursor = typeof nextCursor === 'string'
    if (isCursor && nextCursor.length > MAX_CURSOR) {
      throw new RemoteError('violation', `answered a cursor of more than ${MAX_CURSOR} characters`)
    }
    if (isCursor) size += JSON.stringify(page).length
    const hasRoom = tools.length < most && seen.size < most && size < limit
    if (isCursor && hasRoom && !seen.has(nextCursor)) {
      seen.add(nextCursor)
      params = { cursor: nextCursor }
      continue
    }
    return {
      tools: tools.slice(0, most),
      cut: tools.length > most || page.length > most || isCursor,
      ...(typeof ttlMs === 'number' && { ttlMs }),
    }
  }
}
