import { expect, it } from 'vitest'
import { fnv1a } from './fnv1a.ts'

// The vectors of the draft, appendix C.
it.each([
  ['', 0x811c9dc5],
  ['a', 0xe40c292c],
  ['foobar', 0xbf9cf968],
])('fnv1a of %j', (text, hash) => {
  expect(fnv1a(text)).toBe(hash)
})
