import { describe, expect, it } from 'vitest'
import { JsonTooDeep, MAX_BRACKETS, parseJson, tooDeep } from './json-limits.ts'

const arrays = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
const objects = (levels: number) => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels)

describe('depth', () => {
  it.each([
    ['arrays', arrays],
    ['objects', objects],
  ])('of %s is let through up to the limit and not beyond', (_, nested) => {
    expect(parseJson(nested(64))).toEqual(JSON.parse(nested(64)))
    expect(() => parseJson(nested(65))).toThrow(JsonTooDeep)
    expect(parseJson(nested(3), { depth: 3 })).toEqual(JSON.parse(nested(3)))
    expect(() => parseJson(nested(4), { depth: 3 })).toThrow('nests deeper than 3 levels')
  })

  it('is found behind many shallow values and in the last member', () => {
    const wide = `[${'{"a":[1]},'.repeat(1_000)}{"a":1,"b":${arrays(63)}}]`
    expect(() => parseJson(wide)).toThrow(JsonTooDeep)
    expect(parseJson(wide, { depth: 65 })).toHaveLength(1_001)
  })

  it('does not count brackets inside strings', () => {
    const text = JSON.stringify({ a: arrays(500), ['{'.repeat(500)]: '\\"[[' })
    expect(parseJson(text)).toEqual(JSON.parse(text))
  })

  it('of a million levels is found without running out of stack', () => {
    let value: unknown = null
    for (let level = 0; level < 1_000_000; level++) value = level % 2 ? [value] : { value }
    expect(tooDeep(value)).toBe(true)
    expect(tooDeep(value, 1_000_000)).toBe(false)
    expect(tooDeep(value, 999_999)).toBe(true)
  })

  it.each([[null], [1], ['[[['], [true], [undefined]])('of %j is none', (value) => {
    expect(tooDeep(value, 0)).toBe(false)
  })
})

describe('width', () => {
  it('of long flat lists and long strings is no matter', () => {
    expect(parseJson(`[${'1,'.repeat(MAX_BRACKETS)}1]`)).toHaveLength(MAX_BRACKETS + 1)
    expect(parseJson(JSON.stringify('a'.repeat(4_000_000)))).toHaveLength(4_000_000)
  })

  it.each(['[]', '{}'])('of %s is let through up to the limit and not beyond', (value) => {
    const list = (length: number) => `[${Array<string>(length).fill(value).join()}]`
    expect(parseJson(list(MAX_BRACKETS - 1))).toHaveLength(MAX_BRACKETS - 1)
    expect(() => parseJson(list(MAX_BRACKETS))).toThrow(/more than 200000 arrays and objects/)
  })

  it('is refused before the text is looked at as JSON', () => {
    expect(() => parseJson('['.repeat(2_000_000))).toThrow(JsonTooDeep)
  })
})

describe('what is not JSON', () => {
  it.each(['', '{', '[1,]', 'undefined', arrays(3) + ']'])('is a SyntaxError: %s', (text) => {
    expect(() => parseJson(text)).toThrow(SyntaxError)
  })

  it('a memory that ran out while reading is told like too much width', () => {
    const parse = JSON.parse
    JSON.parse = () => {
      // As the engine of a component does.
      throw Object.assign(new Error('out of memory'), { name: 'InternalError' })
    }
    try {
      expect(() => parseJson('[]')).toThrow(JsonTooDeep)
    } finally {
      JSON.parse = parse
    }
  })
})
