import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { validate } from '../schema/validate.ts'
import { portableSchema, withPortableSchemas } from './portable-schema.ts'

type Schema = Record<string, unknown>

const DRAFT_7 = 'http://json-schema.org/draft-07/schema#'
const NEWEST = 'https://json-schema.org/draft/2020-12/schema'

/** Zod 4 writes these. */
const LARGEST = { minimum: -9007199254740991, maximum: 9007199254740991 }

describe('a form that readers lose is written in another', () => {
  it.each<[string, Schema, Schema]>([
    [
      'a list of types',
      { type: ['string', 'null'], minLength: 1, description: 'd', default: null },
      {
        anyOf: [{ type: 'string', minLength: 1 }, { type: 'null' }],
        description: 'd',
        default: null,
      },
    ],
    [
      'a list of types with values',
      { type: ['string', 'null'], enum: ['a', null] },
      { anyOf: [{ type: 'string', enum: ['a'] }, { type: 'null' }] },
    ],
    ['a list of one type', { type: ['string'] }, { type: 'string' }],
    [
      'a list of types of which values exclude one',
      { type: ['string', 'null'], enum: ['a'] },
      { type: 'string', enum: ['a'] },
    ],
    [
      'nullable of OpenAPI',
      { type: 'integer', nullable: true, minimum: 1 },
      { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }] },
    ],
    [
      'a union of constants',
      {
        anyOf: [
          { type: 'number', const: 1 },
          { type: 'number', const: 2 },
        ],
        title: 't',
      },
      { type: 'number', enum: [1, 2], title: 't' },
    ],
    [
      'constants without a type',
      { oneOf: [{ const: 'a' }, { const: 'b' }] },
      { type: 'string', enum: ['a', 'b'] },
    ],
    [
      'constants or null',
      { anyOf: [{ const: 'a' }, { enum: ['b', 'a'] }, { type: 'null' }] },
      { anyOf: [{ type: 'string', enum: ['a', 'b'] }, { type: 'null' }] },
    ],
    ['one constant', { const: 'a' }, { type: 'string', const: 'a' }],
    ['values without a type', { enum: [1, 2.5] }, { type: 'number', enum: [1, 2.5] }],
    [
      'a tuple',
      { type: 'array', prefixItems: [{ type: 'string' }, true], items: false },
      { type: 'array', prefixItems: [{ type: 'string' }, {}], maxItems: 2 },
    ],
    [
      'a tuple with a number of items',
      { type: 'array', prefixItems: [{}, {}], items: false, minItems: 2, maxItems: 2 },
      { type: 'array', prefixItems: [{}, {}], minItems: 2, maxItems: 2 },
    ],
    [
      'the names of a record',
      {
        type: 'object',
        propertyNames: { type: 'string' },
        additionalProperties: { type: ['string'] },
      },
      { type: 'object', additionalProperties: { type: 'string' } },
    ],
    [
      'a boolean as a schema',
      { properties: { a: true, b: false }, items: true },
      { properties: { a: {}, b: { not: {} } }, items: {} },
    ],
  ])('%s', (_, schema, written) => {
    const wrapped = (inner: Schema) => ({ type: 'object', properties: { x: inner } })
    expect(portableSchema(wrapped(schema))).toEqual(wrapped(written))
    expect(portableSchema(schema)).toEqual(written)
  })
})

describe('what cannot be said otherwise stays', () => {
  it.each<[string, Schema]>([
    ['the bounds of an integer, which refuse larger ones', { type: 'integer', ...LARGEST }],
    [
      'constants with words',
      {
        oneOf: [
          { type: 'string', const: 'a', title: 'A' },
          { type: 'string', const: 'b', title: 'B' },
        ],
      },
    ],
    [
      'one constant twice',
      {
        oneOf: [
          { type: 'string', const: 'a' },
          { type: 'string', const: 'a' },
        ],
      },
    ],
    [
      'constants beside values',
      { enum: ['a'], type: 'string', anyOf: [{ type: 'string', const: 'a' }] },
    ],
    [
      'a constant of another type',
      {
        anyOf: [
          { type: 'string', const: 1 },
          { type: 'string', const: 'a' },
        ],
      },
    ],
    ['a list of types beside forms', { type: ['string', 'null'], anyOf: [{ minLength: 1 }] }],
    ['a rule for names', { propertyNames: { type: 'string', maxLength: 3 } }],
    ['further items of a tuple', { prefixItems: [{}], items: { type: 'string' } }],
    [
      'the dialect, which the conformance suite of MCP asks for',
      { $schema: NEWEST, type: 'string' },
    ],
    ['no items', { items: false }],
    ['further properties', { additionalProperties: true, unevaluatedProperties: true }],
    ['a tuple of an older dialect', { $schema: DRAFT_7, prefixItems: [{}], items: false }],
    [
      'what draft 7 ignores',
      {
        $schema: DRAFT_7,
        definitions: { a: {} },
        properties: { x: { $ref: '#/definitions/a', type: ['string', 'null'] } },
      },
    ],
    [
      'what a reference leads into',
      {
        properties: {
          a: { type: ['object', 'null'], properties: { b: {} } },
          c: { $ref: '#/properties/a/properties/b' },
        },
      },
    ],
    [
      'the place of a header',
      {
        properties: {
          a: {
            type: ['object', 'null'],
            properties: { b: { type: 'string', 'x-mcp-header': 'B' } },
          },
        },
      },
    ],
    [
      'data that looks like a schema',
      {
        default: { type: ['string', 'null'] },
        examples: [{ const: 1 }],
        enum: [{ anyOf: [{ const: 1 }, { const: 2 }] }, 1],
        properties: { a: { type: 'object', const: { items: true } } },
      },
    ],
    [
      'keywords nobody knows',
      {
        'x-own': { type: ['string'] },
        properties: { type: { type: 'string' }, enum: { type: 'array' } },
      },
    ],
  ])('%s', (_, schema) => expect(portableSchema(schema)).toEqual(schema))

  it('deeper than it is read', () => {
    let schema: Schema = { const: 1 }
    for (let level = 0; level < 5_000; level++) schema = { properties: { a: schema } }
    expect(() => portableSchema(schema)).not.toThrow()
  })
})

it('names that an object inherits are names like others', () => {
  const schema = JSON.parse(
    '{"properties":{"__proto__":{"const":1},"constructor":{"type":["string"]}},"type":["object","null"],"__proto__":{"a":1}}',
  ) as Schema
  const written = portableSchema(schema)
  expect(JSON.stringify(written)).toBe(
    '{"anyOf":[{"type":"object","properties":{"__proto__":{"type":"integer","const":1},"constructor":{"type":"string"}}},{"type":"null"}],"__proto__":{"a":1}}',
  )
})

it('arguments have properties, also none', () => {
  const tool = { name: 'a', inputSchema: { type: 'object' }, outputSchema: { type: 'object' } }
  expect(withPortableSchemas(tool)).toEqual({
    name: 'a',
    inputSchema: { type: 'object', properties: {} },
    outputSchema: { type: 'object' },
  })
})

it('arguments and structured content are objects, whatever their schema says of null', () => {
  const nullable = { type: 'object', properties: {}, nullable: true } as const
  expect(
    withPortableSchemas({ name: 'a', inputSchema: nullable, outputSchema: nullable }),
  ).toMatchObject({ inputSchema: { type: 'object' }, outputSchema: { type: 'object' } })
})

const value = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 2, depthSize: 'small' },
    fc.constantFrom<unknown>(null, true, 0, 1, 2.5, 2 ** 53 - 1, 2 ** 53, 'a', 'b', 'abc', ''),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'type'), tie('any'), { maxKeys: 3 }),
  ),
})).any

const TYPES = ['string', 'null', 'integer', 'number', 'boolean', 'object', 'array']
const schema = fc.letrec<{ any: Schema | boolean }>((tie) => {
  const some = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined, freq: 1 })
  const forms = fc.array(tie('any'), { minLength: 1, maxLength: 3 })
  const map = fc.dictionary(fc.constantFrom('a', 'b', 'type'), tie('any'), { maxKeys: 2 })
  const constants = fc.array(
    fc.oneof(
      value.map((each) => ({ const: each })),
      fc
        .constantFrom<unknown>('a', 'b', 1, 2.5)
        .map((each) => ({ type: typeof each, const: each })),
      fc.constant({ type: 'null' }),
      fc.constant({ enum: ['a', 'abc'] }),
    ),
    { minLength: 1, maxLength: 4 },
  )
  const rich = fc.record({
    type: some(
      fc.oneof(
        fc.constantFrom(...TYPES),
        fc.uniqueArray(fc.constantFrom(...TYPES), { minLength: 1 }),
      ),
    ),
    const: some(value),
    enum: some(
      fc.uniqueArray(value, {
        minLength: 1,
        maxLength: 3,
        selector: (each) => JSON.stringify(each),
      }),
    ),
    anyOf: some(fc.oneof(forms, constants)),
    oneOf: some(fc.oneof(forms, constants)),
    not: some(tie('any')),
    properties: some(map),
    required: some(fc.constantFrom([], ['a'])),
    additionalProperties: some(tie('any')),
    propertyNames: some(fc.constantFrom<Schema>({ type: 'string' }, { maxLength: 1 })),
    unevaluatedProperties: some(fc.constant(false)),
    prefixItems: some(fc.array(tie('any'), { minLength: 1, maxLength: 2 })),
    items: some(fc.oneof(fc.constant(false), tie('any'))),
    unevaluatedItems: some(fc.constant(false)),
    maxItems: some(fc.constantFrom(0, 1, 2, 3)),
    minLength: some(fc.constantFrom(1, 2)),
    maximum: some(fc.constantFrom(1, 2 ** 53 - 1)),
    $ref: some(fc.constantFrom('#/$defs/d', '#')),
    default: some(value),
  })
  // Of many rules together no value is valid, so most schemas have a few that matter here.
  const constant = fc
    .constantFrom<unknown>('a', 'b', 1, 2.5, null, true)
    .chain((each) => fc.constantFrom<Schema>({ const: each }, { enum: [each] }))
  const union = fc.array(fc.oneof(constant, fc.constant({ type: 'null' })), {
    minLength: 1,
    maxLength: 4,
  })
  const few = fc.oneof(
    union.map((anyOf) => ({ anyOf })),
    union.map((oneOf) => ({ oneOf })),
    fc.record({
      prefixItems: fc.array(tie('any'), { minLength: 1, maxLength: 2 }),
      items: fc.constant(false),
      maxItems: some(fc.constantFrom(0, 1, 3)),
    }),
    fc.record({
      type: fc.uniqueArray(fc.constantFrom(...TYPES), { minLength: 1, maxLength: 3 }),
      minLength: some(fc.constant(2)),
      maximum: some(fc.constant(1)),
      items: some(fc.constant({ type: 'string' })),
      required: some(fc.constant(['a'])),
      enum: some(fc.constant([null, 1, 'a'])),
    }),
    fc.record({ type: fc.constantFrom('string', 'integer'), nullable: fc.constant(true) }),
    constant,
    fc.record({ properties: map, propertyNames: fc.constant({ type: 'string' }) }),
  )
  const any = fc.oneof({ maxDepth: 2, depthSize: 'small' }, fc.boolean(), few, few, few, rich)
  return { any: any }
}).any

const settings = { strict: false, validateFormats: false, validateSchema: false }
const judges = { newest: new Ajv2020(settings), draft7: new Ajv(settings) }

/** What a schema says of values, in two opinions; `undefined` where it cannot be used. */
function verdicts(root: Schema, values: readonly unknown[]): (boolean | undefined)[][] {
  const judge = root.$schema === DRAFT_7 ? judges.draft7 : judges.newest
  const second = attempted(() => judge.compile(root))
  judge.removeSchema()
  return values.map((each) => [
    attempted(() => validate(root, each).length === 0),
    second && attempted(() => second(each) === true),
  ])
}

function attempted<T>(ask: () => T): T | undefined {
  try {
    return ask()
  } catch {
    return undefined
  }
}

it.each([undefined, NEWEST, DRAFT_7])(
  'the same values are valid as before, with $schema %s',
  (dialect) => {
    const compared = { valid: 0, wrong: 0 }
    fc.assert(
      fc.property(
        schema,
        schema,
        fc.array(value, { minLength: 8, maxLength: 16 }),
        (x, d, drawn) => {
          const root = {
            ...(dialect && { $schema: dialect }),
            type: 'object',
            properties: { x, y: { anyOf: [{ $ref: '#/$defs/d' }] } },
            $defs: { d },
          }
          const before = JSON.stringify(root)
          // Without what was left undefined, as it comes from a component.
          const published = JSON.parse(before) as Schema
          const written = portableSchema(published)
          expect(JSON.stringify(published)).toBe(before)
          const values = drawn.flatMap((each) => [{ x: each }, { y: each }])
          const after = verdicts(written, values)
          verdicts(published, values).forEach((expected, index) => {
            if (expected.includes(undefined)) return
            compared[expected[0] ? 'valid' : 'wrong']++
            expect(after[index]).toEqual(expected)
          })
        },
      ),
      { numRuns: 500 },
    )
    expect(Math.min(compared.valid, compared.wrong)).toBeGreaterThan(300)
  },
)
