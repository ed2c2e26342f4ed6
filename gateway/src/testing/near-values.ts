/** Values near the ones that a schema allows, for schemas of real tools: of values drawn without one, hardly any is valid. */
import { isObject } from 'ftl-contract'
import * as fc from 'fast-check'
import { value } from './drawn-schemas.ts'

/** Recursion deeper than this gets any value. */
const DEEPEST = 4

const TEXTS = ['a', '', 'abc', '1', '2026-11-29', 'https://example.com/a', 'ada@example.com']
const NUMBERS = [0, 1, -1, 1.5, 100, 2 ** 53 - 1, 2 ** 53]

/** @param root for references within it. */
export function nearValues(root: unknown, schema = root, depth = 0): fc.Arbitrary<unknown> {
  if (!isObject(schema) || depth > DEEPEST) return value
  const below = (inner: unknown) => nearValues(root, inner, depth + 1)
  const forms: fc.Arbitrary<unknown>[] = []
  if (typeof schema['$ref'] === 'string') forms.push(below(resolved(root, schema['$ref'])))
  if ('const' in schema) forms.push(fc.constant(schema['const']))
  if (Array.isArray(schema['enum'])) forms.push(fc.constantFrom<unknown>(...(schema['enum'] as [])))
  for (const rule of ['anyOf', 'oneOf', 'allOf']) {
    const each = schema[rule]
    if (Array.isArray(each)) forms.push(...each.map(below))
  }
  if (forms.length === 0) {
    const types: unknown[] = [schema['type'] ?? 'object'].flat()
    forms.push(...types.map((type) => ofType(type, schema, below)))
  }
  return fc.oneof({ weight: 12, arbitrary: fc.oneof(...forms) }, { weight: 1, arbitrary: value })
}

type Below = (inner: unknown) => fc.Arbitrary<unknown>

function ofType(
  type: unknown,
  schema: Record<string, unknown>,
  below: Below,
): fc.Arbitrary<unknown> {
  switch (type) {
    case 'object':
      return ofObject(schema, below)
    case 'array':
      return fc.array(below(schema['items']), { maxLength: 3 })
    case 'string':
      return fc.constantFrom(...TEXTS)
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    default:
      return fc.constantFrom(...NUMBERS, ...limitsOf(schema))
  }
}

/** On both sides of each limit. */
function limitsOf(schema: Record<string, unknown>): number[] {
  const rules = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum']
  return rules.flatMap((rule) => {
    const limit = schema[rule]
    return typeof limit === 'number' ? [limit - 1, limit, limit + 1] : []
  })
}

function ofObject(schema: Record<string, unknown>, below: Below): fc.Arbitrary<unknown> {
  const { properties } = schema
  const required: unknown[] = Array.isArray(schema['required']) ? schema['required'] : []
  const members = Object.entries(isObject(properties) ? properties : {}).map(
    ([name, inner]): [string, fc.Arbitrary<unknown>] => {
      // `undefined` leaves it out.
      const absent = required.includes(name) ? 12 : 2
      return [name, fc.option(below(inner), { nil: undefined, freq: absent })]
    },
  )
  const more = fc.option(fc.constant(1), { nil: undefined, freq: 1 })
  return fc
    .tuple(fc.record(Object.fromEntries(members)), fc.tuple(fc.nat(9), more))
    .map(([given, [at, extra]]) => {
      const all = { ...given, ...(at === 0 && extra !== undefined && { unknown: extra }) }
      return Object.fromEntries(Object.entries(all).filter(([, each]) => each !== undefined))
    })
}

function resolved(root: unknown, ref: string): unknown {
  const parts = ref.startsWith('#/') ? ref.slice(2).split('/') : []
  let place = root
  for (const part of parts) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
    place = isObject(place) && Object.hasOwn(place, name) ? place[name] : undefined
  }
  return place
}
