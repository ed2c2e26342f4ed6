/** A request of revision 2026-07-28 as a good client sends it, but for some changes. */
import { type Case, type Headers, post } from './case.ts'
import type { Message } from './messages.ts'

export const PREFIX = 'io.modelcontextprotocol/'
export const VERSION_KEY = `${PREFIX}protocolVersion`
export const CAPABILITIES_KEY = `${PREFIX}clientCapabilities`
export const CLIENT_KEY = `${PREFIX}clientInfo`
export const LOG_LEVEL_KEY = `${PREFIX}logLevel`
export const MODERN = '2026-07-28'

export const ENVELOPE = {
  [VERSION_KEY]: MODERN,
  [CAPABILITIES_KEY]: {},
  [CLIENT_KEY]: { name: 'c', version: '1' },
}

interface Changes {
  id?: unknown
  /** A member with no value is left out. */
  meta?: Readonly<Record<string, unknown>>
  headers?: Headers
}

/** A request as a good client sends it, but for the changes. */
export function modern(name: string, message: Omit<Message, 'name'>, changes: Changes = {}): Case {
  const { method, params = {} } = message
  const { id = 1, meta, headers } = changes
  const own = params._meta
  const _meta =
    own === undefined || (typeof own === 'object' && own !== null)
      ? { ...ENVELOPE, ...own, ...meta }
      : own
  const named = params.name ?? params.uri ?? params.taskId
  const isNamed = /^(tools\/call|prompts\/get|resources\/read|tasks\/(get|update|cancel))$/
  const body = { jsonrpc: '2.0', id, method, params: { ...params, _meta } }
  return post(`modern/${name}`, body, {
    headers: {
      'mcp-protocol-version': MODERN,
      'mcp-method': method,
      'mcp-name': isNamed.test(method) && typeof named === 'string' ? encoded(named) : undefined,
      ...headers,
    },
  })
}

// Text that a header cannot carry as it is.
function encoded(text: string): string {
  return /^[\x21-\x7e]+$/.test(text) ? text : sentinel(Buffer.from(text).toString('base64'))
}

export function sentinel(base64: string): string {
  return `=?base64?${base64}?=`
}
