/** Schemas and values as fast-check draws them, and what two validators say of them, for tests of what becomes of schemas. */
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import * as fc from 'fast-check'
import { validate } from '../schema/validate.ts'

export type Schema = Record<string, unknown>

export const DRAFT_7 = 'http://json-schema.org/draft-07/schema#'
export const NEWEST = 'https://json-schema.org/draft/2020-12/schema'

export const value = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 2, depthSize: 'small' },
    fc.constantFrom<unknown>(null, true, 0, 1, 2.5, 2 ** 53 - 1, 2 ** 53, 'a', 'b', 'abc', ''),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'type'), tie('any'), { maxKeys: 3 }),
  ),
})).any

const TYPES = ['string', 'null', 'integer', 'number', 'boolean', 'object', 'array']
export const schema = fc.letrec<{ any: Schema | boolean }>((tie) => {
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
  return { any }
}).any

const settings = { strict: false, validateFormats: false, validateSchema: false }
const judges = { newest: new Ajv2020(settings), draft7: new Ajv(settings) }

/** What a schema says of values, in two opinions; `undefined` where it cannot be used. */
export function verdicts(root: Schema, values: readonly unknown[]): (boolean | undefined)[][] {
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
