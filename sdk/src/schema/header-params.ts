/**
 * Parameters that clients repeat in headers (`x-mcp-header`), so that a proxy can route by them.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#x-mcp-header
 * @module
 */
import type { JsonSchema } from 'ftl-contract'

const KEY = 'x-mcp-header'
/** Syntax of a header name. @see https://www.rfc-editor.org/rfc/rfc9110#section-5.6.2 */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const TYPES = ['string', 'integer', 'boolean']
/** Keywords whose value is not a schema. */
const DATA = ['default', 'examples', 'enum', 'const']
/** Keywords whose value maps names to schemas. */
const MAPS = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']

/** Why clients would exclude a tool with this schema; `undefined` if they accept it. */
export function headerParamProblem(schema: JsonSchema): string | undefined {
  const taken = new Set<string>()
  return visit(schema, [], false)

  /** @param isProperty reached from the root through `properties` only. */
  function visit(value: unknown, path: string[], isProperty: boolean): string | undefined {
    if (typeof value !== 'object' || value === null) return undefined
    const node = value as Record<string, unknown>
    if (Object.hasOwn(node, KEY)) {
      const problem = problemOf(node, isProperty)
      if (problem !== undefined) return `${KEY} at ${path.join('/') || 'the root'} ${problem}`
    }
    const reached = isProperty || path.length === 0
    return first(Object.entries(node), ([key, below]) => {
      const place = [...path, key]
      if (DATA.includes(key)) return undefined
      if (!MAPS.includes(key)) return visit(below, place, false)
      // The keys of these objects are names, not keywords.
      return first(Object.entries(below ?? {}), ([name, property]) =>
        visit(property, [...place, name], reached && key === 'properties'),
      )
    })
  }

  function problemOf(node: Record<string, unknown>, isProperty: boolean): string | undefined {
    const name = node[KEY]
    if (!isProperty) return 'is allowed only on a property, or on a property of a property'
    if (typeof name !== 'string' || !TOKEN.test(name)) return 'must be a valid header name'
    if (!TYPES.includes(node['type'] as string)) return 'needs the type string, integer or boolean'
    if (taken.has(name.toLowerCase())) return `uses the name ${name} a second time`
    taken.add(name.toLowerCase())
    return undefined
  }
}

function first<T>(items: T[], problemOf: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const problem = problemOf(item)
    if (problem !== undefined) return problem
  }
  return undefined
}
