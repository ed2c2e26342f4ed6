import { describe, expect, it } from 'vitest'
import { namedArguments, ownArguments } from './argument-names.ts'

const text = { type: 'string' }
function named(properties: object, more: object = {}) {
  const { schema, own } = namedArguments({ type: 'object', properties, ...more })
  return { schema, own }
}

// As servers in public reports have them.
describe('names of arguments that providers refuse', () => {
  it('are published in another form, with the own one beside it (Twilio)', () => {
    const own = {
      'DateCreated<': text,
      'DateCreated>': { ...text, description: 'After.' },
      To: text,
    }
    expect(named(own, { required: ['To', 'DateCreated<'] })).toEqual({
      schema: {
        type: 'object',
        properties: {
          DateCreated_lt: { ...text, description: '"DateCreated<" of the server.' },
          DateCreated_gt: { ...text, description: '"DateCreated>" of the server. After.' },
          To: text,
        },
        required: ['To', 'DateCreated_lt'],
      },
      own: { DateCreated_lt: 'DateCreated<', DateCreated_gt: 'DateCreated>' },
    })
  })

  it.each([
    ['rule_name[]', 'rule_name'],
    ['$filter', 'filter'],
    ['@odata.type', 'odata.type'],
    ['page[number]', 'page_number'],
    ['品名', 'argument'],
    ['', 'argument'],
    ['settings__'.repeat(9), 'settings__'.repeat(9).slice(0, 64)],
  ])('%j', (name, published) => {
    expect(named({ [name]: text }).own).toEqual({ [published]: name })
  })

  it('never become one that another argument has', () => {
    const long = 'a'.repeat(64)
    const names = ['a[]', 'a', 'a[][]', 'a_2', `${long}1`, `${long}2`]
    expect(named(Object.fromEntries(names.map((name) => [name, text]))).own).toEqual({
      a_3: 'a[]',
      a_4: 'a[][]',
      [long]: `${long}1`,
      [`${'a'.repeat(62)}_2`]: `${long}2`,
    })
  })

  it('lose the rules at the top that name them', () => {
    const rules = { if: { required: ['a b'] }, then: {}, dependentRequired: { 'a b': ['c'] } }
    const { schema } = named({ 'a b': true, c: false }, { ...rules, minProperties: 1 })
    expect(schema).toEqual({
      type: 'object',
      properties: { a_b: { description: '"a b" of the server.' }, c: false },
      minProperties: 1,
    })
  })
})

it('a schema whose names can be taken is the same object', () => {
  const schema = { type: 'object', properties: { a: text, 'b.c-d': text } }
  expect(namedArguments(schema).schema).toBe(schema)
  expect(namedArguments(schema)).not.toHaveProperty('own')
  expect(namedArguments({ type: 'object' }).schema).toEqual({ type: 'object' })
})

describe('the server gets its own names', () => {
  it('of the arguments that have others here', () => {
    const args = { To_lt: 1, other: 2, 'To>': 3 }
    expect(ownArguments(args, { To_lt: 'To<' })).toEqual({ 'To<': 1, other: 2, 'To>': 3 })
    expect(ownArguments(args, undefined)).toBe(args)
    // What was checked is what the server gets.
    expect(ownArguments({ To_lt: 1, 'To<': 2 }, { To_lt: 'To<' })).toEqual({ 'To<': 1 })
  })

  it('also of one that objects have of themselves', () => {
    const args = JSON.parse('{"__proto__":1,"constructor":2}') as Record<string, unknown>
    expect(JSON.stringify(ownArguments(args, { a: 'b' }))).toBe('{"__proto__":1,"constructor":2}')
  })
})

it('many long names that differ at their end are read in a time that grows with their number', () => {
  const names = Array.from({ length: 50_000 }, (_, nth) => 'a'.repeat(80) + nth)
  const { own } = named(Object.fromEntries(names.map((name) => [name, text])))
  expect(Object.values(own ?? {})).toEqual(names)
})
