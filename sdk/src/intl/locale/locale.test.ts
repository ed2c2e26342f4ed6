import { expect, it } from 'vitest'
import { canonicalLocales } from '../text/locales.ts'
import { Locale } from './locale.ts'
import { supportedValuesOf } from './supported-values.ts'

const KEYS = [
  ...[
    'baseName',
    'language',
    'script',
    'region',
    'calendar',
    'collation',
    'hourCycle',
    'caseFirst',
  ],
  ...['numeric', 'numberingSystem'],
] as const

it.each([
  ...[
    'en-US',
    'en-gb',
    'zh-hans-cn',
    'de-DE-u-co-phonebk-ca-buddhist',
    'sl-rozaj-biske-1994',
    'iw',
    'pt-BR',
  ],
  ...[
    'en-a-bbb-x-a-ccc',
    'und-Latn',
    'EN-latn-us-U-KN-true-HC-h23',
    'ar-EG',
    'hi',
    'he',
    'es-419',
    'en-u-attr-kn',
  ],
])('%s has the parts that ICU finds', (text) => {
  const [icu, ours] = [new Intl.Locale(text), new Locale(text)]
  expect(ours.toString()).toBe(icu.toString())
  for (const key of KEYS) expect([key, ours[key]]).toEqual([key, icu[key]])
  expect(ours.maximize().toString()).toBe(icu.maximize().toString())
  expect(ours.minimize().toString()).toBe(icu.minimize().toString())
  expect(canonicalLocales([text, text])).toEqual(Intl.getCanonicalLocales(text))
})

it.each([
  '',
  'e',
  'en-',
  'en_US',
  'x-foo',
  'abcd',
  'toolonglanguage',
  'en-1994-1994',
  'en-a-bb-a-cc',
  'en-u',
  'en--US',
  'en-US\n',
  `en-${'a'.repeat(9)}`,
  `en${'-aaaaa'.repeat(1e5)}`,
])('%j is no locale', (text) => {
  expect(() => new Locale(text)).toThrow(RangeError)
  expect(() => canonicalLocales(text)).toThrow(RangeError)
})

it('options replace parts', () => {
  for (const options of [
    { region: 'gb' },
    { script: 'cyrl' },
    { hourCycle: 'h12', numeric: true } as const,
    { calendar: 'buddhist' },
  ]) {
    expect(new Locale('en-US', options).toString()).toBe(
      new Intl.Locale('en-US', options).toString(),
    )
  }
  expect(() => new Locale('en', { region: 'x' })).toThrow(RangeError)
  expect(() => new Locale(undefined)).toThrow(TypeError)
})

it('weeks begin on the day of the region', () => {
  const info = (text: string) => new Locale(text).getWeekInfo()
  expect([info('en-US').firstDay, info('en-GB').firstDay, info('ar-EG').firstDay]).toEqual([
    7, 1, 6,
  ])
})

it('a locale object is taken as a locale', () => {
  expect(canonicalLocales(new Locale('en-gb'))).toEqual(['en-GB'])
  expect(canonicalLocales([new Locale('en'), 'de-de'])).toEqual(['en', 'de-DE'])
})

it('lists the values of ICU', () => {
  for (const key of ['currency', 'unit', 'timeZone'] as const) {
    expect(supportedValuesOf(key)).toEqual(Intl.supportedValuesOf(key))
  }
  expect(() => supportedValuesOf('planet')).toThrow(RangeError)
})
