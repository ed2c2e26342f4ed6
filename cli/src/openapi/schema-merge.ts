/** `allOf` of objects as one object. */
import { isArrayOf, isObject, isString } from 'ftl-contract'
import type { Fields, References } from './references.ts'

/** Keywords of a plain object. What another one means together with others is not known here. */
const PLAIN =
  /^(type|properties|required|additionalProperties|unevaluatedProperties|allOf|description|title|discriminator|examples?|externalDocs|xml|deprecated|default|nullable|readOnly|writeOnly|x-.*)$/
/** Objects within one another. */
const MAX_DEPTH = 12

/** @returns `undefined` where a part is more than an object, or part of itself. */
export function merged(references: References, node: Fields): Fields | undefined {
  const properties = new Map<string, unknown>()
  const required = new Set<string>()
  const added = new Set<unknown>()
  let rest: unknown
  const add = (part: unknown, passed: readonly unknown[]): boolean => {
    const { value } = references.resolve(part)
    if (!isObject(value) || passed.includes(value) || passed.length > MAX_DEPTH) return false
    // Parts that have each other's parts, some levels deep, would be read billions of times.
    if (added.has(value)) return true
    if (!Object.keys(value).every((name) => PLAIN.test(name))) return false
    if (value['type'] !== undefined && ![value['type']].flat().includes('object')) return false
    const { allOf = [], properties: own, required: names, additionalProperties } = value
    if (!Array.isArray(allOf) || !allOf.every((each) => add(each, [...passed, value]))) return false
    if (isObject(own)) for (const [name, each] of Object.entries(own)) properties.set(name, each)
    if (isArrayOf(names, isString)) for (const name of names) required.add(name)
    // `false` would close one part to the properties of the others.
    if (additionalProperties !== undefined && additionalProperties !== false) {
      rest = additionalProperties
    }
    added.add(value)
    return true
  }
  if (!add(node, []) || properties.size === 0) return undefined
  const { description, nullable, deprecated } = node
  return {
    type: [node['type']].flat().includes('null') ? ['object', 'null'] : 'object',
    ...(description !== undefined && { description }),
    ...(nullable !== undefined && { nullable }),
    ...(deprecated !== undefined && { deprecated }),
    properties: Object.fromEntries(properties),
    ...(required.size > 0 && { required: [...required] }),
    ...(rest !== undefined && { additionalProperties: rest }),
  }
}
