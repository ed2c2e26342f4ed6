import { describe, expect, it } from 'vitest'
import { argumentsOf, fieldsOf, problemOf, typedFrom } from './fields.ts'

const one = (property: object, required = false) =>
  fieldsOf({ properties: { it: property }, required: required ? ['it'] : [] })
const typed = (property: object, value: unknown, required = false) => {
  const { args, problems } = argumentsOf(one(property, required), { it: value })
  return problems[0]?.message ?? args['it']
}

describe('the field of', () => {
  it.each([
    [{ type: 'string' }, 'line'],
    [{ type: 'integer' }, 'number'],
    [{ type: 'boolean' }, 'flag'],
    [{ enum: ['a', 2] }, 'choice'],
    [{ type: 'array', items: { type: 'string' } }, 'list'],
    [{ type: 'array', items: { type: 'string', enum: ['a'] } }, 'choices'],
    [{ type: 'array', items: { type: 'number' } }, 'json'],
    [{ type: 'object' }, 'json'],
    [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, 'json'],
    [{ $ref: '#/$defs/it' }, 'json'],
    [{}, 'json'],
  ])('%j is a %s', (property, kind) => {
    expect(one(property)[0]?.kind).toBe(kind)
  })

  it('a prompt has more than one line', () => {
    expect(fieldsOf({ properties: { prompt: { type: 'string' } } })[0]?.kind).toBe('text')
  })

  it('something that is needed comes first', () => {
    const schema = { properties: { a: {}, b: {}, c: {} }, required: ['c'] }
    expect(fieldsOf(schema).map(({ name }) => name)).toEqual(['c', 'a', 'b'])
  })
})

describe('what was typed', () => {
  it('becomes what the schema means', () => {
    expect(typed({ type: 'number' }, '1.5')).toBe(1.5)
    expect(typed({ enum: ['a', 2] }, '2')).toBe(2)
    expect(typed({ type: 'object' }, '{"a": [1]}')).toEqual({ a: [1] })
    expect(typed({ type: 'string' }, ' kept ')).toBe(' kept ')
    expect(typed({ type: 'boolean' }, false, true)).toBe(false)
  })

  it('is left out where it is empty, unless it is needed', () => {
    expect(typed({ type: 'number' }, '')).toBeUndefined()
    expect(typed({ type: 'array', items: { type: 'string' } }, [])).toBeUndefined()
    expect(typed({ type: 'string' }, '', true)).toBe('is needed')
  })

  it('that cannot be meant is said', () => {
    expect(typed({ type: 'integer' }, '1.5')).toBe('must be a whole number')
    expect(typed({ type: 'number', minimum: 2 }, '1')).toBe('must be 2 or more')
    expect(typed({ type: 'number', maximum: 2 }, '3')).toBe('must be 2 or less')
    expect(typed({ type: 'number' }, 'x')).toBe('must be a number')
    expect(typed({ type: 'object' }, '{a')).toContain('is not JSON')
  })

  it('a default that was switched off is told', () => {
    expect(typed({ type: 'boolean', default: true }, false)).toBe(false)
  })
})

it('arguments of before come back as they were', () => {
  const schema = {
    properties: {
      text: { type: 'string' },
      size: { type: 'object' },
      on: { type: 'boolean' },
      count: { type: 'integer', default: 3 },
    },
  }
  const fields = fieldsOf(schema)
  const args = { text: 'a', size: { width: 1 }, on: true }
  expect(argumentsOf(fields, typedFrom(fields, args)).args).toEqual({ ...args, count: 3 })
})

it.each([
  ['size', 'size', 'wrong'],
  ['size.width', 'size', 'width wrong'],
  ['styles[0]', 'styles', '[0] wrong'],
  ['/size/width', 'size', 'width wrong'],
  ['sizes', 'size', undefined],
  ['', 'size', undefined],
])('a problem at "%s" is shown at %s as "%s"', (path, name, words) => {
  expect(problemOf(name, [{ path, message: 'wrong' }])).toBe(words)
})
