/**
 * Arguments without their secrets: what a schema marks with `writeOnly: true` or `format: "password"`.
 *
 * If one of several schemas of a value says that it is a secret, it is one: which branch of a `oneOf` applies is not
 * asked. What cannot be looked up is a secret, too.
 *
 * @see https://json-schema.org/draft/2020-12/json-schema-validation#name-readonly-and-writeonly
 */
import type { JsonSchema } from 'ftl-contract'
import { isObject, isString } from 'ftl-http'

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
      for (const keyword of LISTS) left.push(...list(own(next, keyword)))
      for (const keyword of BRANCHES) left.push(own(next, keyword))
      for (const keyword of NAMED) left.push(...members(own(next, keyword)))
      for (const keyword of REFERENCES) {
        if (!Object.hasOwn(next, keyword)) continue
        const target = resolve(schema, next[keyword])
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
            ...ITEMS.flatMap((keyword) => itemSchemas(own(each, keyword), index)),
            ...itemSchemas(own(each, 'prefixItems'), index),
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
            own(own(each, 'properties'), key),
            // Whichever pattern matches.
            ...members(own(each, 'patternProperties')),
            ...MEMBERS.map((keyword) => own(each, keyword)),
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

function own(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

/** Only references inside the schema: others are never followed. */
function resolve(root: JsonSchema, reference: unknown): unknown {
  if (!isString(reference) || !reference.startsWith('#')) return undefined
  if (reference === '#') return root
  if (!reference.startsWith('#/')) return undefined
  let at: unknown = root
  for (const part of reference.slice(2).split('/')) {
    const key = decoded(part)?.replaceAll('~1', '/').replaceAll('~0', '~')
    at =
      key === undefined
        ? undefined
        : Array.isArray(at)
          ? (at as unknown[])[Number(key)]
          : own(at, key)
  }
  return at
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
