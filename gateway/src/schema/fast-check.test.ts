import { describe, expect, it } from 'vitest'
import { fitsPlainly } from './fast-check.ts'

const SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    text: { type: 'string', description: 'Any text', default: '' },
    count: { type: 'integer' },
    size: { type: 'object', properties: { width: { type: 'number' } }, required: ['width'] },
    loud: { type: 'boolean' },
  },
  required: ['text'],
}

describe('a plain schema is seen to fit', () => {
  it.each([
    { text: '' },
    { text: 'a', count: 1, size: { width: 0.5, depth: 'any' }, loud: false, more: null },
  ])('%j', (value) => expect(fitsPlainly(SCHEMA, value)).toBe(true))

  it('without additional properties', () => {
    expect(fitsPlainly({ ...SCHEMA, additionalProperties: false }, { text: '' })).toBe(true)
  })
})

describe('what does not fit is left to the whole check', () => {
  it.each([
    {},
    { text: 1 },
    { text: 'a', count: 1.5 },
    { text: 'a', size: {} },
    { text: 'a', size: [] },
    { text: 'a', loud: null },
    [],
    null,
  ])('%j', (value) => expect(fitsPlainly(SCHEMA, value)).toBe(false))

  it('also a property too many', () => {
    const schema = { ...SCHEMA, additionalProperties: false }
    expect(fitsPlainly(schema, { text: '', more: 1 })).toBe(false)
  })
})

describe('a schema that says more is left to the whole check', () => {
  it.each([
    ['a keyword of its own', { maxProperties: 0 }],
    ['a property with one', { properties: { text: { type: 'string', maxLength: 0 } } }],
    ['a property without a type', { properties: { text: {} } }],
    ['a property that is a boolean', { properties: { text: false } }],
    ['a schema for all others', { additionalProperties: { type: 'number' } }],
    ['several types', { type: ['object', 'null'] }],
    ['names that are none', { required: [1] }],
    ['properties that are none', { properties: null }],
    ['additional properties that are nothing known', { additionalProperties: 'no' }],
  ])('%s', (_what, more) => {
    expect(fitsPlainly({ ...SCHEMA, ...more }, { text: 'a' })).toBe(false)
  })
})
