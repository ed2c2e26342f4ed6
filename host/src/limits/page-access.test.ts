import fc from 'fast-check'
import { createAccessLists } from 'ftl-http'
import { expect, test } from 'vitest'
import { forbidden } from '../../../http/src/access/host-and-origin.ts'
import { isReadable, preflightHeaders } from './page-access.ts'

const part = fc.constantFrom(
  ...['https://', 'http://', 'HTTPS://', 'app', '.example', 'Example.com', '*.', '*', 'localhost'],
  ...[
    '127.0.0.1',
    '[::1]',
    '10.0.0.9',
    ':80',
    ':8080',
    'null',
    ',',
    ' ',
    '.',
    '-',
    '/x',
    'xn--a',
    '',
  ],
)
const text = fc.array(part, { maxLength: 5 }).map((parts) => parts.join(''))

const authorities = fc.oneof(
  fc.constantFrom(
    'localhost:3000',
    '127.0.0.1',
    'app.example',
    'A.b.example.com:80',
    'evil.example',
  ),
  text,
)
const pages = fc.oneof(
  fc.constantFrom('https://app.example', 'http://localhost:1', 'https://a.b.example.com', 'null'),
  text,
)
const lists = fc.oneof(
  fc.constantFrom('', '*', 'https://*.example.com', 'https://app.example , *', 'app.example,*.com'),
  text,
)

test('a page may read what the gateway would let it read', () => {
  let readable = 0
  fc.assert(
    fc.property(authorities, pages, lists, lists, (authority, origin, origins, hosts) => {
      const url = URL.parse(`http://${authority}`)
      // Such a request does not reach the gateway.
      if (url === null || url.pathname !== '/' || url.username !== '') return
      const access = createAccessLists({
        get: (name) => (name === 'allowed_origins' ? origins : hosts),
      })
      let expected: boolean
      try {
        // The gateway reads a list only if it needs it; the host reads both.
        void [access.allowedHosts, access.allowedOrigins]
        expected = forbidden(url, origin, access) === undefined
      } catch {
        expected = false
      }
      if (expected) readable++
      expect(isReadable(authority, origin, { origins, hosts })).toBe(expected)
    }),
    { numRuns: 5000 },
  )
  // Otherwise the test says little.
  expect(readable).toBeGreaterThan(100)
})

test('a preflight gets the headers that it asks for, and nothing that is not a list of names', () => {
  const asked = (value: string) =>
    preflightHeaders('https://a', { 'access-control-request-headers': value })[
      'access-control-allow-headers'
    ]
  expect(asked('content-type, mcp-param-x')).toBe('content-type, mcp-param-x')
  for (const bad of ['a b', 'a:b', 'a,,b', ',', '', 'a'.repeat(5000)]) {
    expect(asked(bad)).toBeUndefined()
  }
})
