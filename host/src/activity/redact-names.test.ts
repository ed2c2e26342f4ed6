import { expect, test } from 'vitest'
import { redactNames, REDACTED } from './redact-names.ts'

test.each([
  'password',
  'dbPassword',
  'token',
  'accessToken',
  'refresh_token',
  'api_key',
  'apiKey',
  'x-api-key',
  'clientSecret',
  'Authorization',
  'privateKey',
  'cookie',
  'credentials',
])('what is named %s is taken out, at any depth', (name) => {
  expect(redactNames({ [name]: 'hunter2', list: [{ [name]: { a: 1 } }] })).toEqual({
    [name]: REDACTED,
    list: [{ [name]: REDACTED }],
  })
})

test('other arguments stay', () => {
  const value = { prompt: 'a lighthouse', steps: 20, tags: ['a'], keyboard: true, author: 'ada' }
  expect(redactNames(value)).toEqual(value)
})

test.each([
  ['Bearer abcdefghijklmnop', 'abcdefgh'],
  ['https://ada:hunter2@example.com/x', 'hunter2'],
  ['sk-abcdefghijklmnopqrst', 'abcdefgh'],
  ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2ln', 'eyJzdWIi'],
])('a credential in a text is taken out: %s', (text, secret) => {
  expect(JSON.stringify(redactNames({ note: `use ${text} now` }))).not.toContain(secret)
})

test('a deep, wide or long value has a bounded copy', () => {
  let deep: unknown = 'end'
  for (let i = 0; i < 5000; i++) deep = { deep }
  expect(JSON.stringify(redactNames(deep)).length).toBeLessThan(500)
  const wide = redactNames(Array.from({ length: 100_000 }, (_, i) => i))
  expect(JSON.stringify(wide).length).toBeLessThan(50_000)
  expect(JSON.stringify(redactNames('x'.repeat(1e6))).length).toBeLessThan(3000)
})
