/** Keeps the schema of one tool short: what is deep in it becomes an object without a description of its members. */
import { isNested, isObject, isString, type JsonSchema } from 'ftl-contract'

const SHARED = '#/$defs/'
const NESTING = [8, 6, 5, 4, 3, 2]

/**
 * @param limit characters of JSON, with the shared schemas that it needs.
 * @returns with `$defs` of its own if the shared ones are too long.
 */
export function withinBudget(
  schema: JsonSchema,
  shared: ReadonlyMap<string, JsonSchema>,
  limit: number,
): JsonSchema {
  const own = pruned(schema, limit)
  const kept = new Map<string, JsonSchema>()
  let room = limit - lengthOf(own)
  let isWhole = true
  const queue = namesIn(own)
  for (const name of queue) {
    const found = shared.get(name)
    if (!found || kept.has(name)) continue
    const definition = pruned(found, limit / 2)
    const length = lengthOf(definition)
    if (length > room) {
      isWhole = false
      continue
    }
    isWhole &&= definition === found
    room -= length
    kept.set(name, definition)
    queue.push(...namesIn(definition))
  }
  if (isWhole) return own
  const withoutOthers = (part: JsonSchema) => replaced(part, shared, kept) as JsonSchema
  const definitions = [...kept].map(([name, part]) => [name, withoutOthers(part)] as const)
  return {
    ...withoutOthers(own),
    ...(kept.size > 0 && { $defs: Object.fromEntries(definitions) }),
  }
}

const lengthOf = (value: unknown) => JSON.stringify(value).length

/** Those nearest to the root first. */
function namesIn(schema: unknown): string[] {
  const names: string[] = []
  let level: unknown[] = [schema]
  while (level.length > 0) {
    const next: unknown[] = []
    for (const value of level) {
      if (!isNested(value)) continue
      const ref = isObject(value) ? value['$ref'] : undefined
      if (isString(ref) && ref.startsWith(SHARED)) names.push(ref.slice(SHARED.length))
      next.push(...(Object.values(value) as unknown[]))
    }
    level = next
  }
  return names
}

function replaced(
  value: unknown,
  shared: ReadonlyMap<string, JsonSchema>,
  kept: ReadonlyMap<string, JsonSchema>,
): unknown {
  if (Array.isArray(value)) return value.map((part) => replaced(part, shared, kept))
  if (!isObject(value)) return value
  const { $ref: ref, ...rest } = value
  const name = isString(ref) && ref.startsWith(SHARED) ? ref.slice(SHARED.length) : undefined
  if (name !== undefined && !kept.has(name)) return { ...outline(shared.get(name) ?? {}), ...rest }
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, replaced(part, shared, kept)]),
  )
}

/** What is left of a schema that is too deep. */
function outline({ type, description }: JsonSchema): JsonSchema {
  return {
    ...(type !== undefined && { type }),
    ...(description !== undefined && { description }),
  }
}

function pruned(schema: JsonSchema, limit: number): JsonSchema {
  if (lengthOf(schema) <= limit) return schema
  let short = schema
  for (const depth of NESTING) {
    short = upTo(schema, depth)
    if (lengthOf(short) <= limit) break
  }
  return short
}

/** @param depth levels of schemas. */
function upTo(schema: JsonSchema, depth: number): JsonSchema {
  if (depth === 0) return outline(schema)
  const entries = Object.entries(schema).map(([name, value]): [string, unknown] => {
    if (name === 'properties' || name === 'patternProperties') {
      return [name, isObject(value) ? mapped(value, (part) => below(part, depth)) : value]
    }
    if (/^(allOf|anyOf|prefixItems)$/.test(name) && Array.isArray(value)) {
      return [name, value.map((part) => below(part, depth))]
    }
    return /^(items|additionalProperties)$/.test(name) ? [name, below(value, depth)] : [name, value]
  })
  return Object.fromEntries(entries)
}

const below = (part: unknown, depth: number) => (isObject(part) ? upTo(part, depth - 1) : part)

const mapped = (value: JsonSchema, change: (part: unknown) => unknown) =>
  Object.fromEntries(Object.entries(value).map(([name, part]) => [name, change(part)]))
