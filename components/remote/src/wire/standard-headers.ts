/**
 * The headers of revision 2026-07-28 that repeat parts of the body.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#standard-request-headers
 */
import { isObject } from 'ftl-contract'
import { toBase64 } from 'ftl-http'

/** An argument that is repeated in `Mcp-Param-{name}`. */
export interface HeaderParam {
  path: string[]
  name: string
}

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

/** Those a tool asks for, by `x-mcp-header` in its schema. */
export function headerParams(schema: unknown, path: string[] = []): HeaderParam[] {
  const properties = isObject(schema) ? schema['properties'] : undefined
  if (!isObject(properties)) return []
  return Object.entries(properties).flatMap(([key, property]) => {
    const at = [...path, key]
    const name = isObject(property) ? property['x-mcp-header'] : undefined
    const own = typeof name === 'string' && TOKEN.test(name) ? [{ path: at, name }] : []
    return [...own, ...headerParams(property, at)]
  })
}

export function paramHeaders(
  params: readonly HeaderParam[],
  args: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const { path, name } of params) {
    const value = path.reduce<unknown>(
      (at, key) => (isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined),
      args,
    )
    if (['string', 'number', 'boolean'].includes(typeof value)) {
      headers[`Mcp-Param-${name}`] = headerValue(String(value))
    }
  }
  return headers
}

/** Text as it is where a header can carry it, else `=?base64?…?=`. */
export function headerValue(text: string): string {
  const plain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text)
  if (plain && !text.startsWith('=?base64?')) return text
  return `=?base64?${toBase64(new TextEncoder().encode(text))}?=`
}
