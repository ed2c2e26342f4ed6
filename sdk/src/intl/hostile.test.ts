// What callers may pass: a RangeError or TypeError as the specification says, within a moment, and no harm to others.
import { afterEach, describe, expect, it } from 'vitest'
import { Collator } from './collation/collator.ts'
import { DateTimeFormat } from './date/date-time-format.ts'
import { ListFormat } from './list/list-format.ts'
import { RelativeTimeFormat } from './list/relative-time-format.ts'
import { NumberFormat } from './number/number-format.ts'
import { PluralRules } from './number/plural-rules.ts'
import { Segmenter } from './segment/segmenter.ts'
import { processorMs } from '../../../test/support/processor-time.ts'

const OURS = {
  Collator,
  DateTimeFormat,
  ListFormat,
  NumberFormat,
  PluralRules,
  RelativeTimeFormat,
  Segmenter,
}
type Name = keyof typeof OURS
const NAMES = Object.keys(OURS) as Name[]

/** The name of the error, or nothing. */
function outcome(run: () => unknown): string {
  try {
    run()
    return ''
  } catch (error) {
    return error instanceof Error ? error.name : 'something else'
  }
}

const make = (of: object, name: Name, ...args: unknown[]) =>
  outcome(() => Reflect.construct(Reflect.get(of, name) as new () => object, args))

type Method = (this: unknown, ...args: unknown[]) => unknown
const methodOf = (type: { prototype: object }, name: string) =>
  Reflect.get(type.prototype, name) as Method

const LOCALES = [
  null,
  1,
  true,
  Symbol('en'),
  'e',
  'en_US',
  '',
  'x'.repeat(1e6),
  [null],
  [1],
  ['en', 'no such'],
  {},
  { length: 1, 0: 'de' },
  [[]],
  'en\0',
  new Date(0),
]
const OPTIONS = [null, 'text', 5, { localeMatcher: 'nearest' }, { localeMatcher: Symbol('x') }]

describe.each(NAMES)('Intl.%s', (name) => {
  it.each(LOCALES.map((locale) => [locale]))('takes the locale %s as ICU does', (locale) => {
    expect(make(OURS, name, locale)).toBe(make(Intl, name, locale))
  })

  it.each(OPTIONS.map((options) => [options]))('takes the options %s as ICU does', (options) => {
    expect(make(OURS, name, 'en', options)).toBe(make(Intl, name, 'en', options))
  })

  it('passes on what a getter throws', () => {
    const trap = new Proxy(
      {},
      {
        get: () => {
          throw new EvalError('trap')
        },
      },
    )
    expect(make(OURS, name, 'en', trap)).toBe('EvalError')
  })
})

it.each<[Name, object]>([
  ...[
    { style: 'money' },
    { style: 'currency' },
    { style: 'currency', currency: 'US' },
    { style: 'currency', currency: 'U$D' },
    { style: 'unit' },
    { style: 'unit', unit: 'parsec' },
    { style: 'unit', unit: 'meter-per-second-per-hour' },
    { style: 'unit', unit: 'constructor' },
    { minimumFractionDigits: 101 },
    { maximumFractionDigits: -1 },
    { maximumFractionDigits: NaN },
    { minimumFractionDigits: 5, maximumFractionDigits: 2 },
    { minimumIntegerDigits: 0 },
    { maximumSignificantDigits: 22 },
    { maximumSignificantDigits: 1n },
    { minimumIntegerDigits: Symbol('1') },
    { roundingIncrement: 3 },
    { roundingIncrement: 5, maximumSignificantDigits: 2 },
    { roundingMode: 'up' },
    { useGrouping: 'often' },
    { notation: 'roman' },
    { numberingSystem: 'a' },
    { numberingSystem: 'x'.repeat(1e5) },
    { signDisplay: '' },
  ].map((options): [Name, object] => ['NumberFormat', options]),
  ...[
    { timeZone: 'Mars/Olympus' },
    { timeZone: '' },
    { timeZone: null },
    { timeZone: Symbol('UTC') },
    { timeZone: '+99:00' },
    { timeZone: '__proto__' },
    { year: 'long' },
    { hour: 'short' },
    { fractionalSecondDigits: 0 },
    { fractionalSecondDigits: 4 },
    { hourCycle: 'h13' },
    { dateStyle: 'tiny' },
    { dateStyle: 'full', year: 'numeric' },
    { timeStyle: 'full', fractionalSecondDigits: 1 },
    { calendar: '!' },
    { timeZoneName: 'city' },
    { calendar: 'buddhist' },
    { formatMatcher: 'worst' },
    { dayPeriod: 'noon' },
    { era: true },
  ].map((options): [Name, object] => ['DateTimeFormat', options]),
  ['Collator', { sensitivity: 'none' }],
  ['Collator', { usage: 'find' }],
  ['Collator', { caseFirst: true }],
  ['PluralRules', { type: 'nominal' }],
  ['RelativeTimeFormat', { style: 'wide' }],
  ['ListFormat', { type: 'xor' }],
  ['Segmenter', { granularity: 'page' }],
])('Intl.%s throws what ICU throws (%#)', (name, options) => {
  expect(make(OURS, name, 'en', options)).toBe(make(Intl, name, 'en', options))
})

describe('values', () => {
  const values = [
    Symbol('1'),
    { valueOf: () => ({}) },
    Object.create(null),
    {
      valueOf: () => {
        throw new EvalError()
      },
    },
    [],
    {},
    () => 1,
    new Date(NaN),
    10n ** 5000n,
    '9'.repeat(1e5),
    `0.${'0'.repeat(1e5)}1`,
    '1e999999999',
    '1e-999999999',
  ]

  it.each(values.map((value) => [value]))('a number %# is taken as by ICU', (value) => {
    const run = (of: { NumberFormat: unknown }) => {
      const format = new (of.NumberFormat as typeof Intl.NumberFormat)('en', {
        useGrouping: false,
        maximumFractionDigits: 3,
      })
      return () => format.format(value as number)
    }
    expect(outcome(run(OURS))).toBe(outcome(run(Intl)))
    if (outcome(run(Intl)) === '') expect(run(OURS)()).toBe(run(Intl)())
  })

  it.each(
    [NaN, Infinity, 8.64e15 + 1, Symbol('1'), 1n, {}, 'text', new Date(NaN)].map((value) => [
      value,
    ]),
  )('a date %s is taken as by ICU', (value) => {
    const run = (of: { DateTimeFormat: unknown }) =>
      outcome(() =>
        new (of.DateTimeFormat as typeof Intl.DateTimeFormat)('en').format(value as number),
      )
    expect(run(OURS)).toBe(run(Intl))
  })

  it('a method of another object is a TypeError', () => {
    expect(outcome(() => methodOf(NumberFormat, 'formatToParts').call({}, 1))).toBe('TypeError')
    expect(outcome(() => Reflect.get(DateTimeFormat.prototype, 'format', {}))).toBe('TypeError')
    expect(outcome(() => methodOf(Collator, 'resolvedOptions').call(new Intl.Collator()))).toBe(
      'TypeError',
    )
  })
})

describe('a changed prototype', () => {
  afterEach(() => {
    for (const name of ['timeZone', 'style', 'h24', 'hour'])
      Reflect.deleteProperty(Object.prototype, name)
  })

  it('does not change what is formatted without options', () => {
    Object.assign(Object.prototype, {
      timeZone: 'Mars/Olympus',
      style: 'currency',
      hour: 'numeric',
    })
    expect(new NumberFormat('en').format(1)).toBe('1')
    expect(new DateTimeFormat('en').format(0)).toBe('1/1/1970')
  })
})

it('text without end is compared and cut in a moment', () => {
  const long = 'aé\u0301-'.repeat(50_000)
  const started = processorMs()
  expect(new Collator('en', { numeric: true }).compare(`${long}1`, `${long}2`)).toBe(-1)
  expect(new Collator().compare('\u0301'.repeat(1e5), '')).toBe(1)
  expect([...new Segmenter().segment('👨‍👩‍👧'.repeat(10_000))]).toHaveLength(10_000)
  expect(
    [...new Segmenter('en', { granularity: 'word' }).segment("a'".repeat(50_000))].length,
  ).toBeGreaterThan(0)
  expect(processorMs() - started).toBeLessThan(5000)
})
