// Node's own `Intl` says what is expected: it is ICU, of the version that the data was made of.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DateTimeFormat, formatDate } from './date-time-format.ts'

const LOCALES = ['en-US', 'en-GB']
const TIMES = [
  ...[
    0,
    Date.UTC(2026, 6, 15, 13, 45, 30, 123),
    Date.UTC(2024, 1, 29, 0, 5),
    Date.UTC(1999, 11, 31, 23, 59, 59),
  ],
  ...[Date.UTC(2026, 8, 9, 12), -1, -62_135_596_800_001, 8.64e15, -8.64e15],
]
const COMMON: Intl.DateTimeFormatOptions[] = [
  {},
  { dateStyle: 'full' },
  { dateStyle: 'long', timeStyle: 'long' },
  { dateStyle: 'medium', timeStyle: 'medium' },
  { dateStyle: 'short', timeStyle: 'short' },
  { timeStyle: 'full' },
  { timeStyle: 'short', hour12: true },
  { timeStyle: 'short', hour12: false },
  { year: 'numeric', month: 'long', day: 'numeric' },
  { weekday: 'short', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' },
  { year: '2-digit', month: '2-digit', day: '2-digit' },
  { month: 'narrow', year: 'numeric' },
  { hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3 },
  { hour: 'numeric', dayPeriod: 'long' },
  { weekday: 'long' },
  { era: 'short', year: 'numeric' },
  { minute: '2-digit', second: '2-digit' },
  { hour: 'numeric', hourCycle: 'h23', timeZoneName: 'longOffset' },
]

describe.each(LOCALES)('in %s', (locale) => {
  it.each(COMMON)('dates are formatted as by ICU: %j', (options) => {
    const given = { timeZone: 'UTC', ...options }
    const [icu, ours] = [new Intl.DateTimeFormat(locale, given), new DateTimeFormat(locale, given)]
    for (const time of TIMES) {
      expect([time, ours.formatToParts(time)]).toEqual([time, icu.formatToParts(time)])
    }
    expect(ours.resolvedOptions()).toEqual({ ...icu.resolvedOptions() })
  })
})

const oneOf = <T>(...values: T[]) => fc.option(fc.constantFrom(...values), { nil: undefined })
const digits = ['numeric', '2-digit'] as const
const styles = ['full', 'long', 'medium', 'short'] as const
/** Fields that programs combine: a day with its month, a minute with its hour. */
const dates = fc.oneof(
  fc.constant({}),
  fc.record({
    year: oneOf(...digits),
    month: fc.constantFrom(...digits, 'short', 'long'),
    day: fc.constantFrom(...digits),
    weekday: oneOf('narrow', 'short', 'long'),
  }),
  fc.record({
    year: fc.constantFrom(...digits),
    month: fc.constantFrom(...digits, 'short', 'long', 'narrow'),
  }),
)
const times = fc.oneof(
  fc.constant({}),
  fc.record({
    hour: fc.constant('2-digit'),
    minute: fc.constantFrom(...digits),
    second: oneOf(...digits),
  }),
  fc.record({ hour: fc.constantFrom(...digits), hour12: oneOf(true, false) }),
)
const fields = fc.tuple(dates, times).map(([date, time]): object => ({ ...date, ...time }))
const named = fc.record({
  dateStyle: oneOf(...styles),
  timeStyle: oneOf(...styles),
  hour12: oneOf(true, false),
})
const zones = fc.constantFrom(
  ...Intl.supportedValuesOf('timeZone'),
  'UTC',
  '+05:30',
  'US/Pacific',
  'Etc/GMT+8',
)

it('times, options and time zones at random give the text of ICU', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...LOCALES),
      fc.oneof(fields, named),
      zones,
      fc.oneof(
        fc.integer({ min: 0, max: Date.UTC(2038) / 1000 - 1 }).map((seconds) => seconds * 1000),
      ),
      (locale, options, timeZone, time) => {
        const given = { ...options, timeZone } as Intl.DateTimeFormatOptions
        const expected = new Intl.DateTimeFormat(locale, given).format(time)
        expect(new DateTimeFormat(locale, given).format(time)).toBe(expected)
      },
    ),
    { numRuns: 1000 },
  )
})

it.each(LOCALES)('St. Pierre has the name of ICU, in %s', (locale) => {
  const options = { timeZone: 'America/Miquelon', timeStyle: 'full' } as const
  const expected = new Intl.DateTimeFormat(locale, options).format(0)
  expect(new DateTimeFormat(locale, options).format(0)).toBe(expected)
})

it.each(LOCALES)('ranges show what both ends share once, in %s', (locale) => {
  const start = Date.UTC(2026, 6, 15, 10)
  const ends = [
    Date.UTC(2026, 6, 15, 11, 30),
    Date.UTC(2026, 6, 15, 13, 30),
    Date.UTC(2026, 6, 17, 13),
    Date.UTC(2026, 7, 2),
    Date.UTC(2027, 0, 2),
    start,
  ]
  const each: Intl.DateTimeFormatOptions[] = [
    {},
    ...styles.filter((style) => style !== 'full').map((dateStyle) => ({ dateStyle })),
    { timeStyle: 'short' },
    { dateStyle: 'long', timeStyle: 'short' },
    { month: 'short', day: 'numeric' },
    { year: 'numeric', month: 'long' },
    { hour: 'numeric', minute: 'numeric' },
    { weekday: 'short', month: 'short', day: 'numeric' },
  ]
  for (const options of each) {
    for (const end of ends) {
      const given = { ...options, timeZone: 'UTC' }
      const expected = new Intl.DateTimeFormat(locale, given).formatRange(start, end)
      expect(new DateTimeFormat(locale, given).formatRange(start, end)).toBe(expected)
    }
  }
})

it('Swedish and Canadian dates of digits have the order that programs ask for them for', () => {
  const time = Date.UTC(2026, 2, 5, 15, 4, 5)
  for (const locale of ['sv-SE', 'sv', 'en-CA']) {
    for (const options of [
      {},
      { dateStyle: 'short' } as const,
      { year: 'numeric', month: '2-digit' } as const,
    ]) {
      const date = new Date(time)
      const given = { ...options, timeZone: 'UTC' }
      expect(formatDate(time, locale, given, 'date')).toBe(date.toLocaleDateString(locale, given))
      expect(formatDate(time, locale, given, 'any')).toBe(date.toLocaleString(locale, given))
    }
  }
})

it('toLocaleDateString and toLocaleTimeString have their own defaults, and refuse the other style', () => {
  const date = new Date(TIMES[1] ?? 0)
  for (const options of [
    { timeZone: 'UTC' },
    { timeZone: 'UTC', hour: 'numeric' } as const,
    { timeZone: 'UTC', month: 'long' } as const,
  ]) {
    expect(formatDate(date.getTime(), 'en', options, 'date')).toBe(
      date.toLocaleDateString('en', options),
    )
    expect(formatDate(date.getTime(), 'en', options, 'time')).toBe(
      date.toLocaleTimeString('en', options),
    )
    expect(formatDate(date.getTime(), 'en', options, 'any')).toBe(
      date.toLocaleString('en', options),
    )
  }
  expect(() => formatDate(0, 'en', { timeStyle: 'short' }, 'date')).toThrow(TypeError)
  expect(() => formatDate(0, 'en', { dateStyle: 'short' }, 'time')).toThrow(TypeError)
  expect(formatDate(NaN, 'en', {}, 'any')).toBe('Invalid Date')
})

it('without a time zone it is UTC, and other locales are American English', () => {
  expect(new DateTimeFormat('de-DE').resolvedOptions()).toMatchObject({
    locale: 'en-US',
    timeZone: 'UTC',
    calendar: 'gregory',
  })
  expect(new DateTimeFormat(['fr', 'en-GB-u-hc-h12']).resolvedOptions()['locale']).toBe(
    'en-GB-u-hc-h12',
  )
})
