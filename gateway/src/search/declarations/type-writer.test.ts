import type { JsonSchema } from 'ftl-contract'
import fc from 'fast-check'
import { compile } from 'json-schema-to-typescript'
import { describe, expect, it } from 'vitest'
import { schemaValidator } from '../../invoke/argument-validator.ts'
import { PAIR } from '../testing/random-schemas.ts'
import { CASES } from '../testing/type-cases.ts'
import { accepted } from '../testing/type-check.ts'
import { written } from '../testing/written-type.ts'

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
