/**
 * Checks that the headers which repeat parts of the body, so that a proxy can route without reading it, match the body.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#standard-request-headers
 */
import { isObject, isString, type JsonSchema, memberOf } from 'ftl-contract'
import { fromBase64 } from 'ftl-http'
import type { RpcRequest } from '../json-rpc.ts'
import { MODERN_VERSIONS } from '../../../calls/mcp-versions.ts'
import { headerMismatch, unsupportedVersion } from './errors.ts'

/** The parameter that `Mcp-Name` repeats. */
const NAMED_BY: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
])

/** @param version the version in the body. @throws {RpcFailure} */
export function checkHeaders(headers: Headers, request: RpcRequest, version: string): void {
  agree(headers, 'MCP-Protocol-Version', version)
  if (!MODERN_VERSIONS.includes(version)) throw unsupportedVersion(version, MODERN_VERSIONS)
  agree(headers, 'Mcp-Method', request.method)
  const field = NAMED_BY.get(request.method)
  if (field === undefined) return
  const name = request.params[field]
  const sent = headers.get('Mcp-Name')
  // The method itself reports the invalid parameter later, with a better message. Several clients that follow tasks do not
  // repeat the id of a task (fastmcp-tasks, older official SDKs); a wrong one could be routed elsewhere.
  if (sent === null && (!isString(name) || field === 'taskId')) return
  if (sent === null || decode(sent) !== name) throw mismatch('Mcp-Name', `params.${field}`)
}

function agree(headers: Headers, header: string, value: string): void {
  if (headers.get(header)?.trim() !== value) throw mismatch(header, 'the body')
}

function mismatch(header: string, place: string) {
  return headerMismatch(`the header ${header} must repeat what ${place} says`)
}

/**
 * Checks the arguments that a tool requires in `Mcp-Param-…` headers (`x-mcp-header` in its schema).
 *
 * @returns a message for the first header that does not match, or `undefined`.
 */
export function paramMismatch(
  headers: Headers,
  schema: JsonSchema,
  args: Record<string, unknown>,
): string | undefined {
  const { properties } = schema
  if (!isObject(properties)) return undefined
  for (const [key, property] of Object.entries(properties)) {
    const value = memberOf(args, key)
    if (!isObject(property) || value === undefined || value === null) continue
    const name = property['x-mcp-header']
    if (isString(name) && TOKEN.test(name)) {
      const header = `Mcp-Param-${name}`
      if (!isSame(headers.get(header), value)) {
        return `the header ${header} must repeat the argument ${key}`
      }
    }
    const below = isObject(value) ? paramMismatch(headers, property, value) : undefined
    if (below !== undefined) return below
  }
  return undefined
}

/** Syntax of a header name. @see https://www.rfc-editor.org/rfc/rfc9110#section-5.1 */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const DECIMAL = /^-?\d+(\.\d+)?$/

function isSame(header: string | null, value: unknown): boolean {
  // Only strings, numbers and booleans can be repeated.
  if (typeof value === 'object' || (typeof value === 'number' && !isSafe(value))) return true
  if (header === null) return false
  const text = decode(header)
  if (typeof value === 'number')
    return text !== undefined && DECIMAL.test(text) && Number(text) === value
  return text === `${value as string | boolean}`
}

function isSafe(value: number): boolean {
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))
}

const BASE64 = /^=\?base64\?((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)\?=$/

/** Decodes `=?base64?…?=`, used for text that a header cannot carry; `undefined` when the value is not valid. */
function decode(value: string): string | undefined {
  const text = value.trim()
  // Proxies interpret bytes beyond ASCII differently.
  if (/[^\t\x20-\x7e]/.test(text)) return undefined
  if (!text.startsWith('=?base64?') || !text.endsWith('?=')) return text
  const [, encoded] = BASE64.exec(text) ?? []
  if (encoded === undefined) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(fromBase64(encoded))
  } catch {
    return undefined
  }
}
