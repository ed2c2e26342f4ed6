import { expect, test } from 'vitest'
import { announcedLength } from './header-rules.ts'

const lengths = (...values: string[]) =>
  announcedLength(values.map((value) => ['content-length', value] as const))

test.each([
  [[], undefined],
  [['0'], 0],
  [['42'], 42],
  [['007'], 7],
  [['6', '6'], 6],
  [['6', '7'], 'invalid'],
  [['+2'], 'invalid'],
  [['-2'], 'invalid'],
  [['3, 6'], 'invalid'],
  [['6, 6'], 'invalid'],
  [[' 6'], 'invalid'],
  [['0x10'], 'invalid'],
  [['1e3'], 'invalid'],
  [[''], 'invalid'],
  [['1234567890123456'], 'invalid'],
])('%j announces %s', (values, expected) => {
  expect(lengths(...values)).toBe(expected)
})

test('other headers announce nothing', () => {
  expect(announcedLength([['x-content-length', '5']])).toBeUndefined()
})
