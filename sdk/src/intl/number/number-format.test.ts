// Node's own `Intl` says what is expected: it is ICU, of the version that the data was made of.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NumberFormat } from './number-format.ts'

const LOCALES = ['en', 'en-US', 'en-GB']
const VALUES = [
  ...[0, -0, 1, -1, 0.5, -0.05, 1.005, 999, 999.5, 1000, 9999.5, 12345.678, 999_999, 1e15, 1e21],
  ...[1e-7, 5e-324, NaN, Infinity, -Infinity, 12345678901234567890n, -1n],
  ...['1234.5678901234567890123', '1e3', '0x1f', ' 7 ', '-0', 'text', '', '1e400', null, true],
]

const COMMON: Intl.NumberFormatOptions[] = [
  {},
  { maximumFractionDigits: 0 },
  { minimumFractionDigits: 2, maximumFractionDigits: 2 },
  { minimumIntegerDigits: 3, useGrouping: false },
  { maximumSignificantDigits: 3 },
  { style: 'percent', maximumFractionDigits: 1 },
  { style: 'currency', currency: 'USD' },
  { style: 'currency', currency: 'jpy', currencySign: 'accounting' },
  { style: 'currency', currency: 'CHF', currencyDisplay: 'code', signDisplay: 'exceptZero' },
  { style: 'currency', currency: 'EUR', currencyDisplay: 'name' },
  { style: 'unit', unit: 'kilometer-per-hour' },
  { style: 'unit', unit: 'liter', unitDisplay: 'long' },
  { style: 'unit', unit: 'celsius', unitDisplay: 'narrow' },
  { notation: 'compact' },
  { notation: 'compact', compactDisplay: 'long', maximumFractionDigits: 1 },
  { notation: 'scientific', maximumFractionDigits: 2 },
  { notation: 'engineering' },
  { signDisplay: 'always', roundingMode: 'floor' },
]

describe.each(LOCALES)('in %s', (locale) => {
  it.each(COMMON)('numbers are formatted as by ICU: %j', (options) => {
    const [icu, ours] = [new Intl.NumberFormat(locale, options), new NumberFormat(locale, options)]
    for (const value of VALUES) {
      expect([value, ours.format(value)]).toEqual([value, icu.format(value as number)])
    }
    expect(ours.resolvedOptions()).toEqual({ ...icu.resolvedOptions() })
  })

  it('so are all currencies and units', () => {
    for (const currency of Intl.supportedValuesOf('currency')) {
      for (const currencyDisplay of ['symbol', 'narrowSymbol', 'name'] as const) {
        const options = { style: 'currency', currency, currencyDisplay } as const
        for (const value of [1, -2.5]) {
          const expected = new Intl.NumberFormat(locale, options).format(value)
          expect(new NumberFormat(locale, options).format(value)).toBe(expected)
        }
      }
    }
    for (const unit of Intl.supportedValuesOf('unit')) {
      for (const unitDisplay of ['short', 'narrow', 'long'] as const) {
        for (const name of [unit, `${unit}-per-second`, `mile-per-${unit}`]) {
          const options = { style: 'unit', unit: name, unitDisplay } as const
          for (const value of [1, 2]) {
            const expected = new Intl.NumberFormat(locale, options).format(value)
            expect(new NumberFormat(locale, options).format(value)).toBe(expected)
          }
        }
      }
    }
  })
})

const oneOf = <T>(...values: T[]) => fc.option(fc.constantFrom(...values), { nil: undefined })
const digits = fc.oneof(
  fc.constant({}),
  fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 5 })).map(([a, b]) => ({
    minimumFractionDigits: Math.min(a, b),
    maximumFractionDigits: Math.max(a, b),
  })),
  fc.record({ maximumSignificantDigits: fc.integer({ min: 1, max: 8 }) }),
)
const styles = fc.oneof(
  fc.constant({}),
  fc.constant({ style: 'percent' }),
  fc.record({
    style: fc.constant('currency'),
    currency: fc.constantFrom('USD', 'EUR', 'JPY', 'KWD', 'CHF'),
    currencyDisplay: oneOf('code', 'symbol', 'narrowSymbol', 'name'),
  }),
  fc.record({
    style: fc.constant('unit'),
    unit: fc.constantFrom('byte', 'hour', 'mile-per-gallon', 'meter-per-second', 'percent'),
    unitDisplay: oneOf('short', 'narrow', 'long'),
  }),
)
const anyOptions = fc
  .tuple(
    styles,
    digits,
    fc.record({
      notation: oneOf('standard', 'compact', 'scientific', 'engineering'),
      compactDisplay: oneOf('short', 'long'),
      signDisplay: oneOf('auto', 'never', 'always', 'exceptZero', 'negative'),
      useGrouping: oneOf<string | boolean>('min2', 'auto', 'always', true, false),
      minimumIntegerDigits: oneOf(1, 2, 4),
      roundingMode: oneOf('ceil', 'floor', 'expand', 'trunc', 'halfCeil', 'halfFloor', 'halfEven'),
    }),
  )
  .map((parts) => Object.assign({}, ...parts) as Intl.NumberFormatOptions)
const anyValue = fc.oneof(
  fc.double({ min: -1e15, max: 1e15 }),
  fc.double(),
  fc.integer(),
  fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
  fc.tuple(fc.integer(), fc.nat(999_999)).map(([a, b]) => `${a}.${b}`),
)

it('numbers, options and locales at random give the text of ICU', () => {
  fc.assert(
    fc.property(fc.constantFrom(...LOCALES), anyOptions, anyValue, (locale, options, value) => {
      // ICU multiplies by 100 as a double, which loses a digit beyond its range. Of 999999999999999.5 and the like it
      // makes 0 where it rounds down to some digits.
      fc.pre(typeof value !== 'number' || (Math.abs(value) < 1e300 && !/^-?9{9}/.test(`${value}`)))
      const expected = new Intl.NumberFormat(locale, options).format(value as number)
      expect(new NumberFormat(locale, options).format(value)).toBe(expected)
    }),
    { numRuns: 1000 },
  )
})

it('parts are those of ICU', () => {
  const options: Intl.NumberFormatOptions[] = [
    { style: 'currency', currency: 'USD', currencySign: 'accounting' },
    { style: 'currency', currency: 'USD', currencyDisplay: 'name' },
    { style: 'unit', unit: 'mile-per-hour', unitDisplay: 'long' },
    { notation: 'compact', compactDisplay: 'long' },
    { notation: 'scientific' },
    { style: 'percent', signDisplay: 'always' },
  ]
  for (const each of options) {
    for (const value of [-12345.678, 0.00012, NaN, Infinity]) {
      const expected = new Intl.NumberFormat('en', each).formatToParts(value)
      expect(new NumberFormat('en', each).formatToParts(value)).toEqual(expected)
    }
  }
})

it('rounds to an increment, and exactly', () => {
  const options = {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
    roundingIncrement: 5,
  } as const
  for (const value of [1.02, 1.025, 1.075, -9.99, 0.024999, 1e9 + 0.37]) {
    const expected = new Intl.NumberFormat('en', options).format(value)
    expect(new NumberFormat('en', options).format(value)).toBe(expected)
  }
  // Arithmetic: 1.005 rounds up as a decimal, though its double is less than 1.005.
  expect(new NumberFormat('en', { maximumFractionDigits: 2 }).format(1.005)).toBe('1.01')
})

it('ranges show what both ends share once', () => {
  const options: Intl.NumberFormatOptions[] = [
    {},
    { style: 'currency', currency: 'USD' },
    { style: 'currency', currency: 'USD', currencyDisplay: 'name' },
    { style: 'unit', unit: 'meter', unitDisplay: 'long' },
    { style: 'percent' },
    { notation: 'compact' },
  ]
  for (const each of options) {
    for (const [start, end] of [
      [1, 2] as const,
      [-3, -2] as const,
      [1, 1] as const,
      [1, 2000] as const,
    ]) {
      const expected = new Intl.NumberFormat('en', each).formatRange(start, end)
      expect(new NumberFormat('en', each).formatRange(start, end)).toBe(expected)
    }
  }
})

it('is called with and without new, and its format needs no this', () => {
  const make = NumberFormat as unknown as (locale: string) => { format: (value: number) => string }
  const { format } = make('en')
  expect([1000, 2].map(format)).toEqual(['1,000', '2'])
  expect(Object.prototype.toString.call(new NumberFormat())).toBe('[object Intl.NumberFormat]')
  expect(NumberFormat.name).toBe('NumberFormat')
  expect(NumberFormat.supportedLocalesOf(['de', 'en-GB', 'en-AU'])).toEqual(['en-GB', 'en-AU'])
})
