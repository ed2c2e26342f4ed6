import { expect, it } from 'vitest'
import { matches } from './glob.ts'

it.each([
  ['/pets', '/pets', true],
  ['/pets', '/pets/1', false],
  ['/pets*', '/pets/1', true],
  ['*list*', 'repos_list_all', true],
  ['a*a', 'a', false],
  ['a*b*c', 'a-c-b-c', true],
  ['a*b*c', 'acb', false],
  ['GET *', 'GET /pets', true],
  ['.ets', 'pets', false],
])('%s, %s: %s', (pattern, text, expected) => {
  expect(matches(pattern, text)).toBe(expected)
})
