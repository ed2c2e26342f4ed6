/** Schemas with values that they accept and values that they refuse. */
import type { JsonSchema } from 'ftl-contract'
import { number, object, string } from './written-type.ts'

interface Case {
  name: string
  schema: JsonSchema
  valid: unknown[]
  /** Values that the type must refuse. */
  invalid: unknown[]
}

export const CASES: Case[] = [
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
