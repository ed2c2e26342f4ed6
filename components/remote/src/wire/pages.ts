/** Fetches a list of a server, page by page. */
import type { RemoteServer } from '../servers.ts'
import type { Left } from './connect.ts'
import { ask } from './exchange.ts'
import { RemoteError } from './remote-error.ts'
import type { Connection, Network } from './request.ts'

/** Characters. A cursor is sent back with the next request, and each is remembered. */
const MAX_CURSOR = 4_096

/** Arrays and objects of one page: 5,000 tools with schemas of eighty. */
const MAX_BRACKETS = 400_000

export interface Pages {
  entries: unknown[]
  /** Milliseconds for which the server says that the list may be kept. */
  ttlMs?: number
  /** How many entries it has, at least, beyond those that were read. */
  cut: number
}

export interface PageLimits {
  left: Left
  /** Bytes of one page. */
  limit: number
  /** Bytes of all pages. */
  total: number
  /** Entries of all pages. */
  most: number
}

/** The methods, and the field of the answer that has the entries. */
const FIELDS = {
  'tools/list': 'tools',
  'prompts/list': 'prompts',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
  'skills/list': 'skills',
}

/**
 * Fetches the pages of a list within the limits: pages of one huge tool each would fill the memory in
 * which the lists of all servers are read.
 *
 * @throws {RemoteError}
 */
export async function listPages(
  network: Network,
  server: RemoteServer,
  connection: Connection,
  method: keyof typeof FIELDS,
  { left, limit, total, most }: PageLimits,
): Promise<Pages> {
  const entries: unknown[] = []
  const field = FIELDS[method]
  const seen = new Set<string>()
  let size = 0
  let cut = 0
  for (let params = {}; ;) {
    const call = { method, params, timeoutMs: left(), limit, brackets: MAX_BRACKETS }
    const { [field]: page, nextCursor, ttlMs } = await ask(network, server, connection, call)
    if (!Array.isArray(page)) {
      throw new RemoteError('violation', `answered without a list of ${field}`)
    }
    // Not spread: an argument list of a page's length can be too long for the stack.
    const room = Math.max(0, most - entries.length)
    for (const entry of page.slice(0, room)) entries.push(entry)
    cut += Math.max(0, page.length - room)
    const isCursor = typeof nextCursor === 'string'
    if (isCursor && nextCursor.length > MAX_CURSOR) {
      throw new RemoteError('violation', `answered a cursor of more than ${MAX_CURSOR} characters`)
    }
    if (isCursor) size += JSON.stringify(page).length
    const hasRoom = entries.length < most && seen.size < most && size < total
    if (isCursor && hasRoom && !seen.has(nextCursor)) {
      seen.add(nextCursor)
      params = { cursor: nextCursor }
      continue
    }
    return {
      entries,
      cut: cut + (isCursor ? 1 : 0),
      ...(typeof ttlMs === 'number' && { ttlMs }),
    }
  }
}
