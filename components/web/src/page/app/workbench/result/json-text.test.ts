import { expect, it } from 'vitest'
import { repeats } from './json-text.ts'

const due = { due: '2026-12-03', days: [1, 2] }

it.each([JSON.stringify(due), `${JSON.stringify(due, undefined, 2)}\n`])(
  'a text repeats the structured content: %j',
  (text) => {
    expect(repeats(text, due)).toBe(true)
  },
)

it.each([
  ['of other words', 'Due on 3 December', due],
  ['of another value', JSON.stringify({ ...due, days: [1] }), due],
  ['with more beside it', `${JSON.stringify(due)} (in Oslo)`, due],
  ['without structured content', '{}', undefined],
  ['of a number', '7', 7],
])('a text %s is shown', (_, text, structured) => {
  expect(repeats(text, structured)).toBe(false)
})
