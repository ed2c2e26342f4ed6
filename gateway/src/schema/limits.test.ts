import { describe, expect, it } from 'vitest'
import { validate } from './validate.ts'
import { processorMs } from '../../../test/support/processor-time.ts'

/** What a caller can fit into the 4 MiB of a request. */
const MANY = 400_000
const LATE = [{ path: '', message: 'takes too long to be checked' }]

const names = (count: number, prefix = 'k') =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`)
const objectOf = <T>(keys: string[], value: T): Record<string, T> =>
  Object.fromEntries(keys.map((key) => [key, value]))

describe('a large value against a large schema is refused in time', () => {
  it.each<[string, Record<string, unknown>, unknown]>([
    [
      'patternProperties for many names',
      { patternProperties: objectOf(names(100, '^x'), true) },
      objectOf(names(MANY / 2), 1),
    ],
    [
      'names that are required of every item',
      { contains: { required: names(10_000) } },
      Array(MANY).fill({}),
    ],
    [
      'properties of every item',
      { items: { properties: objectOf(names(10_000), {}) } },
      Array(MANY).fill({}),
    ],
    [
      'dependentRequired of every item',
      { items: { dependentRequired: objectOf(names(10_000), []) } },
      Array(MANY).fill({}),
    ],
    ['values of an enum', { items: { enum: names(10_000) } }, Array(MANY).fill('k9999')],
    [
      'objects of an enum',
      { contains: { enum: names(1_000).map((name) => ({ name })) } },
      Array(MANY).fill({}),
    ],
    [
      'forms that are false',
      { contains: { anyOf: Array(1_000).fill(false) } },
      Array(MANY).fill(1),
    ],
    ['forms that are true', { items: { allOf: Array(1_000).fill(true) } }, Array(MANY).fill(1)],
    [
      'what has been seen',
      { allOf: Array(500).fill({ additionalProperties: true, unevaluatedProperties: false }) },
      objectOf(names(MANY / 4), 1),
    ],
    [
      'long references',
      { items: { $ref: `#/$defs/${'a'.repeat(100_000)}` }, $defs: { ['a'.repeat(100_000)]: {} } },
      Array(MANY).fill(1),
    ],
    [
      'the length of a long text',
      { allOf: Array(10_000).fill({ maxLength: 10_000_000 }) },
      '💙'.repeat(1_000_000),
    ],
    [
      'a pattern that goes back',
      { contains: { pattern: '^(([a-z])+.)+[A-Z]([a-z])+$' } },
      Array(4_000).fill('a'.repeat(10_000)),
    ],
  ])('%s', (_, schema, value) => {
    const started = processorMs()
    expect(validate(schema, value).slice(0, 2)).toEqual(LATE)
    // Without a limit most of these take minutes.
    expect(processorMs() - started).toBeLessThan(10_000)
  })
})

describe('a large value that an ordinary schema allows is accepted', () => {
  it.each<[string, Record<string, unknown>, unknown]>([
    [
      'a table of numbers',
      { items: { items: { type: 'number' } } },
      Array(15_000).fill(Array(10).fill(1)),
    ],
    [
      'names with a pattern',
      { propertyNames: { pattern: '^[a-z0-9]+$' }, additionalProperties: { type: 'number' } },
      objectOf(names(50_000), 1),
    ],
    [
      'a file in base64',
      { pattern: '^(?:[0-9a-zA-Z+/]{4})*(?:(?:[0-9a-zA-Z+/]{2}==)|(?:[0-9a-zA-Z+/]{3}=))?$' },
      'abcd'.repeat(490_000),
    ],
    ['unique items', { uniqueItems: true }, names(100_000)],
  ])('%s', (_, schema, value) => {
    expect(validate(schema, value)).toEqual([])
  })
})

describe('what is said of a wrong value', () => {
  const size = (schema: Record<string, unknown>, value: unknown) =>
    JSON.stringify(validate(schema, value)).length

  it('does not repeat a long name a hundred times', () => {
    const value = { ['n'.repeat(1_000_000)]: objectOf(names(200), 1) }
    const schema = { additionalProperties: { additionalProperties: false } }
    expect(size(schema, value)).toBeLessThan(200_000)
    expect(size({ propertyNames: false }, value)).toBeLessThan(2_000)
  })

  it('does not list all values of a long enum', () => {
    const schema = { items: { enum: names(10_000) } }
    expect(size(schema, Array(200).fill(1))).toBeLessThan(200_000)
    expect(validate({ enum: ['x'.repeat(5_000)] }, 1)[0]?.message).toBe(
      `must be one of "${'x'.repeat(999)}…`,
    )
  })
})
