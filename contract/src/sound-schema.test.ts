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

  // As servers in public reports send them: their clients lost every tool, or the model's provider refused the request.
  it.each([
    [
      'the list of required members among the members (Hyperliquid)',
      one({}, { properties: { coin: { type: 'string' }, required: ['coin'] } }),
      one({}, { properties: { coin: { type: 'string' } }, required: ['coin'] }),
    ],
    [
      'members that say themselves whether they are required (draft 3)',
      one({}, { properties: { a: { required: true }, b: { required: false } }, required: ['c'] }),
      one({}, { properties: { a: {}, b: {} }, required: ['c', 'a'] }),
    ],
    [
      'a name that is required twice',
      one({}, { required: ['a', 'a'] }),
      one({}, { required: ['a'] }),
    ],
    [
      'names and values that are repeated elsewhere',
      one({ enum: ['x', 'y', 'x'] }, { dependentRequired: { a: ['b', 'b'] } }),
      one({ enum: ['x', 'y'] }, { dependentRequired: { a: ['b'] } }),
    ],
    [
      'descriptions of another form',
      one({ examples: 'x', deprecated: 'no', readOnly: 1, contentEncoding: true, $vocabulary: '' }),
      one({ examples: ['x'] }),
    ],
    [
      'an anchor of draft 7 where no draft is named',
      one({ $ref: '#x' }, { $defs: { b: { $id: '#x', type: 'string' }, c: { $id: 'c#y' } } }),
      one({ $ref: '#x' }, { $defs: { b: { $anchor: 'x', type: 'string' }, c: { $id: 'c' } } }),
    ],
    ['the examples of OpenAPI', one({ examples: { small: { value: 1 } } }), one({})],
  ])('%s', (_, sent, read) => {
    expect(soundSchema(sent)).toEqual({ schema: read, lost: [] })
  })

  it('and the names of older drafts are not kept', () => {
    const draft4 = { ...one({}), $schema: 'http://json-schema.org/draft-04/schema#' }
    expect(soundSchema(draft4)).toEqual({ schema: one({}), lost: [] })
  })
})

describe('a tuple in the form of older drafts', () => {
  const DRAFT_7 = { $schema: 'http://json-schema.org/draft-07/schema#' }
  const number = { type: 'number' }
  const old = { type: 'array', minItems: 2, maxItems: 2, items: [number, number] }
  const newest = { ...old, items: {}, prefixItems: [number, number] }

  // hyperdxio/hyperdx#2925: z.tuple() in the official SDK 1.x.
  it.each([
    ['with the name of its draft', DRAFT_7],
    ['without', {}],
    ['with a draft that is not known', { $schema: 'http://json-schema.org/draft-04/schema#' }],
  ])('is written in 2020-12: %s', (_, more) => {
    expect(soundSchema(one(old, more))).toEqual({ schema: one(newest), lost: [] })
  })

  it('has its further items', () => {
    const [open, closed] = [{ type: 'string' }, false].map((additionalItems) =>
      propertyOf({ items: [number], additionalItems }),
    )
    expect(open).toEqual([{ prefixItems: [number], items: { type: 'string' } }, []])
    expect(closed).toEqual([{ prefixItems: [number], items: false }, []])
  })

  it('and references lead into it', () => {
    const at = (place: string) => ({ $ref: `#/properties/a/${place}` })
    const more = (items: string, further: string) => ({
      $defs: {
        ...{ b: at(`${items}/0`), c: at(further), d: at(`${items}/1/items`) },
        'of 1/2<3>': { [items]: [number] },
        e: { $ref: `#/$defs/of%201~12%3C3%3E/${items}/0` },
      },
      additionalProperties: { items: { type: 'string' } },
    })
    const inner = { items: number }
    const sent = one(
      { items: [number, inner], additionalItems: inner },
      more('items', 'additionalItems'),
    )
    const read = one({ prefixItems: [number, inner], items: inner }, more('prefixItems', 'items'))
    expect(soundSchema({ ...sent, ...DRAFT_7 })).toEqual({ schema: read, lost: [] })
  })

  it.each([
    ['what stands beside a reference', { $defs: { b: { $ref: '#', minLength: 1 } } }],
    ['dependencies', { dependencies: { a: ['b'] } }],
    ['an anchor', { $defs: { b: { $id: '#b' } } }],
  ])('stays where %s would mean something else', (_, more) => {
    const schema = { ...DRAFT_7, ...one(old, more) }
    expect(soundSchema(schema)).toEqual({ schema, lost: [] })
  })

  describe('of results, which clients check', () => {
    const ofResults = (schema: object) =>
      soundSchema(schema as Record<string, unknown>, { ofResults: true }).schema

    it('stays with the name of its draft', () => {
      const schema = { ...DRAFT_7, ...one(old) }
      expect(ofResults(schema)).toBe(schema)
    })

    // Cursor, and the official SDK, hold `items` against all items: ScriptedAlchemy/agent-bundle#580.
    it('says nothing of further items', () => {
      const further = { type: 'string' }
      const read = one({ prefixItems: [number] })
      expect(ofResults(one({ items: [number], additionalItems: further }))).toEqual(read)
      expect(ofResults(one({ prefixItems: [number], items: further }))).toEqual(read)
      // Where less said means less allowed, it stays.
      const not = { not: one({ prefixItems: [number], items: further }) }
      expect(ofResults(not)).toEqual(not)
    })
  })
})

// OpenAI refuses a request, with all of its tools: "array schema missing items".
describe('a list of anything says so', () => {
  const list = { type: 'array' }
  const said = { type: 'array', items: {} }

  it.each([
    ['at each level', one({ oneOf: [list, one(list)] }), one({ oneOf: [said, one(said)] })],
    ['with the name of another language', one({ type: 'list' }), one(said)],
    [
      'that may be null',
      one({ ...list, nullable: true }),
      one({ ...said, type: ['array', 'null'] }),
    ],
    ['where what was said means nothing', one({ ...list, items: null }), one(said)],
    ['beside a reference into it', one(list, { not: { $ref: '#/properties/a' } }), undefined],
  ])('%s', (_, sent, read = one(said, { not: { $ref: '#/properties/a' } })) => {
    expect(soundSchema(sent)).toEqual({ schema: read, lost: [] })
  })

  it.each([
    ['where that would change what is valid', one(list, { not: { unevaluatedItems: false } }), {}],
    ['of results: no provider of models reads them', one(list), { ofResults: true }],
    ['that says what it has', one({ ...list, items: { type: 'string' } }), {}],
    ['that has none', one({ ...list, items: false }), {}],
  ])('but not one %s', (_, schema, options) => {
    expect(soundSchema(schema, options)).toEqual({ schema, lost: [] })
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
    one({ prefixItems: [true, { minItems: 2 }], items: false, dependencies: { a: ['b'] } }),
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

  it('with tuples in tuples, and lists of names that are long', () => {
    const names = each(50_000, (index) => `n${index}`)
    const properties = Object.fromEntries(names.map((name) => [name, { required: true }]))
    const listed = { properties: { ...properties, required: names }, required: names }
    const { schema } = soundSchema({
      ...listed,
      ...defs(20_000, () => ({ items: [{ items: [{}] }] })),
    })
    expect(schema['required']).toHaveLength(50_000)
    expect(schema['$defs']).toHaveProperty('d19999', { prefixItems: [{ prefixItems: [{}] }] })
  })

  it('with many parts, and many that are lost', () => {
    const schema = { allOf: each(190_000, () => ({ minimum: 'x' })) }
    const sound = soundSchema(schema)
    expect(sound.lost).toHaveLength(190_000)
    expect(sound.schema['allOf']).toHaveLength(190_000)
  })
})
