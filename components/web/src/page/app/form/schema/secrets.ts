/** Values that may not be stored, linked to or copied: passwords, wherever they are in the arguments. */
import { isObject, type Json } from './values.ts'

export function isSecret({ format, writeOnly }: Json): boolean {
  return format === 'password' || writeOnly === true
}

/** Schemas looked at for all arguments. What is beyond them counts as secret. */
const MOST_SCHEMAS = 200_000

/**
 * The value without its secrets. Every branch of the schema that may be the one of a value counts.
 *
 * @param instead of a secret. @default it is left out
 */
export function withoutSecrets(schema: unknown, value: unknown, instead?: unknown): unknown {
  const root = isObject(schema) ? schema : {}
  let looked = 0
  const branches = (schemas: unknown[]): Json[] => {
    const all = new Set<Json>()
    const rest = [...schemas]
    while (rest.length > 0) {
      const next = rest.pop()
      if (!isObject(next) || all.has(next)) continue
      if (++looked > MOST_SCHEMAS) return [{ writeOnly: true }]
      all.add(next)
      if (typeof next['$ref'] === 'string') rest.push(pointed(next['$ref'], root))
      for (const key of ['allOf', 'anyOf', 'oneOf']) {
        if (Array.isArray(next[key])) rest.push(...(next[key] as unknown[]))
      }
      for (const key of ['if', 'then', 'else', 'not']) rest.push(next[key])
      if (isObject(next['dependentSchemas'])) rest.push(...Object.values(next['dependentSchemas']))
    }
    return [...all]
  }
  const clean = (schemas: unknown[], part: unknown): unknown => {
    if (typeof part !== 'object' && schemas.length === 0) return part
    const known = branches(schemas)
    if (known.some(isSecret)) return instead
    if (Array.isArray(part)) {
      const items: unknown[] = part
      return items.flatMap((item, index) => {
        const kept = clean(
          known.flatMap((one) => itemSchemas(one, index)),
          item,
        )
        return kept === undefined ? [] : [kept]
      })
    }
    if (!isObject(part)) return part
    const entries = Object.entries(part).flatMap(([key, inner]) => {
      const kept = clean(
        known.flatMap((one) => propertySchemas(one, key)),
        inner,
      )
      return kept === undefined ? [] : [[key, kept] as const]
    })
    return Object.fromEntries(entries)
  }
  return clean([schema], value)
}

function propertySchemas(schema: Json, key: string): unknown[] {
  const named = schema['properties']
  if (isObject(named) && Object.hasOwn(named, key)) return [named[key]]
  const patterns = schema['patternProperties']
  const { additionalProperties, unevaluatedProperties } = schema
  return [
    ...(isObject(patterns) ? Object.values(patterns) : []),
    additionalProperties,
    unevaluatedProperties,
  ]
}

function itemSchemas({ items, prefixItems, additionalItems }: Json, index: number): unknown[] {
  const heads = Array.isArray(items)
    ? (items as unknown[])
    : Array.isArray(prefixItems)
      ? (prefixItems as unknown[])
      : []
  return index < heads.length ? [heads[index]] : [Array.isArray(items) ? additionalItems : items]
}

function pointed($ref: string, root: Json): unknown {
  let at: unknown = root
  for (const token of $ref.split('/').slice(1)) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~')
    at =
      typeof at === 'object' && at !== null && Object.hasOwn(at, key)
        ? (at as Json)[key]
        : undefined
  }
  return at
}
