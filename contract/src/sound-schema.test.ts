import { describe, expect, it } from 'vitest'
import { soundSchema } from './sound-schema.ts'

const one = (property: unknown, more: object = {}) => ({
  type: 'object',
  properties: { a: property },
  ...more,
})
const propertyOf = (property: unknown, more?: object) => {
  const { schema, lost } = soundSchema(one(property, more))
  return [(schema['properties'] as { a: unknown }).a, lost]
}

describe('what means the same is translated', () => {
  it.each([
    [{ minimum: 1, exclusiveMinimum: true }, { exclusiveMinimum: 1 }],
    [{ maximum: 1, exclusiveMaximum: false, exclusiveMinimum: true }, { maximum: 1 }],
    [
      { type: 'string', nullable: true, enum: ['x'] },
      { type: ['string', 'null'], enum: ['x', null] },
    ],
    [
      { nullable: true, $ref: '#', description: 'd' },
      { description: 'd', anyOf: [{ $ref: '#' }, { type: 'null' }] },
    ],
    [{ nullable: true }, {}],
    [{ type: 'STRING' }, { type: 'string' }],
    [{ type: ['str', 'none'] }, { type: ['string', 'null'] }],
    [{ type: 'any' }, {}],
    [{ pattern: '(?P<a>\\d+)(?P=a)\\Z' }, { pattern: '(\\d+)(?:\\1)$' }],
    [{ pattern: '(?s)a.b[.]' }, { pattern: 'a[\\s\\S]b[.]' }],
    [{ pattern: '(a)[(](?:b)(?P<c>c)(?P=c)1\\Z' }, { pattern: '(a)[(](?:b)(c)(?:\\2)1$' }],
    [{ pattern: '(?i)^a[b-d]$' }, { pattern: '^[aA][b-db-dB-D]$' }],
    [{ pattern: '^a\\-b\\_{c}$' }, { pattern: '^a\\x2db\\x5f\\{c\\}$' }],
    [{ pattern: '^\\[]\\-\\{,}$' }, { pattern: '^\\[\\]\\x2d\\{,\\}$' }],
    [{ items: null, required: null, description: null }, {}],
    [{ id: 'x', type: 'string' }, { type: 'string' }],
  ])('%j', (property, translated) => {
    expect(propertyOf(property)).toEqual([translated, []])
  })

  it('and the names of older drafts are not kept', () => {
    const draft4 = { ...one({}), $schema: 'http://json-schema.org/draft-04/schema#' }
    expect(soundSchema(draft4)).toEqual({ schema: one({}), lost: [] })
  })
})

describe('what means nothing is removed, with a reason', () => {
  it.each([
    [{ $ref: '#/$defs/none' }, {}, '$ref "#/$defs/none" leads nowhere'],
    [{ $ref: 'https://x.example/y.json' }, {}, '$ref "https://x.example/y.json" leads nowhere'],
    [{ type: 'uuid', title: 't' }, { title: 't' }, 'type "uuid" is not valid'],
    [{ pattern: '(' }, {}, 'pattern "(" is not a regular expression here'],
    [{ pattern: '(?i)\\x41' }, {}, 'pattern'],
    // Python, Go and JavaScript do not agree on what these mean, and only JavaScript refuses them.
    [{ pattern: '^[^]]+$' }, {}, 'pattern'],
    [{ pattern: '^\\\\[]a]$' }, {}, 'pattern'],
    [{ pattern: '^a{,3}$' }, {}, 'pattern'],
    [{ pattern: '^[[:alpha:]]+$' }, {}, 'pattern'],
    [{ minimum: '1' }, {}, 'minimum "1" is not valid'],
    [{ enum: [] }, {}, 'enum [] is not valid'],
    [{ items: 5 }, {}, 'items 5 must be a schema'],
    [5, {}, 'properties 5 must be a schema'],
  ])('%j', (property, sound, lost) => {
    const [read, [reason, ...more]] = propertyOf(property) as [unknown, string[]]
    expect([read, more]).toEqual([sound, []])
    expect(reason).toContain(lost)
  })

  it('and so is a long expression, whose translation would take a server’s list seconds', () => {
    const named = (length: number) => ({ pattern: `(?P<a>${'b'.repeat(length - 7)})` })
    expect(propertyOf(named(10_000))[0]).toHaveProperty('pattern')
    expect(propertyOf(named(10_001))[0]).toEqual({})
  })

  it('and never makes the rest stricter', () => {
    const odd = { type: 'string', pattern: '(' }
    expect(propertyOf({ not: odd })[0]).toEqual({})
    expect(propertyOf({ oneOf: [odd, { type: 'string' }] })[0]).toEqual({})
    expect(propertyOf({ if: odd, then: false })[0]).toEqual({})
    expect(propertyOf({ anyOf: [odd] })[0]).toEqual({ anyOf: [{ type: 'string' }] })
    expect(propertyOf({ $ref: '#/none', unevaluatedProperties: false })[0]).toEqual({})
    const patterns = { patternProperties: { '(': {} }, additionalProperties: false }
    expect(propertyOf(patterns)[0]).toEqual({ patternProperties: {} })
    expect(propertyOf({ properties: { x: 5 }, additionalProperties: false })[0]).toEqual({
      properties: { x: {} },
      additionalProperties: false,
    })
  })

  it('and so is a reference to what was removed', () => {
    const refs = one({ $ref: '#/$defs/b/not' }, { $defs: { b: { not: { pattern: '(' } } } })
    expect(soundSchema(refs).schema).toEqual(one({}, { $defs: { b: {} } }))
  })

  it.each([
    ['itself', { $ref: '#/$defs/a' }],
    ['another that leads back', { $ref: '#/$defs/b' }],
  ])('a reference that leads to %s without end', (_, a) => {
    const defs = { $defs: { a, b: { $ref: '#/$defs/a' } } }
    expect(propertyOf({ $ref: '#/$defs/a' }, defs)[0]).toEqual({})
  })
})

describe('a schema that clients understand', () => {
  it.each([
    one({ $ref: '#/$defs/a~1b%20c' }, { $defs: { 'a/b c': { $ref: '#' } } }),
    one({ $ref: '#x' }, { $defs: { a: { $anchor: 'x' } } }),
    one({ $ref: 'item#/$defs/y' }, { $defs: { a: { $id: 'item', $defs: { y: {} } } } }),
    one({ pattern: '^(?<a>\\p{L}+)$', format: 'odd', 'x-own': null, const: null, default: null }),
    one(true, { required: ['a'], $schema: 'https://json-schema.org/draft/2020-12/schema' }),
    one({ items: [true, { minItems: 2 }], additionalItems: false, dependencies: { a: ['b'] } }),
    JSON.parse('{"properties":{"__proto__":{"type":"string"}}}') as object,
  ])('%j is the same object', (schema) => {
    const sound = soundSchema(schema as Record<string, unknown>)
    expect(sound.lost).toEqual([])
    expect(sound.schema).toBe(schema)
  })

  it('keeps a property called __proto__ where something else changes', () => {
    const schema = JSON.parse('{"properties":{"__proto__":{"type":"str"}}}') as object
    expect(JSON.stringify(soundSchema(schema as Record<string, unknown>).schema)).toBe(
      '{"properties":{"__proto__":{"type":"string"}}}',
    )
  })
})

// Each took minutes, or more stack than there is.
describe('a schema of a hostile server is read in a time that grows with its size', () => {
  const each = <T>(length: number, of: (index: number) => T): T[] =>
    Array.from({ length }, (_, index) => of(index))
  const defs = (length: number, of: (index: number) => object) => ({
    $defs: Object.fromEntries(each(length, (index) => [`d${index}`, of(index)])),
  })

  it('with many references that lead to each other', () => {
    const { lost } = soundSchema(defs(20_000, (index) => ({ $ref: `#/$defs/d${index + 1}` })))
    expect(lost[0]).toMatch(/^\$ref "#\/\$defs\/d\d+" leads nowhere$/)
  })

  it('with many addresses', () => {
    const schema = {
      ...defs(60_000, (index) => ({ $id: `http://x.example/${index}` })),
      allOf: each(60_000, (index) => ({ $ref: `http://x.example/${index}` })),
    }
    expect(soundSchema(schema)).toEqual({ schema, lost: [] })
  })

  it('with many parts, and many that are lost', () => {
    const schema = { allOf: each(190_000, () => ({ minimum: 'x' })) }
    const sound = soundSchema(schema)
    expect(sound.lost).toHaveLength(190_000)
    expect(sound.schema['allOf']).toHaveLength(190_000)
  })
})
