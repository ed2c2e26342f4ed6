import { expect, it } from 'vitest'
import { redact, secretsOf } from './redact.ts'

const server = {
  url: 'https://mcp.example/mcp?key=0123456789&v=1',
  headers: { authorization: 'Bearer abcdefgh"ij', 'x-tenant': 'blue' },
}

it.each([
  ['Bearer abcdefgh"ij was refused', '[redacted] was refused'],
  ['the token abcdefgh"ij', 'the token [redacted]'],
  [JSON.stringify({ got: 'abcdefgh"ij' }), '{"got":"[redacted]"}'],
  ['GET /mcp?key=0123456789', 'GET /mcp?key=[redacted]'],
  ['GET /mcp?token=abcdefgh%22ij', 'GET /mcp?token=[redacted]'],
  ['authorization=Bearer+abcdefgh%22ij', 'authorization=[redacted]'],
  ['authorization=Bearer%20abcdefgh%22ij', 'authorization=[redacted]'],
  // Too short to be a secret, and part of many a word.
  ['blue v=1', 'blue v=1'],
])('%s', (text, clean) => {
  expect(redact(text, secretsOf(server))).toBe(clean)
})

// Characters that JSON does not need to escape, as PHP, Go and .NET write them, in JSON and in a text of JSON that is JSON itself.
it.each([
  ['{"got":"Basic YWI6Y2Q\\/ZQ+Q&"}', '{"got":"[redacted]"}'],
  ['{"got":"Basic YWI6Y2Q/ZQ\\u002BQ\\u0026"}', '{"got":"[redacted]"}'],
  ['{"got":"Basic YWI6Y2Q/ZQ\\u002bQ\\u0026"}', '{"got":"[redacted]"}'],
  [
    '{"text":"{\\"got\\":\\"Basic YWI6Y2Q\\\\/ZQ\\\\u002BQ\\\\u0026\\"}"}',
    '{"text":"{\\"got\\":\\"[redacted]\\"}"}',
  ],
  // Without a secret, it stays as it is.
  ['{"got":"a\\u0026b\\/c \\u0022 \\\\u005c"}', '{"got":"a\\u0026b\\/c \\u0022 \\\\u005c"}'],
])('%s', (text, clean) => {
  const secrets = secretsOf({
    url: 'https://mcp.example',
    headers: { authorization: 'Basic YWI6Y2Q/ZQ+Q&' },
  })
  expect(redact(text, secrets)).toBe(clean)
})

it('what is written out is still JSON, with the same meaning', () => {
  const secrets = secretsOf({ url: 'https://mcp.example', headers: { authorization: 'abc/defgh' } })
  const text = String.raw`{"a":"\u0022abc\/defgh\u005c\u0022","b":"\\u0022\u007e\u0000"}`
  expect(JSON.parse(redact(text, secrets))).toEqual({ a: '"[redacted]\\"', b: '\\u0022~\0' })
})

it('a text of backslashes stays as it is', () => {
  const secrets = secretsOf({ url: 'https://mcp.example', headers: { authorization: 'abc/defgh' } })
  const text = `${'\\'.repeat(8_000_000)}u0026`
  expect(redact(text, secrets)).toBe(text)
})
