import type { JsonSchema } from 'ftl-contract'
import fc from 'fast-check'
import { compile } from 'json-schema-to-typescript'
import { describe, expect, it } from 'vitest'
import { schemaValidator } from '../../invoke/validate.ts'
import { accepted, type Sample } from '../testing/type-check.ts'
import { TypeNames } from './type-names.ts'
import { TypeWriter } from './type-writer.ts'

function written(schema: JsonSchema): Omit<Sample, 'value'> {
  const names = new TypeNames()
  const type = new TypeWriter(names).typeOf(schema, 'Tool')
  return { type, declarations: names.declarations().join('\n') }
}

interface Case {
  name: string
  schema: JsonSchema
  valid: unknown[]
  /** Values that the type must refuse. */
  invalid: unknown[]
}

const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more })
const string = { type: 'string' }
const number = { type: 'number' }

const CASES: Case[] = [
  {
    name: 'properties, some required',
    schema: object({ a: string, b: { type: 'integer' } }, { required: ['a'] }),
    valid: [{ a: 'x' }, { a: '', b: 1 }],
    invalid: [{}, { a: 1 }, { b: 1 }, { a: 'x', b: '1' }, [], null, 'x'],
  },
  {
    name: 'a required property without a schema',
    schema: object({}, { required: ['a'] }),
    valid: [{ a: 1 }, { a: null }],
    invalid: [{}, 1],
  },
  {
    name: 'no further properties',
    schema: object({ a: string }, { additionalProperties: false }),
    valid: [{}, { a: 'x' }],
    invalid: [{ b: 1 }, { a: 'x', b: 1 }],
  },
  {
    name: 'no properties at all',
    schema: object({}, { additionalProperties: false }),
    valid: [{}],
    invalid: [{ a: 1 }],
  },
  {
    name: 'any properties',
    schema: { type: 'object' },
    valid: [{}, { a: 1 }],
    invalid: [1, null],
  },
  {
    name: 'further properties of one type, beside others',
    schema: object({ a: string }, { required: ['a'], additionalProperties: number }),
    valid: [{ a: 'x' }, { a: 'x', n: 1 }],
    invalid: [{ n: 1 }, { a: 1 }, { a: 'x', n: true }],
  },
  {
    name: 'patterns of properties',
    schema: { type: 'object', patternProperties: { '^x-': number } },
    valid: [{ 'x-a': 1 }, {}],
    invalid: [{ 'x-a': 'one' }],
  },
  {
    name: 'arrays',
    schema: { type: 'array', items: { type: ['string', 'number'] } },
    valid: [[], ['a', 1]],
    invalid: [[true], {}, 'a'],
  },
  {
    name: 'an array of anything',
    schema: { type: 'array' },
    valid: [[], [1, {}]],
    invalid: [{}, 1],
  },
  {
    name: 'a tuple',
    schema: { type: 'array', prefixItems: [string, number], items: false, minItems: 2 },
    valid: [['a', 1]],
    invalid: [[], ['a'], [1, 'a'], ['a', 1, 2]],
  },
  {
    name: 'a tuple that may be shorter or longer',
    schema: { type: 'array', prefixItems: [string, number], items: { type: 'boolean' } },
    valid: [[], ['a'], ['a', 1], ['a', 1, true]],
    invalid: [[1], ['a', 1, 'b']],
  },
  {
    name: 'a tuple of draft 7',
    schema: { type: 'array', items: [string, number], additionalItems: false },
    valid: [[], ['a', 1]],
    invalid: [[1], ['a', 1, 2]],
  },
  {
    name: 'enum',
    schema: { enum: ['a', "b'`\\\n\u2028", 1, -1.5, true, null, { k: [1] }] },
    valid: ['a', "b'`\\\n\u2028", 1, -1.5, true, null, { k: [1] }],
    invalid: ['b', 2, false, {}, { k: [2] }],
  },
  { name: 'const', schema: { const: 'a' }, valid: ['a'], invalid: ['b', 1] },
  {
    name: 'a list of types',
    schema: { type: ['string', 'null'] },
    valid: ['a', null],
    invalid: [1, {}],
  },
  {
    name: 'anyOf',
    schema: { anyOf: [string, object({ a: number }, { required: ['a'] })] },
    valid: ['a', { a: 1 }],
    invalid: [1, {}, { a: 'x' }],
  },
  {
    name: 'oneOf with a discriminator',
    schema: {
      oneOf: [
        object({ kind: { const: 'circle' }, radius: number }, { required: ['kind', 'radius'] }),
        object({ kind: { const: 'box' }, width: number }, { required: ['kind', 'width'] }),
      ],
    },
    valid: [
      { kind: 'circle', radius: 1 },
      { kind: 'box', width: 1 },
    ],
    invalid: [{ kind: 'circle', width: 1 }, { kind: 'line' }, {}],
  },
  {
    name: 'anyOf of required beside properties',
    schema: object(
      { id: string, name: string },
      { anyOf: [{ required: ['id'] }, { required: ['name'] }] },
    ),
    valid: [{ id: 'a' }, { name: 'b' }, { id: 'a', name: 'b' }],
    invalid: [{}, { id: 1 }],
  },
  {
    name: 'allOf',
    schema: {
      allOf: [
        object({ a: string }, { required: ['a'] }),
        object({ b: number }, { required: ['b'] }),
      ],
    },
    valid: [{ a: 'x', b: 1 }],
    invalid: [{ a: 'x' }, { b: 1 }, { a: 1, b: 1 }],
  },
  {
    name: 'arrays of unions and of intersections',
    schema: {
      type: 'array',
      items: { anyOf: [string, { allOf: [object({ a: number }, { required: ['a'] })] }] },
    },
    valid: [['a', { a: 1 }]],
    invalid: [[1], 'a', [{}]],
  },
  {
    name: 'a schema that refers to itself',
    schema: object({ value: string, children: { type: 'array', items: { $ref: '#' } } }),
    valid: [{}, { children: [{ value: 'a', children: [{}] }] }],
    invalid: [{ children: [1] }, { children: [{ value: 1 }] }],
  },
  {
    name: 'definitions that refer to each other',
    schema: {
      ...object({ a: { $ref: '#/$defs/a' } }),
      $defs: {
        a: object({ b: { $ref: '#/$defs/b' } }),
        b: { anyOf: [{ $ref: '#/$defs/a' }, { type: 'null' }] },
      },
    },
    valid: [{}, { a: { b: null } }, { a: { b: { b: null } } }],
    invalid: [{ a: null }, { a: { b: 1 } }],
  },
  {
    name: 'a reference with escapes, and one into a property',
    schema: {
      ...object({ a: { $ref: '#/$defs/x~1y%20z' }, b: { $ref: '#/properties/c' }, c: number }),
      $defs: { 'x/y z': string },
    },
    valid: [{ a: 'x', b: 1 }],
    invalid: [{ a: 1 }, { b: 'x' }],
  },
  {
    name: 'definitions of draft 7',
    schema: { ...object({ a: { $ref: '#/definitions/x' } }), definitions: { x: { enum: ['y'] } } },
    valid: [{ a: 'y' }],
    invalid: [{ a: 'z' }],
  },
  {
    name: 'a reference in a schema with an id of its own',
    schema: {
      ...object({
        a: { $id: 'urn:x', ...object({ b: { $ref: '#/$defs/x' } }), $defs: { x: number } },
      }),
      $defs: { x: string },
    },
    valid: [{ a: { b: 1 } }],
    invalid: [{ a: { b: 'x' } }],
  },
  {
    name: 'true and false as schemas',
    schema: object({ any: true, none: false }),
    valid: [{ any: { x: [] } }],
    invalid: [{ none: 1 }],
  },
  {
    name: 'names that are not identifiers',
    schema: object(
      {
        '': string,
        'a b': number,
        '`*/"\\': number,
        '1': number,
        __proto__: string,
        'ä\u2028': number,
      },
      {
        required: ['a b'],
      },
    ),
    valid: [{ '': 'x', 'a b': 1, '`*/"\\': 1, '1': 1, 'ä\u2028': 1 }],
    invalid: [
      { '': 'x' },
      { 'a b': 1, '`*/"\\': 'x' },
      { 'a b': 1, '1': 'x' },
      { 'a b': 1, '': 1 },
    ],
  },
]

/** Whether the type of another library accepts each value. */
async function acceptedByOther(samples: { schema: JsonSchema; value: unknown }[]) {
  const texts = await Promise.all(
    samples.map(async ({ schema, value }) => {
      const declarations = await compile(structuredClone(schema), 'Other', {
        bannerComment: '',
        format: false,
        additionalProperties: false,
      })
      return { declarations, type: 'Other', value }
    }),
  )
  return accepted(texts)
}

/** Why the other library decides differently about a value of these. */
const OTHERWISE = new Map([
  ['a required property without a schema', 'it does not declare what only `required` names'],
  ['anyOf of required beside properties', 'as above'],
  ['no properties at all', 'its type is {}, which every value has'],
  ['any properties', 'as above'],
  ['a tuple', 'it does not read prefixItems'],
  ['a tuple that may be shorter or longer', 'as above'],
  ['a reference in a schema with an id of its own', 'it begins at the root of the document'],
])

describe('a type', () => {
  const all = CASES.flatMap(({ name, schema, valid, invalid }) => [
    ...valid.map((value) => ({ name, schema, value, isValid: true })),
    ...invalid.map((value) => ({ name, schema, value, isValid: false })),
  ])

  it('accepts the values that its schema accepts, and refuses others', () => {
    const verdicts = accepted(all.map(({ schema, value }) => ({ ...written(schema), value })))
    const wrong = all.filter(({ isValid }, index) => verdicts[index] !== isValid)
    expect(wrong.map(({ name, value }) => `${name}: ${JSON.stringify(value)}`)).toEqual([])
  })

  it('agrees with the validator of calls about the values of this test', () => {
    for (const { name, schema, value, isValid } of all) {
      expect([name, value, schemaValidator.validate(schema, value).length === 0]).toEqual([
        name,
        value,
        isValid,
      ])
    }
  })

  it('agrees with json-schema-to-typescript, apart from what that does not read', async () => {
    const verdicts = await acceptedByOther(all)
    const differ = all.filter(({ isValid }, index) => verdicts[index] !== isValid)
    expect(new Set(differ.map(({ name }) => name))).toEqual(new Set(OTHERWISE.keys()))
  })

  it('accepts the values of schemas made at random, whatever their names and texts', () => {
    const samples = fc.sample(PAIR, { numRuns: 300, seed: 22 })
    for (const { schema, value } of samples) {
      expect(schemaValidator.validate(schema, value)).toEqual([])
    }
    const verdicts = accepted(samples.map(({ schema, value }) => ({ ...written(schema), value })))
    const refused = samples.filter((_, index) => !verdicts[index])
    expect(
      refused.map(({ schema, value }) => `${written(schema).type} ${JSON.stringify(value)}`),
    ).toEqual([])
  })
})

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
const PAIR: fc.Arbitrary<Pair> = fc
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

describe('a type of a hostile schema', () => {
  it('is bounded, however deep, wide or repetitive the schema is', () => {
    const deep = Array.from({ length: 60 }).reduce<JsonSchema>(
      (inner) => object({ a: inner }),
      string,
    )
    const wide = object(
      Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`p${index}`, string])),
    )
    const twice = {
      $defs: {} as Record<string, JsonSchema>,
      ...object({ a: { $ref: '#/$defs/d0' } }),
    }
    for (let level = 0; level < 30; level++) {
      const next = { $ref: `#/$defs/d${level + 1}` }
      twice.$defs[`d${level}`] = object({ one: next, other: next })
    }
    const inline = Array.from({ length: 16 }).reduce<JsonSchema>(
      (inner) => object({ a: inner, b: inner }),
      string,
    )
    const words = { enum: Array.from({ length: 5_000 }, (_, index) => `word ${index}`) }
    const long = object({ a: { const: 'x'.repeat(100_000), description: 'y'.repeat(100_000) } })
    for (const schema of [deep, wide, twice, inline, words, long]) {
      const { type, declarations } = written(schema)
      expect(type.length + declarations.length).toBeLessThan(150_000)
    }
    expect(written(words).type).toBe('string')
  })

  it('does not follow references that lead nowhere, outside, or to what is not a schema', () => {
    for (const $ref of [
      '#/nowhere',
      'https://example.com/x',
      '#anchor',
      '#/required',
      '#/__proto__',
      '#/%zz',
      'x',
    ]) {
      expect(written({ ...object({ a: { $ref } }), required: [] }).type).toContain('a?: unknown')
    }
  })

  it('is a type that the compiler accepts, if definitions are only each other', () => {
    const a = { $ref: '#/$defs/a' }
    const $defs = {
      a: { anyOf: [{ $ref: '#/$defs/b' }, { type: 'null' }] },
      b: { allOf: [{ $ref: '#/$defs/c' }] },
      c: { oneOf: [a, object({ a: { $ref: '#/$defs/b' } })] },
      d: { $ref: '#/$defs/d' },
    }
    const schema = { ...object({ a, b: { $ref: '#/$defs/c' }, d: { $ref: '#/$defs/d' } }), $defs }
    expect(accepted([{ ...written(schema), value: { a: null, d: 1 } }])).toEqual([true])
  })
})
