/** What schemas of older drafts say in other words than those of 2020-12. */
import { namesIn } from './json-pointer.ts'
import type { Places } from './schema-places.ts'
import type { JsonSchema } from './tool.ts'
import { isArrayOf, isObject, isString, memberOf } from './values.ts'

export const NEWEST = 'https://json-schema.org/draft/2020-12/schema'

/** What means something else in 2020-12, or nothing. */
const OF_OLDER = ['dependencies', '$recursiveRef', '$recursiveAnchor', 'unevaluatedItems']

/** What a schema up to draft 7 may have beside `$ref` without a change of its meaning in 2020-12, where that counts. */
const BESIDE_REF =
  /^(\$ref|\$schema|\$defs|definitions|\$comment|title|description|default|examples?|x-.*)$/

const OLDER = /draft-0[67]|draft\/2019-09/

/** Whether a schema names a draft before 2020-12 that is still in use. */
export function isOlder({ $schema }: JsonSchema): boolean {
  return isString($schema) && OLDER.test($schema)
}

const isTuple = (schema: unknown): schema is JsonSchema & { items: unknown[] } =>
  isObject(schema) && Array.isArray(schema['items'])

/**
 * Whether a schema has tuples in the form of older drafts, `items` with a list, and is to be written in 2020-12.
 *
 * The official SDK 1.x writes this form and names its draft. Providers of models ask for 2020-12 whatever it names, and
 * refuse the whole request. Clients check results by the draft that is named, and many that know draft 7 alone by that one.
 *
 * @see https://github.com/hyperdxio/hyperdx/pull/2925
 */
export function hasOldTuples(root: JsonSchema, { schemas }: Places, ofResults: boolean): boolean {
  const all = [...schemas].filter(isObject)
  if (!all.some(isTuple)) return false
  if (!isOlder(root)) return true
  if (ofResults) return false
  return all.every((schema) => {
    const names = Object.keys(schema)
    if (OF_OLDER.some((name) => names.includes(name))) return false
    if (isString(schema['$id']) && schema['$id'].startsWith('#')) return false
    return !names.includes('$ref') || names.every((name) => BESIDE_REF.test(name))
  })
}

/** A tuple as 2020-12 writes it. */
export function withPrefixItems(schema: JsonSchema): JsonSchema {
  if (!isTuple(schema)) return schema
  const { items, additionalItems, ...rest } = schema
  const further = additionalItems !== undefined && { items: additionalItems }
  return { ...rest, prefixItems: items, ...further }
}

/** An address with a fragment: up to draft 7 that names a place, as an anchor does since. */
export function withAnchor(schema: JsonSchema): JsonSchema {
  const { $id, ...rest } = schema
  if (!isString($id) || !/#./.test($id)) return schema
  return $id.startsWith('#')
    ? { $anchor: $id.slice(1), ...rest }
    : { ...schema, $id: $id.replace(/#.+$/, '') }
}

/** Clients that know draft 7 alone hold what is for further items against all of them. */
export function withoutFurtherItems(schema: JsonSchema): JsonSchema {
  if (!isArrayOf(schema['prefixItems'], () => true) || !isObject(schema['items'])) return schema
  const { items: _, ...rest } = schema
  return rest
}

/** Where a `$ref` into a tuple leads once that is written so. */
export function movedReference({ byAddress, schemas }: Places, base: unknown, ref: string): string {
  const [address = '', fragment = ''] = ref.split('#', 2)
  let at = address === '' ? base : byAddress.get(address)
  const [first, ...parts] = fragment.split('/')
  if (first !== '' || parts.length === 0) return ref
  const moved = parts.map((part) => {
    const owner = at
    at = memberOf(owner, namesIn(`/${decodeURIComponent(part)}`)[0] ?? '')
    if (!schemas.has(owner) || !isTuple(owner)) return part
    return part === 'items' ? 'prefixItems' : part === 'additionalItems' ? 'items' : part
  })
  return `${address}#/${moved.join('/')}`
}

/**
 * The names of the members that must be there, in one list. Draft 3 says it in each member, and some authors put the list among
 * the members.
 */
export function withRequired(schema: JsonSchema): JsonSchema {
  const { properties, required } = schema
  if (!isObject(properties)) return schema
  const names = Object.keys(properties)
  const marked = names.filter((name) => memberOf(properties[name], 'required') === true)
  const list = memberOf(properties, 'required')
  const isList = isArrayOf(list, isString) && list.every((name) => Object.hasOwn(properties, name))
  if (marked.length === 0 && !isList) return schema
  const known: readonly unknown[] = Array.isArray(required) ? required : []
  const all = [...known, ...marked, ...(isList ? list : [])]
  const members = Object.entries(properties).filter(([name]) => !isList || name !== 'required')
  return { ...schema, properties: Object.fromEntries(members), required: all }
}

/** In draft 4 and OpenAPI 3.0 `exclusiveMinimum` says whether the minimum itself is left out. */
export function withNumbers(schema: JsonSchema): JsonSchema {
  const isOld = ['exclusiveMinimum', 'exclusiveMaximum'].some(
    (name) => typeof schema[name] === 'boolean',
  )
  if (!isOld) return schema
  const changed = { ...schema }
  for (const [exclusive, plain] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (typeof changed[exclusive] !== 'boolean') continue
    const limit = changed[plain]
    const isExclusive = changed[exclusive] && typeof limit === 'number'
    delete changed[exclusive]
    if (!isExclusive) continue
    changed[exclusive] = limit
    delete changed[plain]
  }
  return changed
}
