import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { soundSchema } from './sound-schema.ts'

const LOOSE = { strict: false, validateFormats: false, logger: false } as const
const DRAFT_7 = 'http://json-schema.org/draft-07/schema#'

const NAMES = [
  ...['type', 'properties', 'required', 'items', 'prefixItems', 'additionalItems', 'enum', 'const'],
  ...['additionalProperties', 'patternProperties', 'default', 'examples', 'minimum', 'maxItems'],
  ...['exclusiveMinimum', 'minLength', 'uniqueItems', 'minContains', 'contains', 'allOf', 'oneOf'],
  ...['not', 'if', 'then', '$ref', '$defs', '$id', '$anchor', '$schema', '$comment', 'description'],
  ...['format', 'pattern', 'multipleOf', 'dependencies', 'dependentRequired', 'dependentSchemas'],
  ...['deprecated', 'readOnly', 'contentEncoding', 'contentSchema', 'propertyNames', 'nullable'],
  ...['unevaluatedItems', '$dynamicRef', '$dynamicAnchor', '$recursiveRef', '$recursiveAnchor'],
  ...['$vocabulary', 'id'],
]
const TEXTS = [
  'a',
  'int',
  '#',
  '#/properties/a',
  '#/items/0',
  '#x',
  '(',
  'http://x/#f',
  '',
  DRAFT_7,
]

/** Anything at all at the places that keywords have. */
const odd = fc.letrec<{ schema: Record<string, unknown>; value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<unknown>(...TEXTS, true, false, null, 0, -1, 1.5),
    tie('schema'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'required', '('), tie('value'), { maxKeys: 3 }),
  ),
  schema: fc.dictionary(fc.constantFrom(...NAMES), tie('value'), { maxKeys: 5 }),
})).schema

const type = fc.constantFrom('string', 'number', 'array', 'object')
/** Schemas of draft 7 with tuples. */
const tuples = fc.letrec<{ schema: Record<string, unknown> }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small' },
    fc.record({ type }),
    fc.record(
      {
        items: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
        additionalItems: fc.oneof(fc.boolean(), tie('schema')),
        maxItems: fc.nat(3),
      },
      { requiredKeys: ['items'] },
    ),
    fc.record({ properties: fc.record({ a: tie('schema') }), required: fc.constant(['a', 'a']) }),
  ),
})).schema
const value = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<unknown>('a', 1, null),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.record({ a: tie('any') }),
  ),
})).any

describe('whatever a server sends as a schema', () => {
  it('is valid by the rules of 2020-12, unless it names an older draft', () => {
    const rules = new Ajv2020(LOOSE)
    fc.assert(
      fc.property(odd, (sent) => {
        const { schema } = soundSchema(sent)
        if (schema['$schema'] === DRAFT_7) return
        expect([rules.validateSchema(schema), rules.errors]).toEqual([true, null])
      }),
      { numRuns: 3000 },
    )
  })

  it('allows the same lists after as before, where it has tuples of draft 7', () => {
    const older = new Ajv({ ...LOOSE, validateSchema: false })
    const newest = new Ajv2020(LOOSE)
    fc.assert(
      fc.property(tuples, value, (sent, given) => {
        const before = older.compile(sent)(given)
        const { schema, lost } = soundSchema({ $schema: DRAFT_7, ...sent })
        expect(lost).toEqual([])
        const { $schema, ...read } = schema
        const isTuple = JSON.stringify(read).includes('"prefixItems"')
        expect($schema).toBe(isTuple ? undefined : DRAFT_7)
        expect(newest.compile(read)(given)).toBe(before)
      }),
      { numRuns: 500 },
    )
  })
})
