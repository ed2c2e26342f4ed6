import fc from 'fast-check'
import { expect, it } from 'vitest'
import { matchesName } from './name-patterns.ts'
import { processorMs } from '../../test/support/processor-time.ts'

it.each([
  ['echo', 'echo', true],
  ['echo', 'Echo', false],
  ['echo', 'echo2', false],
  ['*', '', true],
  ['*', 'anything', true],
  ['get_*', 'get_', true],
  ['get_*', 'forget_', false],
  ['*_all', 'delete_all', true],
  ['a*a', 'a', false],
  ['a*a', 'aa', true],
  ['*a*b*', 'xxbxxaxxb', true],
  ['*a*b*', 'xxbxxa', false],
  // A `*` in the name of a caller is a letter like any other.
  ['key:ci', 'key:*', false],
  ['key:a', '*', false],
])('%s and %s: %s', (pattern, name, expected) => {
  expect(matchesName(pattern, name)).toBe(expected)
})

it('decides like a regular expression', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', '*', '.'), maxLength: 12 })
  fc.assert(
    fc.property(letters, letters, (pattern, name) => {
      const parts = pattern.split('*').map((part) => part.replaceAll('.', '\\.'))
      expect(matchesName(pattern, name)).toBe(new RegExp(`^${parts.join('.*')}$`).test(name))
    }),
  )
})

it('is not slowed down by a pattern that regular expressions take years for', () => {
  const pattern = `${'a*'.repeat(250)}b`
  const since = processorMs()
  expect(matchesName(pattern, 'a'.repeat(8_000))).toBe(false)
  expect(processorMs() - since).toBeLessThan(500)
})
