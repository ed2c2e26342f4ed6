/**
 * Arguments without their secrets: what a schema marks with `writeOnly: true` or `format: "password"`.
 *
 * If one of several schemas of a value says that it is a secret, it is one: which branch of a `oneOf` applies is not
 * asked. What cannot be looked up is a secret, too.
 *
 * @see https://json-schema.org/draft/2020-12/json-schema-validation#name-readonly-and-writeonly
 */
import { isObject, type JsonSchema, memberOf, referred } from 'ftl-contract'

export const REDACTED = '[redacted]'

/** Schemas that are looked at for one call: components choose how deep and wide theirs are. */
const MAX_STEPS = 20_000

/** The keywords whose schemas describe the same value: lists of schemas, schemas, and schemas by name. */
const LISTS = ['allOf', 'anyOf', 'oneOf']
const BRANCHES = ['if', 'then', 'else', 'not']
const NAMED = ['dependentSchemas', 'dependencies']
const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef']
const MEMBERS = ['additionalProperties', 'unevaluatedProperties']
const ITEMS = ['items', 'contains', 'additionalItems', 'unevaluatedItems']

class TooComplex extends Error {}

export function redact(value: unknown, schema: JsonSchema): unknown {
  let steps = 0

  /** All schemas of one value; `undefined` if one of them cannot be found. */
  function applying(roots: readonly unknown[]): JsonSchema[] | undefined {
    const found = new Set<JsonSchema>()
    const left = [...roots]
    while (left.length > 0) {
      if (++steps > MAX_STEPS) throw new TooComplex()
      const next = left.pop()
      if (!isObject(next) || found.has(next)) continue
      found.add(next)
      for (const keyword of LISTS) left.push(...list(memberOf(next, keyword)))
      for (const keyword of BRANCHES) left.push(memberOf(next, keyword))
      for (const keyword of NAMED) left.push(...members(memberOf(next, keyword)))
      for (const keyword of REFERENCES) {
        if (!Object.hasOwn(next, keyword)) continue
        const target = referred(schema, next[keyword])
        if (target === undefined) return undefined
        left.push(target)
      }
    }
    return [...found]
  }

  function walk(part: unknown, roots: readonly unknown[]): unknown {
    const schemas = applying(roots)
    if (schemas === undefined || schemas.some(isSecret)) return REDACTED
    if (Array.isArray(part)) {
      return part.map((item, index) =>
        walk(
          item,
          schemas.flatMap((each) => [
            ...ITEMS.flatMap((keyword) => itemSchemas(memberOf(each, keyword), index)),
            ...itemSchemas(memberOf(each, 'prefixItems'), index),
          ]),
        ),
      )
    }
    if (!isObject(part)) return part
    return Object.fromEntries(
      Object.entries(part).map(([key, member]) => [
        key,
        walk(
          member,
          schemas.flatMap((each) => [
            memberOf(memberOf(each, 'properties'), key),
            // Whichever pattern matches.
            ...members(memberOf(each, 'patternProperties')),
            ...MEMBERS.map((keyword) => memberOf(each, keyword)),
          ]),
        ),
      ]),
    )
  }

  try {
    return walk(value, [schema])
  } catch (error) {
    if (error instanceof TooComplex) return REDACTED
    throw error
  }
}

function isSecret(schema: JsonSchema): boolean {
  return schema.writeOnly === true || schema.format === 'password'
}

const list = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : [])

const members = (value: unknown): unknown[] => (isObject(value) ? Object.values(value) : [])

function itemSchemas(value: unknown, index: number): unknown[] {
  return Array.isArray(value) ? [value[index]] : [value]
}
