import { expect, it } from 'vitest'
import { visible } from './visible.ts'

it.each([
  ['a right-to-left override', 'user\u202egpj.exe', 'user\\u202egpj.exe'],
  ['a zero-width space', 'a\u200bb', 'a\\u200bb'],
  ['a tag character', 'a\u{e0041}', 'a\\udb40\\udc41'],
  ['a Hangul filler', 'a\u3164', 'a\\u3164'],
  ['a carriage return', 'safe\rrm', 'safe\\u000drm'],
  ['a line separator', 'a\u2028b', 'a\\u2028b'],
  ['half a character', 'a\ud83d', 'a\\ud83d'],
])('%s is shown as an escape', (_, text, shown) => {
  expect(visible(text)).toBe(shown)
})

it('what can be seen stays as it is', () => {
  const text = 'Grüße,\n\tשלום 你好 👋🏽 "quoted" <b>'
  expect(visible(text)).toBe(text)
})
