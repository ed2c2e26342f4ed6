import { describe, expect, it } from 'vitest'
import { schemaValidator, UnusableSchema } from './argument-validator.ts'

const check = (properties: object, args: unknown, more: object = {}) =>
  schemaValidator.validate({ type: 'object', properties, ...more }, args)

describe('the words of a broken rule', () => {
  it.each([
    [{ type: 'string' }, 1, 'must be string'],
    [{ type: ['string', 'null'] }, 1, 'must be string or null'],
    [{ type: 'integer' }, 1.5, 'must be integer'],
    [{ enum: ['a', 'b, c', 1] }, 'x', 'must be one of "a", "b, c", 1'],
    [{ const: 'on' }, 'off', 'must be "on"'],
    [{ minimum: 0 }, -5, 'must be at least 0'],
    [{ maximum: 1.5 }, 7, 'must be at most 1.5'],
    [{ minimum: -10 }, -11, 'must be at least -10'],
    [{ exclusiveMinimum: 0 }, 0, 'must be greater than 0'],
    [{ exclusiveMaximum: 10 }, 10, 'must be less than 10'],
    [{ multipleOf: 8 }, 9, 'must be a multiple of 8'],
    [{ minLength: 3 }, 'ab', 'must have at least 3 characters'],
    [{ maxLength: 1 }, 'ab', 'must have at most 1 character'],
    [{ minItems: 2 }, [1], 'must have at least 2 items'],
    [{ maxItems: 1 }, [1, 2], 'must have at most 1 item'],
    [{ uniqueItems: true }, [1, 1], 'must not have equal items'],
    [{ pattern: '^a' }, 'b', 'must match the pattern in the schema'],
    [{ format: 'email' }, 'b', 'must be a valid email'],
    [{ not: {} }, 1, 'has a form the schema excludes'],
    [{ maxProperties: 0 }, { a: 1 }, 'must have at most 0 properties'],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 1, 'must be string or null'],
    [
      {
        oneOf: [
          { type: 'string', minLength: 3 },
          { type: 'string', maxLength: 1 },
        ],
      },
      'ab',
      'must have one of the forms the schema allows',
    ],
    [
      { oneOf: [{ type: 'string', minLength: 3 }, { type: 'number' }] },
      'ab',
      'must have at least 3 characters',
    ],
    [{ type: 'string', nullable: true }, 1, 'must be string'],
  ])('%j refuses %j', (schema, value, message) => {
    expect(check({ field: schema }, { field: value })).toEqual([{ path: 'field', message }])
  })
})

describe('the path', () => {
  it('names a property that is missing', () => {
    const errors = check({ message: { type: 'string' } }, {}, { required: ['message'] })
    expect(errors).toEqual([{ path: 'message', message: 'is required' }])
  })

  it('names a property that is one too many', () => {
    const errors = check({}, { more: 1 }, { additionalProperties: false })
    expect(errors).toEqual([{ path: 'more', message: 'is not allowed' }])
  })

  it('leads into arrays and objects', () => {
    const item = { type: 'object', properties: { name: { type: 'string' } }, required: ['id'] }
    expect(check({ items: { type: 'array', items: item } }, { items: [{ name: 5 }] })).toEqual([
      { path: 'items[0].id', message: 'is required' },
      { path: 'items[0].name', message: 'must be string' },
    ])
  })

  it('shows a name with slashes and other signs as it is', () => {
    expect(check({ 'a/b~c ü': { type: 'string' } }, { 'a/b~c ü': 1 })).toEqual([
      { path: 'a/b~c ü', message: 'must be string' },
    ])
  })

  it('names every property that does not fit', () => {
    const errors = check({ a: { type: 'string' }, b: { type: 'number' } }, { a: 1, b: 'x' })
    expect(errors.map(({ path }) => path)).toEqual(['a', 'b'])
  })
})

describe('schemas', () => {
  it('follows references inside the schema', () => {
    const $defs = { size: { type: 'integer', minimum: 1 } }
    expect(check({ size: { $ref: '#/$defs/size' } }, { size: 0 }, { $defs })).toEqual([
      { path: 'size', message: 'must be at least 1' },
    ])
  })

  it('takes arguments that fit', () => {
    expect(check({ a: { type: 'string' } }, { a: 'x', b: 1 })).toEqual([])
  })

  it.each([
    ['http://json-schema.org/draft-07/schema#'],
    ['https://json-schema.org/draft/2019-09/schema'],
    ['https://json-schema.org/draft/2020-12/schema'],
  ])('knows the dialect %s', ($schema) => {
    expect(check({ a: { type: 'string' } }, { a: 1 }, { $schema })).toHaveLength(1)
  })

  it.each([
    [
      { $schema: 'https://example.com/mine' },
      '$schema "https://example.com/mine" is not supported',
    ],
    [{ $ref: 'https://example.com/other' }, '$ref "https://example.com/other" leads nowhere'],
    [{ properties: { a: { pattern: '(' } } }, 'is not a regular expression'],
    [{ properties: { a: null } }, 'is not a valid JSON Schema'],
    [{ $ref: '#' }, 'refers to itself without end'],
  ])('says what is wrong with %j', (schema, problem) => {
    const validate = () => schemaValidator.validate(schema, { a: 'x' })
    expect(validate).toThrow(UnusableSchema)
    expect(validate).toThrow(problem)
  })
})
