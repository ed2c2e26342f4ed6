/** Two schemas that both hold, as one, where a form can show that. */
import { isObject, type Json } from './values.ts'

/** Why a schema has no form. */
export class Unmergeable extends Error {}

const HIGHER = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']
const LOWER = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']

/** @throws {Unmergeable} */
export function merged(first: Json, second: Json): Json {
  const result: Json = { ...first }
  for (const [key, value] of Object.entries(second)) {
    const other = Object.hasOwn(first, key) ? first[key] : undefined
    const both = other === undefined ? value : mergedKeyword(key, other, value)
    if (both !== undefined) Object.defineProperty(result, key, { ...PLAIN, value: both })
  }
  return result
}

const PLAIN = { configurable: true, enumerable: true, writable: true }

function mergedKeyword(key: string, first: unknown, second: unknown): unknown {
  if (typeof first === 'number' && typeof second === 'number') {
    if (HIGHER.includes(key)) return Math.max(first, second)
    if (LOWER.includes(key)) return Math.min(first, second)
  }
  switch (key) {
    case 'type':
      return commonTypes(listOf(first), listOf(second))
    case 'enum': {
      const known = new Set(listOf(second).map((value) => JSON.stringify(value)))
      return listOf(first).filter((value) => known.has(JSON.stringify(value)))
    }
    case 'required':
      return [...new Set([...listOf(first), ...listOf(second)])]
    case 'properties':
    case 'patternProperties':
    case '$defs':
    case 'definitions':
      return mergedMaps(first, second)
    case 'items':
    case 'additionalProperties':
      return both(first, second)
    case 'uniqueItems':
      return first === true || second === true
    case 'const':
      if (JSON.stringify(first) === JSON.stringify(second)) return first
      throw new Unmergeable('its parts require different values')
    case 'oneOf':
    case 'anyOf':
      throw new Unmergeable('it combines several choices')
    case 'prefixItems':
      throw new Unmergeable('it combines several lists of items')
    default:
      // Annotations: the outer one says more. A rule, such as a second pattern, is still checked before the call.
      return first
  }
}

function commonTypes(first: unknown[], second: unknown[]): unknown {
  const has = (types: unknown[], type: unknown) =>
    types.includes(type) || (type === 'integer' && types.includes('number'))
  const common = [
    ...first.filter((type) => has(second, type)),
    ...second.filter((type) => !first.includes(type) && has(first, type)),
  ]
  if (common.length === 0) throw new Unmergeable('its parts have different types')
  return common.length === 1 ? common[0] : common
}

function mergedMaps(first: unknown, second: unknown): Json {
  const entries = new Map(Object.entries(isObject(first) ? first : {}))
  for (const [name, schema] of Object.entries(isObject(second) ? second : {})) {
    entries.set(name, entries.has(name) ? both(entries.get(name), schema) : schema)
  }
  return Object.fromEntries(entries)
}

function both(first: unknown, second: unknown): unknown {
  if (first === true) return second
  if (second === true) return first
  if (first === false || second === false) return false
  return { allOf: [first, second] }
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [value]
}
