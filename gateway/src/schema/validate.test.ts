import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_FINDINGS, MAX_STEPS, UnusableSchema } from './validation-state.ts'
import { validate } from './validate.ts'

const messages = (schema: Record<string, unknown>, value: unknown) =>
  validate(schema, value).map(({ path, message }) => `${path}: ${message}`)

describe('the words', () => {
  it.each([
    [{ contains: { type: 'string' } }, [1], ': must contain an item the schema asks for'],
    [
      { contains: { type: 'string' }, minContains: 2 },
      ['a', 1],
      ': must contain at least 2 items the schema asks for',
    ],
    [
      { contains: { type: 'string' }, maxContains: 1 },
      ['a', 'b'],
      ': must contain at most 1 item the schema asks for',
    ],
    [{ propertyNames: { maxLength: 1 } }, { ab: 1 }, ': must not have a property named "ab"'],
    [{ dependentRequired: { a: ['b'] } }, { a: 1 }, ': needs "b" because it has "a"'],
    [{ unevaluatedProperties: false }, { a: 1 }, 'a: is not allowed'],
    [{ prefixItems: [true], items: false }, [1, 2], '[1]: is not allowed'],
    [{ properties: { '0': { type: 'null' } } }, { '0': 1 }, '0: must be null'],
    [
      { oneOf: [{ type: 'number' }, { type: 'integer' }] },
      1,
      ': must have only one of the forms the schema allows',
    ],
    // A nested choice of types is one choice; a star is a character like any other.
    [
      { anyOf: [{ type: 'string' }, { oneOf: [{ type: 'array' }, { type: 'null' }] }] },
      1,
      ': must be string or array or null',
    ],
    [{ enum: ['*', '$&'] }, 1, ': must be one of "*", "$&"'],
  ])('of %j for %j', (schema, value, line) => {
    expect(messages(schema, value)).toEqual([line])
  })

  it('say once what two schemas say', () => {
    expect(messages({ allOf: [{ type: 'string' }, { type: 'string' }] }, 1)).toHaveLength(1)
  })
})

describe('names that every JavaScript object has', () => {
  const value = JSON.parse('{"__proto__": 1, "constructor": 2}') as unknown

  it('are data like any other', () => {
    const properties = JSON.parse('{"__proto__": {"type": "string"}}') as object
    expect(messages({ properties }, value)).toEqual(['__proto__: must be string'])
    expect(messages({ required: ['toString'] }, {})).toEqual(['toString: is required'])
    expect(messages({ additionalProperties: false }, value)).toHaveLength(2)
    expect(messages({ properties: {}, additionalProperties: false }, value)).toHaveLength(2)
    expect(() => validate({ $ref: '#/constructor' }, 1)).toThrow('leads nowhere')
  })

  it('make values different', () => {
    expect(messages({ const: {} }, value)).toHaveLength(1)
    expect(messages({ uniqueItems: true }, [value, {}])).toEqual([])
  })
})

describe('a schema that cannot be used', () => {
  it.each([
    [{ $ref: '#/$defs/a' }, 'its $ref "#/$defs/a" leads nowhere.'],
    [{ $ref: '#a' }, 'its $ref "#a" leads nowhere.'],
    [{ $ref: '#%' }, 'its $ref "#%" leads nowhere.'],
    [{ $ref: 'http://[' }, 'its $ref "http://[" leads nowhere: other documents are not fetched.'],
    [{ $id: 'http://[', $ref: 'a' }, 'its $id "http://[" is not a URI.'],
    [{ $ref: 1 }, 'it is not a valid JSON Schema.'],
    [{ required: true }, 'it is not a valid JSON Schema.'],
    [{ properties: [] }, 'it is not a valid JSON Schema.'],
    [{ anyOf: {} }, 'it is not a valid JSON Schema.'],
    [{ enum: 'a' }, 'it is not a valid JSON Schema.'],
    [{ minProperties: '1' }, 'it is not a valid JSON Schema.'],
    [{ type: {} }, 'it is not a valid JSON Schema.'],
    [{ required: [[]] }, 'it is not a valid JSON Schema.'],
    [{ allOf: [{ $ref: '#' }, { $ref: '#' }] }, 'it refers to itself without end.'],
    [{ anyOf: [{ not: { $ref: '#' } }] }, 'it refers to itself without end.'],
    [{ $schema: 7 }, 'its $schema 7 is not supported.'],
  ])('%j is told apart', (schema, problem) => {
    expect(() => validate(schema, {}, 'outputSchema')).toThrow(
      new UnusableSchema(problem.slice(0, -1), 'outputSchema'),
    )
  })

  it('says which of the two schemas it is', () => {
    const schema = { $ref: '#a' }
    expect(() => validate(schema, 1)).toThrow(/^The tool's inputSchema cannot/)
    expect(() => validate(schema, 1, 'outputSchema')).toThrow(/^The tool's outputSchema cannot/)
  })

  it('is no matter where the value does not touch what is wrong', () => {
    expect(validate({ properties: { a: { $ref: '#nowhere' } } }, { b: 1 })).toEqual([])
  })
})

describe('a pattern', () => {
  it('may have escapes that the flag "u" refuses', () => {
    expect(messages({ pattern: '^[\\w\\-_.]+\\@$' }, 'a-b@')).toEqual([])
    expect(messages({ pattern: '^[\\w\\-_.]+\\@$' }, 'a b')).toHaveLength(1)
  })

  it('counts a character outside the basic plane as one', () => {
    expect(messages({ pattern: '^.$', maxLength: 1 }, '💙')).toEqual([])
  })

  it('may name properties of Unicode', () => {
    expect(messages({ pattern: '^\\p{Lu}(\\p{L}|\\p{M})*$' }, 'Ærø')).toEqual([])
    expect(messages({ pattern: '^\\p{Lu}(\\p{L}|\\p{M})*$' }, 'ærø1')).toHaveLength(1)
  })

  it('never has a meaning it was not written with', () => {
    // Valid without the flag, but then `\p` is the letter p.
    expect(() => validate({ pattern: '\\p{Nonsense}\\-' }, 'x')).toThrow('not a regular expression')
  })

  it('is not tried on a string that the engine could not bear', () => {
    expect(messages({ pattern: '^(?:[a-z]{4})*$' }, 'a'.repeat(2_000_000))).toEqual([])
    expect(messages({ pattern: '^(?:[a-z]{4})*$' }, 'a'.repeat(2_000_004))).toEqual([
      ': is too long for the pattern in the schema',
    ])
  })
})

describe('the limits', () => {
  const nest = (depth: number) =>
    JSON.parse('{"next":'.repeat(depth) + 'null' + '}'.repeat(depth)) as unknown
  const list = {
    $defs: {
      node: { anyOf: [{ type: 'null' }, { properties: { next: { $ref: '#/$defs/node' } } }] },
    },
    $ref: '#/$defs/node',
  }

  it('let a value be nested a hundred levels deep', () => {
    expect(messages(list, nest(100))).toEqual([])
  })

  it.each([[list], [{ const: { next: 1 } }], [{ properties: { next: { $ref: '#' } } }]])(
    'of %j refuse a value that is nested ten thousand levels deep',
    (schema) => {
      expect(messages(schema, nest(10_000))).toEqual([': is nested too deeply to be checked'])
    },
  )

  it('are not reached by depth the schema does not look at', () => {
    expect(messages({ properties: { next: { type: 'object' } } }, nest(10_000))).toEqual([])
  })

  it('end a search that multiplies at every level', () => {
    const form = { type: 'object', properties: { next: { $ref: '#' } } }
    const schema = { anyOf: [form, form, form] }
    expect(messages(schema, nest(60))).toEqual([': takes too long to be checked'])
  })

  it('let an array have many items', () => {
    expect(messages({ items: { type: 'null' } }, Array(MAX_STEPS - 1).fill(null))).toEqual([])
  })

  it('end the list of what is wrong', () => {
    const value = Array(MAX_FINDINGS * 2).fill(0) as unknown
    expect(messages({ items: { type: 'string' } }, value)).toHaveLength(MAX_FINDINGS)
  })

  it('do not keep a schema from being nested deeply where it is only walked through', () => {
    let schema: Record<string, unknown> = { $anchor: 'a', type: 'string' }
    for (let depth = 0; depth < 10_000; depth++) schema = { items: schema }
    expect(messages({ $ref: '#a', $defs: { schema } }, 1)).toEqual([': must be string'])
  })
})

describe('whatever the schema', () => {
  it('the answer is a list or that the schema cannot be used', () => {
    const keyword = fc.constantFrom(
      ...['type', 'enum', 'const', '$ref', '$id', '$anchor', '$dynamicRef', '$dynamicAnchor'],
      ...['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'properties', 'required', 'items'],
      ...[
        'prefixItems',
        'contains',
        'minContains',
        'uniqueItems',
        'pattern',
        'format',
        'minLength',
      ],
      ...['minimum', 'multipleOf', 'patternProperties', 'propertyNames', 'additionalProperties'],
      ...[
        'dependencies',
        'dependentRequired',
        'unevaluatedProperties',
        'unevaluatedItems',
        '$schema',
      ],
    )
    const { schema } = fc.letrec<{ schema: unknown }>((tie) => ({
      schema: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom(true, null, 1, -1, '', '#', '#/a', 'a', '(', 'string', 'uri', 'http://['),
        fc.dictionary(keyword, tie('schema'), { maxKeys: 4 }),
        fc.array(tie('schema'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), tie('schema')),
      ),
    }))
    const object = fc.dictionary(keyword, schema, { minKeys: 1, maxKeys: 5 })
    fc.assert(
      fc.property(object, fc.jsonValue(), (schema, value) => {
        try {
          expect(validate(schema, value)).toBeInstanceOf(Array)
        } catch (error) {
          expect(error).toBeInstanceOf(UnusableSchema)
        }
      }),
      { numRuns: 3_000 },
    )
  })
})
