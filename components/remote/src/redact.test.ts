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
