/** A schema with its references followed and its `allOf` merged; only this level, so that cyclic schemas cost nothing. */
import { validate } from 'ftl-gateway/schema'
import { merged, Unmergeable } from './merge.ts'
import { isObject, type Json } from './values.ts'

/** The schema as one object, or why it has no form. */
export type Resolved = { schema: Json; reason?: undefined } | { schema: Json; reason: string }

/** References and merges on one level. A schema that needs more refers to itself without end. */
const MOST_STEPS = 100

/** @param value chooses between `then` and `else`. */
export function resolved(schema: unknown, root: Json, value?: unknown): Resolved {
  let steps = 0
  const flatten = (part: unknown): Json => {
    if (++steps > MOST_STEPS) throw new Unmergeable('it refers to itself without end')
    if (part === true || part === undefined) return {}
    if (part === false) throw new Unmergeable('the schema allows no value here')
    if (!isObject(part)) throw new Unmergeable('its schema is not valid')
    const { $ref, allOf, if: condition, then, else: otherwise, dependentSchemas, ...rest } = part
    let result: Json = rest
    if ($ref !== undefined) result = merged(result, flatten(referred($ref, root)))
    for (const inner of Array.isArray(allOf) ? (allOf as unknown[]) : []) {
      result = merged(result, flatten(inner))
    }
    if (condition !== undefined) {
      const branch = fits(condition, value, root) ? then : otherwise
      if (branch !== undefined) result = merged(result, flatten(branch))
    }
    for (const [name, inner] of Object.entries(
      isObject(dependentSchemas) ? dependentSchemas : {},
    )) {
      if (isObject(value) && Object.hasOwn(value, name)) result = merged(result, flatten(inner))
    }
    return result
  }
  try {
    return { schema: flatten(schema) }
  } catch (error) {
    if (!(error instanceof Unmergeable)) throw error
    return { schema: isObject(schema) ? schema : {}, reason: error.message }
  }
}

/** Where a reference leads inside of the schema. Nothing is fetched. */
function referred($ref: unknown, root: Json): unknown {
  if (typeof $ref !== 'string') throw new Unmergeable('its $ref is not valid')
  if (!$ref.startsWith('#')) throw new Unmergeable(`its $ref "${$ref}" leads out of the schema`)
  let at: unknown = root
  for (const token of decoded($ref.slice(1)).split('/').slice(1)) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~')
    at =
      typeof at === 'object' && at !== null && Object.hasOwn(at, key)
        ? (at as Json)[key]
        : undefined
  }
  if ($ref !== '#' && !$ref.startsWith('#/')) at = anchored($ref.slice(1), root)
  if (at === undefined) throw new Unmergeable(`its $ref "${$ref}" leads nowhere`)
  return at
}

function anchored(anchor: string, root: Json): unknown {
  const named = [root['$defs'], root['definitions']].flatMap((map) =>
    isObject(map) ? Object.values(map) : [],
  )
  return named.find((schema) => isObject(schema) && schema['$anchor'] === anchor)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Whether a value fits a part of the schema. What cannot be checked does not fit. */
export function fits(schema: unknown, value: unknown, root: Json): boolean {
  if (typeof schema === 'boolean') return schema
  if (!isObject(schema)) return false
  try {
    const { $schema, $defs, definitions } = root
    const context = { $schema, $defs: $defs ?? {}, definitions: definitions ?? {} }
    return validate({ ...context, ...schema }, value).length === 0
  } catch {
    return false
  }
}
