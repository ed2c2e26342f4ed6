import { expect, it } from 'vitest'
import { readDomains } from './domains.ts'

it.each([
  'https://cdn.example.com',
  'https://*.example.com',
  'wss://live.example.com:8443',
  'http://127.0.0.1:8001',
  'http://localhost',
])('"%s" is an origin', (origin) => {
  expect(readDomains({ connect: [origin] }).connect).toEqual([origin])
})

it.each([
  '*',
  'https:',
  'https://*',
  'data:',
  "'self'",
  "'unsafe-eval'",
  'example.com',
  'https://example.com/path',
  "https://example.com; script-src 'unsafe-eval'",
  'https://example.com https://evil.example',
  'https://example.com\nx: y',
  'https://user@example.com',
  'javascript://example.com',
  `https://${'a'.repeat(200)}.com`,
  7,
  null,
])('%j is left out', (value) => {
  const none = { connect: [], resource: [], frame: [], base: [] }
  expect(readDomains({ connect: [value], resource: [value], frame: [value] })).toEqual(none)
})

it('keeps twenty of each kind, each once', () => {
  const many = Array.from({ length: 50 }, (_, index) => `https://h${index % 30}.example`)
  expect(readDomains({ resource: many }).resource).toEqual(many.slice(0, 20))
  const same = ['https://A.example', 'https://a.example']
  expect(readDomains({ base: same }).base).toEqual(['https://a.example'])
})
