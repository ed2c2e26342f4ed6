// The published form of a schema against the schema itself: both have the same valid values, in the opinion of two validators.
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { DRAFT_7, NEWEST, schema, type Schema, value, verdicts } from '../testing/drawn-schemas.ts'
import { portableSchema } from './portable-schema.ts'

/** For each dialect; in the nightly run 10,200 schemas together, each with a definition that is one more. */
const SCHEMAS = process.env['FTL_TEST_NIGHTLY'] === undefined ? 200 : 3_400

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
      { numRuns: SCHEMAS },
    )
    expect(Math.min(compared.valid, compared.wrong)).toBeGreaterThan(300)
  },
  300_000,
)
