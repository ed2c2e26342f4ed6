/**
 * What a schema says of each of its places, whichever of several forms it says it in: the gateway publishes a list of types as a
 * form for each, and the dialects of older drafts in that of today.
 */
import { isObject, isString } from 'ftl-contract'

interface Place {
  types: Set<string>
  /** Values, limits, words and all else that is said there. */
  says: Set<string>
}

export type Outline = Record<string, { types: string[]; says: string[] }>

/** Keywords that hold schemas, and those that say nothing by themselves. */
const STRUCTURE = new Set([
  ...['type', 'nullable', 'enum', 'const', 'anyOf', 'oneOf', 'allOf', 'properties', 'items'],
  ...['$defs', 'definitions', 'additionalProperties', 'prefixItems', '$schema', 'required'],
])

/** Which all names are. */
const NAMES_ARE_TEXTS = 'propertyNames {"type":"string"}'

export function outlineOf(schema: unknown): Outline {
  const places = new Map<string, Place>()
  collect(schema, '', places)
  return Object.fromEntries(
    [...places]
      .map(([path, { types, says }]) => {
        if (types.has('number')) types.delete('integer')
        return [path, { types: [...types].sort(), says: [...says].sort() }] as const
      })
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
}

function collect(schema: unknown, path: string, places: Map<string, Place>): void {
  const place = places.get(path) ?? { types: new Set(), says: new Set() }
  places.set(path, place)
  if (!isObject(schema)) return
  for (const type of [schema['type']].flat()) if (isString(type)) place.types.add(type)
  if (schema['nullable'] === true) place.types.add('null')
  for (const value of valuesOf(schema)) {
    place.types.add(typeOf(value))
    if (value !== null) place.says.add(`value ${JSON.stringify(value)}`)
  }
  for (const name of listOf(schema['required'])) place.says.add(`requires ${String(name)}`)
  for (const [key, value] of Object.entries(withNumericLimits(schema))) {
    const text = `${key} ${JSON.stringify(value)}`
    if (!STRUCTURE.has(key) && text !== NAMES_ARE_TEXTS) place.says.add(text)
  }
  for (const key of ['anyOf', 'oneOf', 'allOf']) {
    for (const form of listOf(schema[key])) collect(form, path, places)
  }
  for (const key of ['properties', '$defs', 'definitions']) {
    const part = key === 'properties' ? '' : '#'
    for (const [name, each] of Object.entries(schema[key] ?? {})) {
      collect(each, `${path}/${part}${name}`, places)
    }
  }
  for (const [index, each] of listOf(schema['prefixItems']).entries()) {
    collect(each, `${path}/${index}`, places)
  }
  const { items } = schema
  // That an item may be anything is said for providers of models, which require a word on it.
  if (isObject(items) && Object.keys(items).length > 0) collect(items, `${path}/*`, places)
  const { additionalProperties: others } = schema
  if (isObject(others) && Object.keys(others).length > 0) collect(others, `${path}/?`, places)
  else if (others === false) place.says.add('no other properties')
}

/** Draft 4 and OpenAPI 3.0 say with `true` that the limit itself is not allowed. */
function withNumericLimits(schema: Record<string, unknown>): Record<string, unknown> {
  const limits = { ...schema }
  for (const [limit, exclusive] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    if (limits[exclusive] === true) {
      limits[exclusive] = limits[limit]
      delete limits[limit]
    } else if (limits[exclusive] === false) delete limits[exclusive]
  }
  return limits
}

function valuesOf(schema: Record<string, unknown>): unknown[] {
  return [...listOf(schema['enum']), ...('const' in schema ? [schema['const']] : [])]
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : []
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}
