/** Schemas made at random, with hostile names and texts. */
import type { JsonSchema } from 'ftl-contract'
import fc from 'fast-check'

interface Pair {
  schema: JsonSchema
  value: unknown
}

const NAME = fc.oneof(
  fc.constantFrom('a', 'b', '*/', '`', '__proto__x', 'constructor', '0', 'a-b', '\u2028', "'", '"'),
  fc.string({ unit: 'binary', maxLength: 6 }),
)

const ATTACK = '*/ } ``` \u2028 ${x} // \n* /** " \\'

const TEXTS = fc.record(
  { description: fc.constantFrom(ATTACK, '```ts\n', 'plain'), title: fc.string() },
  { requiredKeys: [] },
)

const jsonOf = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

/** A schema and a value that it accepts. */
export const PAIR: fc.Arbitrary<Pair> = fc
  .letrec<{ any: Pair }>((tie) => {
    const leaf = fc.oneof(
      fc.string().map((value) => ({ schema: { type: 'string' }, value })),
      fc.integer().map((value) => ({ schema: { type: 'integer' }, value })),
      fc.constant({ schema: { type: ['null', 'boolean'] }, value: null }),
      fc
        .jsonValue({ maxDepth: 1 })
        .map((value) => ({ schema: { enum: ['x', jsonOf(value)] }, value: jsonOf(value) })),
    )
    const members = fc.uniqueArray(fc.tuple(NAME, tie('any'), fc.boolean(), fc.boolean()), {
      selector: ([name]) => name,
      maxLength: 4,
    })
    const object = members.map((list): Pair => {
      const pairs = list.filter(([name]) => name !== '__proto__')
      const given = pairs.filter(([, , isRequired, isGiven]) => isRequired || isGiven)
      return {
        schema: {
          type: 'object',
          properties: Object.fromEntries(pairs.map(([name, { schema }]) => [name, schema])),
          required: pairs.flatMap(([name, , isRequired]) => (isRequired ? [name] : [])),
        },
        value: Object.fromEntries(given.map(([name, { value }]) => [name, value])),
      }
    })
    const map = tie('any').map(({ schema, value }) => ({
      schema: { type: 'object', additionalProperties: schema },
      value: { some: value, more: value },
    }))
    const array = tie('any').map(({ schema, value }) => ({
      schema: { type: 'array', items: schema },
      value: [value, value],
    }))
    const tuple = fc.array(tie('any'), { maxLength: 3 }).map((pairs) => ({
      schema: { type: 'array', prefixItems: pairs.map(({ schema }) => schema) },
      value: pairs.map(({ value }) => value),
    }))
    const anyOf = fc.tuple(tie('any'), tie('any')).map(([one, other]) => ({
      schema: { anyOf: [one.schema, other.schema] },
      value: other.value,
    }))
    const allOf = object.map(({ schema, value }) => ({
      schema: { allOf: [schema, { type: 'object' }] },
      value,
    }))
    const nested = fc.oneof(object, map, array, tuple, anyOf, allOf)
    const described = fc
      .tuple(fc.oneof({ depthSize: 'small' }, leaf, nested), TEXTS)
      .map(([{ schema, value }, texts]): Pair => ({ schema: { ...schema, ...texts }, value }))
    return { any: described }
  })
  .any.map(({ schema, value }) => ({
    schema: { type: 'object', properties: { it: schema } },
    value: { it: value },
  }))
