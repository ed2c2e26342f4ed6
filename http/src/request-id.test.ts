import { describe, expect, it } from 'vitest'
import { createRequestId } from './request-id.ts'

const platform = { randomUUID: () => 'new' }
const idOf = (sent?: string) =>
  createRequestId(
    new Request('http://localhost/', {
      headers: sent === undefined ? {} : { 'x-request-id': sent },
    }),
    platform,
  )

describe('the id of a request', () => {
  it.each(['a', '0b8ec6b4-7f6e-4a39-9a3b-0f9a2d9d6f10', 'A_b.c:d-9', 'x'.repeat(128)])(
    'is the client’s own: %s',
    (sent) => {
      expect(idOf(sent)).toBe(sent)
    },
  )

  it.each([undefined, '', 'x'.repeat(129), 'a b', 'a,b', '<b>', 'a"', 'é', 'a\tb'])(
    'is a new one in place of %j',
    (sent) => {
      expect(idOf(sent)).toBe('new')
    },
  )
})
