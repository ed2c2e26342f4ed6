/** Finds a misspelt `type` in a JSON Schema, which a validator would refuse, or silently accept, at the first call. */
import type { JsonSchema } from 'ftl-contract'

/** @see https://json-schema.org/draft/2020-12/json-schema-validation#section-6.1.1 */
const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']

/** Keywords whose value is a schema, a list of schemas, or schemas by name. */
const SCHEMAS = [
  ...['additionalProperties', 'contains', 'else', 'if', 'items', 'not', 'propertyNames', 'then'],
  ...['additionalItems', 'unevaluatedItems', 'unevaluatedProperties'],
  ...['allOf', 'anyOf', 'oneOf', 'prefixItems'],
]
const NAMED_SCHEMAS = [
  '$defs',
  'definitions',
  'dependentSchemas',
  'patternProperties',
  'properties',
]

/** Nested deeper, a schema is not an author's own writing. */
const MAX_DEPTH = 100

/** @returns the problem with its place: `at "properties.count": …`. */
export function typeProblem(schema: JsonSchema): string | undefined {
  return problemOf(schema, [], 0)
}

function problemOf(schema: unknown, path: readonly string[], depth: number): string | undefined {
  if (typeof schema !== 'object' || schema === null || depth > MAX_DEPTH) return undefined
  if (Array.isArray(schema)) {
    return first(
      schema.map((each, index) => [String(index), each] as const),
      path,
      depth,
    )
  }
  const fields = schema as Record<string, unknown>
  const names = fields['type'] === undefined ? [] : [fields['type']].flat()
  const wrong = names.find((name) => !TYPES.includes(name as string))
  if (wrong !== undefined) {
    const where = path.length === 0 ? 'the root' : `"${path.join('.')}"`
    return `at ${where}: "type" must be one of ${TYPES.join(', ')}, and is ${JSON.stringify(wrong)}`
  }
  const below = SCHEMAS.flatMap((key) =>
    Object.hasOwn(fields, key) ? [[key, fields[key]] as const] : [],
  )
  const named = NAMED_SCHEMAS.flatMap((key) =>
    Object.entries(Object.hasOwn(fields, key) ? (fields[key] ?? {}) : {}).map(
      ([name, each]) => [`${key}.${name}`, each] as const,
    ),
  )
  return first([...below, ...named], path, depth)
}

function first(
  parts: readonly (readonly [string, unknown])[],
  path: readonly string[],
  depth: number,
): string | undefined {
  for (const [name, part] of parts) {
    const problem = problemOf(part, [...path, name], depth + 1)
    if (problem !== undefined) return problem
  }
  return undefined
}
