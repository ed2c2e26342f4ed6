import type { JsonSchema } from 'ftl-contract'
import { describe, expect, it } from 'vitest'
import { accepted } from '../testing/type-check.ts'
import { object, string, written } from '../testing/written-type.ts'

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
