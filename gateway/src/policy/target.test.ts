import fc from 'fast-check'
import { expect, it } from 'vitest'
import { withoutEscapes } from './target.ts'

it.each([
  ['notes://ada/page', 'notes://ada/page'],
  ['NOTES://ada/Page', 'notes://ada/Page'],
  ['notes://%61da/page', 'notes://ada/page'],
  ['notes://%2561da/page', 'notes://ada/page'],
  ['notes://eve/../ada/page', 'notes://ada/page'],
  ['notes://eve/%2e%2E/ada/./page', 'notes://ada/page'],
  ['notes://eve%2F..%2Fada/page', 'notes://ada/page'],
  ['notes://\u00e9/%c3%a9', 'notes://\u00e9/\u00e9'],
  ['notes://a..b/...', 'notes://a..b/...'],
  ['notes://%ff/%zz/%', 'notes://%ff/%zz/%'],
  ['no scheme', 'no scheme'],
])('%s may be read as %s', (uri, expected) => {
  expect(withoutEscapes(uri)).toBe(expected.replace('no scheme', ''))
})

it('is the same for every way to escape an address', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'B', '1', '-', 'é', '~'), minLength: 1 })
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), fc.nat(2), (parts, times) => {
      const plain = `x://${parts.join('/')}`
      let path = parts.join('/')
      for (let time = 0; time <= times; time++) {
        path = [...new TextEncoder().encode(path)]
          .map((byte) => `%${byte.toString(16).padStart(2, '0')}`)
          .join('')
      }
      expect(withoutEscapes(`x://${path}`)).toBe(plain)
    }),
    { numRuns: 100 },
  )
})
