import { describe, expect, it } from 'vitest'
import { ListFormat } from './list-format.ts'
import { RelativeTimeFormat } from './relative-time-format.ts'

const STYLES = ['long', 'short', 'narrow'] as const
const UNITS = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const

describe.each(['en', 'en-US', 'en-GB'])('in %s', (locale) => {
  it.each(STYLES)('relative times are those of ICU: %s', (style) => {
    for (const numeric of ['always', 'auto'] as const) {
      const options = { style, numeric }
      const [icu, ours] = [
        new Intl.RelativeTimeFormat(locale, options),
        new RelativeTimeFormat(locale, options),
      ]
      for (const unit of UNITS) {
        for (const value of [-0, 0, 1, -1, 2, -2, 1.5, -1234567.8, 1e21]) {
          expect(ours.formatToParts(value, unit)).toEqual(icu.formatToParts(value, unit))
          expect(ours.format(value, `${unit}s`)).toBe(icu.format(value, `${unit}s`))
        }
      }
      expect(ours.resolvedOptions()).toEqual({ ...icu.resolvedOptions() })
    }
  })

  it.each(STYLES)('lists are those of ICU: %s', (style) => {
    for (const type of ['conjunction', 'disjunction', 'unit'] as const) {
      const [icu, ours] = [
        new Intl.ListFormat(locale, { style, type }),
        new ListFormat(locale, { style, type }),
      ]
      for (let length = 0; length < 5; length++) {
        const list = ['Ada', 'Bo, Jr.', 'Cy', 'Di'].slice(0, length)
        expect(ours.formatToParts(list)).toEqual(icu.formatToParts(list))
      }
      expect(ours.resolvedOptions()).toEqual({ ...icu.resolvedOptions() })
    }
  })
})

it.each(['dayes', 'constructor', '', 'Day', 'century'])('%j is no unit', (unit) => {
  expect(() => new RelativeTimeFormat().format(1, unit)).toThrow(RangeError)
})

it('a list has strings only, and a time is finite', () => {
  expect(() => new ListFormat().format(['a', 1])).toThrow(TypeError)
  expect(() => new RelativeTimeFormat().format(Infinity, 'day')).toThrow(RangeError)
})
