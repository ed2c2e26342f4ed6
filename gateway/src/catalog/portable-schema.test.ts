import { describe, expect, it } from 'vitest'
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
      { type: 'array', prefixItems: [{ type: 'string' }, {}], items: {}, maxItems: 2 },
    ],
    [
      'a tuple with a number of items',
      { type: 'array', prefixItems: [{}, {}], items: false, minItems: 2, maxItems: 2 },
      { type: 'array', prefixItems: [{}, {}], items: {}, minItems: 2, maxItems: 2 },
    ],
    // HubSpot: @hubspot/mcp-server 0.4.0, hubspot-search-objects.
    [
      'a list of anything',
      { type: 'array', description: 'Set of values' },
      { type: 'array', description: 'Set of values', items: {} },
    ],
    [
      'a list of anything, or null',
      { type: ['array', 'null'], maxItems: 2 },
      { anyOf: [{ type: 'array', maxItems: 2, items: {} }, { type: 'null' }] },
    ],
    [
      'a list in draft 7',
      { $schema: DRAFT_7, type: 'array' },
      { $schema: DRAFT_7, type: 'array', items: {} },
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
    ['no items', { type: 'array', items: false }],
    [
      'a list of which further items are said elsewhere',
      { unevaluatedItems: false, allOf: [{ type: 'array', prefixItems: [{}] }] },
    ],
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
      'unknown keywords',
      {
        'x-own': { type: ['string'] },
        properties: { type: { type: 'string' }, enum: { type: 'array', items: {} } },
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
