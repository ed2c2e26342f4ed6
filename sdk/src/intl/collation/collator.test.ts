import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Collator, compareInLocale } from './collator.ts'

const CHARS = [
  ...'aábcdefghijklmnñoöprsßtuüvwxyzÀÉÎÕÜåæœøðþłđABCDEFGHIJKLMNOÖZÆŒØÐÞ',
  ...' -–—_,;:!?.\'"()[]{}@*/\\&#%`^+<=>|~$€£0123456789αβγΑδабвгАБё©®°±×÷…½ªº²',
]
const words = fc.array(fc.constantFrom(...CHARS), { maxLength: 7 }).map((list) => list.join(''))
/** The same word in other cases, with something more: what random words seldom are. */
const similar = fc
  .tuple(words, fc.array(fc.boolean(), { maxLength: 7 }), words)
  .map(([word, flips, more]) => {
    const other = [...word].map((char, index) =>
      flips[index] && char !== 'ß' ? char.toUpperCase() : char,
    )
    return [word, other.join('') + (flips[0] ? more : '')] as const
  })
const options = fc.record({
  sensitivity: fc.constantFrom('base', 'accent', 'variant', undefined),
  numeric: fc.constantFrom(true, undefined),
  ignorePunctuation: fc.constantFrom(true, undefined),
})

it('words at random are ordered as by ICU', () => {
  fc.assert(
    fc.property(fc.oneof(similar, fc.tuple(words, words)), options, ([left, right], given) => {
      const expected = Math.sign(new Intl.Collator('en', given).compare(left, right))
      expect(new Collator('en', given).compare(left, right)).toBe(expected)
    }),
    { numRuns: 2000 },
  )
})

it.each([
  ['numeric', { numeric: true }],
  ['capital letters first', { caseFirst: 'upper' as const }],
  ['letters alone', { sensitivity: 'base' as const }],
  ['case', { sensitivity: 'case' as const }],
])('a list is sorted as by ICU: %s', (_, given) => {
  const list = [
    'item 10',
    'item 9',
    'Item 9',
    'item 09',
    'éclair',
    'Eclair',
    'eclair',
    'Zoë',
    'zoe',
    '_x',
    'x',
    'résumé',
    'resume',
    'Resume',
    '',
    ' ',
    '10',
    '9',
    'a-b',
    'ab',
    '日本',
    '한국',
    'Ωmega',
    'что',
  ]
  const expected = [...list].sort(new Intl.Collator('en', given).compare)
  expect([...list].sort(new Collator('en', given).compare)).toEqual(expected)
})

it('an order is one: of three words, too', () => {
  const { compare } = new Collator()
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), words, (a, b, c) => {
      expect(compare(a, b)).toBe(0 - compare(b, a) + 0)
      if (compare(a, b) <= 0 && compare(b, c) <= 0) expect(compare(a, c)).toBeLessThanOrEqual(0)
    }),
    { numRuns: 2000 },
  )
})

it('composed and decomposed letters are the same', () => {
  expect(compareInLocale('é', 'e\u0301', 'en', undefined)).toBe(0)
  expect(compareInLocale('a', 'b', undefined, { numeric: true })).toBe(-1)
})

it.each(['en', 'en-u-kn-true', 'en-u-kf-upper', 'de'])(
  '%s resolves as by ICU, German to English',
  (locale) => {
    const expected = new Intl.Collator(locale === 'de' ? 'en-US' : locale).resolvedOptions()
    expect(new Collator(locale).resolvedOptions()).toEqual({ ...expected })
  },
)
