/**
 * A tool's schema as part of a larger document, where `#` no longer means the schema itself.
 *
 * @see https://spec.openapis.org/oas/v3.1.1.html#schema-object
 */
import { isInside, isObject, isString, type JsonSchema, valueAt } from 'ftl-contract'
import { MAPS } from '../../schema/references.ts'

const PLACE = '#/components/schemas/'

/** Values and names in these are data and not schemas. */
const DATA = /^(const|enum|default|examples?|required)$/
/** What makes sense only in a document of its own. */
const OWN =
  /^\$(schema|id|anchor|dynamicAnchor|dynamicRef|recursiveAnchor|recursiveRef|vocabulary)$/
const DEFINITION = /^\/(\$defs|definitions)\/([\w.-]+)(\/.*)?$/

/**
 * @param key of the schema in the document.
 * @returns the schemas by their keys: this one and, beside it, for generators look nowhere else, its definitions;
 * `undefined` for a schema that refers to more than places in itself.
 */
export function schemasOf(key: string, schema: JsonSchema): Record<string, JsonSchema> | undefined {
  let whole = true
  const { $defs, definitions, ...rest } = walk(schema) as JsonSchema
  const schemas: Record<string, JsonSchema> = { [key]: rest }
  for (const map of [definitions, $defs]) {
    for (const [name, item] of Object.entries(map ?? {})) {
      // Other names can be no keys here.
      if (!/^[\w.-]+$/.test(name)) whole = false
      schemas[`${key}.${name}`] = item as JsonSchema
    }
  }
  return whole ? schemas : undefined

  function walk(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(walk)
    if (!isObject(value)) return value
    const entries = Object.entries(value).flatMap(([key, item]): [string, unknown][] => {
      if (OWN.test(key)) {
        // An address inside changes what the references below it mean.
        if (key !== '$schema' && !(key === '$id' && value === schema)) whole = false
        return []
      }
      if (DATA.test(key)) return [[key, item]]
      if (key === '$ref') return [[key, reference(item)]]
      if (MAPS.test(key) && isObject(item)) return [[key, each(item)]]
      return [[key, walk(item)]]
    })
    return tuples(Object.fromEntries(entries))
  }

  function each(map: Record<string, unknown>): object {
    return Object.fromEntries(Object.entries(map).map(([key, item]) => [key, walk(item)]))
  }

  function reference(ref: unknown): unknown {
    if (isString(ref) && isInside(ref)) {
      const pointer = ref.slice(1)
      // One that is percent-encoded leads nowhere.
      const target = valueAt(schema, pointer)
      // What is only another name for itself says nothing, and generators never come to an end of it.
      const empty = isObject(target) && target.$ref === ref
      if (target !== undefined && !empty) return PLACE + (definitionKey(pointer) ?? key + pointer)
    }
    whole = false
    return ref
  }

  function definitionKey(pointer: string): string | undefined {
    const [, , name, below = ''] = DEFINITION.exec(pointer) ?? []
    return name && `${key}.${name}${below}`
  }
}

/** Up to 2019-09 a list in `items` meant what `prefixItems` does since. */
function tuples(schema: Record<string, unknown>): object {
  const { items, additionalItems, ...rest } = schema
  if (!Array.isArray(items)) return schema
  return {
    ...rest,
    prefixItems: items,
    ...(additionalItems !== undefined && { items: additionalItems }),
  }
}
