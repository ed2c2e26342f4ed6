import { expect, it } from 'vitest'
import { Segmenter } from './segmenter.ts'

const TEXTS = [
  'ae\u0301b',
  '👨‍👩‍👧‍👦👍🏽🇩🇪🇫🇷x',
  '\r\n\n각한글',
  "Hello, world! 3.14 can't  stop 1,000 a.b _x e\u0301té",
  '1\u20e3 \ud800 a\u200db',
  '',
]

it.each(['grapheme', 'word'] as const)('text has the segments of ICU: %s', (granularity) => {
  const [icu, ours] = [
    new Intl.Segmenter('en', { granularity }),
    new Segmenter('en', { granularity }),
  ]
  for (const text of TEXTS) {
    expect([...ours.segment(text)]).toEqual([...icu.segment(text)])
    for (const at of [0, 1, 3, 100, -1]) {
      expect(ours.segment(text).containing(at)).toEqual(icu.segment(text).containing(at))
    }
  }
  expect(ours.resolvedOptions()).toEqual({ ...icu.resolvedOptions() })
})

it('sentences are not there, which the error says', () => {
  expect(() => new Segmenter('en', { granularity: 'sentence' })).toThrow(
    /granularity must be one of/,
  )
})
