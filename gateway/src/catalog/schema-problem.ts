/** Finds what keeps clients from compiling a schema. Schemas of servers behind `remote` are translated there. */
import { isArrayOf, isObject, isString, type JsonSchema, valueAt } from 'ftl-contract'
import { MAPS, SCHEMAS } from '../schema/references.ts'

const TYPES = /^(string|number|integer|boolean|array|object|null)$/
const LISTS = /^((all|any|one)Of|prefixItems)$/
/** Clients look for anchors in every member, also in those that they do not know. */
const INVALID_ANCHOR = /"\$(dynamicA|a)nchor":(?!"[A-Za-z_][-\w.]*")/
const NUMBERS = /^(exclusiveM|m)(ax|in)|^multipleOf$/

/** @returns the member that is wrong: `type "str"`. */
export function schemaProblem(root: JsonSchema): string | undefined {
  if (INVALID_ANCHOR.test(JSON.stringify(root))) return 'an $anchor'
  const rest: unknown[] = [root]
  while (rest.length > 0) {
    const schema = rest.pop()
    if (typeof schema === 'boolean') continue
    if (!isObject(schema)) return shown('schema', schema)
    for (const [name, value] of Object.entries(schema)) {
      const isMap = MAPS.test(name)
      if (!(isMap ? isObject(value) : fits(root, schema, name, value))) return shown(name, value)
      if (name === 'patternProperties' && !Object.keys(value as object).every(isPattern)) {
        return shown(name, value)
      }
      if (isMap) {
        const parts: unknown[] = Object.values(value as object)
        rest.push(...parts.filter((part) => name !== 'dependencies' || !Array.isArray(part)))
      } else if (SCHEMAS.test(name))
        rest.push(...(Array.isArray(value) ? (value as unknown[]) : [value]))
    }
  }
  return undefined
}

function shown(name: string, value: unknown): string {
  return `${name} ${JSON.stringify(value)?.slice(0, 60)}`
}

function fits(root: unknown, schema: JsonSchema, name: string, value: unknown): boolean {
  switch (name) {
    case 'type':
      return [value].flat().every((type) => isString(type) && TYPES.test(type))
    case 'pattern':
      return isPattern(value)
    case 'enum':
      return Array.isArray(value) && value.length > 0
    case 'required':
      return isArrayOf(value, isString)
    case 'uniqueItems':
      return typeof value === 'boolean'
    case 'dependentRequired':
      return isObject(value) && Object.values(value).every((names) => isArrayOf(names, isString))
    case '$schema':
    case 'format':
    case '$id':
      return isString(value)
    case '$ref':
      return leads(root, value)
    case 'nullable':
      return schema['type'] !== undefined && value === true
    case 'id':
    case '$async':
      return false
  }
  if (Array.isArray(value) ? SCHEMAS.test(name) : LISTS.test(name)) {
    return (LISTS.test(name) || name === 'items') && Array.isArray(value) && value.length > 0
  }
  return !NUMBERS.test(name) || Number.isFinite(value)
}

function isPattern(source: unknown): boolean {
  try {
    return isString(source) && !!new RegExp(source, 'u')
  } catch {
    return false
  }
}

/** References in a circle, without a schema between them. */
const MAX_FOLLOWED = 50

function leads(root: unknown, ref: unknown): boolean {
  let next: unknown = ref
  for (let count = 0; count < MAX_FOLLOWED; count++) {
    if (!isString(next)) return false
    // An anchor or an address must be one within the schema.
    if (!/^#($|\/)/.test(next)) return named(root, next)
    let target: unknown
    try {
      target = valueAt(root, decodeURIComponent(next))
    } catch {
      return false
    }
    if (typeof target === 'boolean') return true
    if (!isObject(target)) return false
    next = target['$ref']
    if (next === undefined) return true
  }
  return false
}

function named(root: unknown, ref: string): boolean {
  const name = JSON.stringify(ref.replace(/^#|#.*/g, ''))
  const text = JSON.stringify(root)
  return ['$anchor', '$dynamicAnchor', '$id'].some((key) => text.includes(`"${key}":${name}`))
}
