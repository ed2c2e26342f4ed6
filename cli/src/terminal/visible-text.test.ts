import { expect, test } from 'vitest'
import { visible, visibleJson, visibleLines } from './visible-text.ts'

test.each([
  ['\x1b]52;c;aGVsbG8=\x07', '\\x1b]52;c;aGVsbG8=\\x07'],
  ['\x9b2J', '\\x9b2J'],
  ['real\rfake', 'real\\x0dfake'],
  ['one\ntwo', 'one\\x0atwo'],
  ['\x7f', '\\x7f'],
  ['abc\u202egnp.exe', 'abc\\u202egnp.exe'],
  ['\u2066isolated\u2069', '\\u2066isolated\\u2069'],
  ['one\u2028two\u2029', 'one\\u2028two\\u2029'],
  ['a\ttab, é, 漢字 and 👋🏽 stay', 'a\ttab, é, 漢字 and 👋🏽 stay'],
])('%j is shown as %j', (text, shown) => {
  expect(visible(text)).toBe(shown)
})

test('line ends of a text with several lines stay', () => {
  expect(visibleLines('at one\x1b[2J\n  at two')).toBe('at one\\x1b[2J\n  at two')
})

test('JSON stays the same value, without characters that a terminal obeys', () => {
  const value = { line: '\x1b[2J\x9b2J\u202e\u2028\x7f' }
  const json = visibleJson(JSON.stringify(value))
  expect(json).toMatch(/^[\x20-\x7e]*$/)
  expect(JSON.parse(json)).toEqual(value)
})

test('indented JSON keeps its lines', () => {
  const value = { lines: 'one\ntwo', list: [1, { deep: true }] }
  const json = JSON.stringify(value, undefined, 2)
  expect(visibleJson(json)).toBe(json)
})
