import { describe, expect, it } from 'vitest'
import { plainWords, readChallenge } from './challenge.ts'

const response = (status: number, header?: string) =>
  new Response(null, {
    status,
    headers: header === undefined ? {} : { 'www-authenticate': header },
  })

describe('a challenge', () => {
  it('says whether there is an authorization server, and which scopes are needed', () => {
    const header =
      'Bearer error="insufficient_scope", error_description="x", scope="a b", resource_metadata="https://g.example/m"'
    expect(readChallenge(response(403, header))).toEqual({
      hasIssuers: true,
      scopes: ['a', 'b'],
      error: 'insufficient_scope',
    })
    expect(readChallenge(response(401, 'Bearer realm="ftl"'))).toEqual({
      hasIssuers: false,
      scopes: [],
      error: '',
    })
  })

  it.each([
    [200, 'Bearer realm="x"'],
    [401, undefined],
    [401, 'Basic realm="x"'],
    [401, 'Bearerish realm="x"'],
    [500, 'Bearer realm="x"'],
  ])('is not in a response with status %i and %s', (status, header) => {
    expect(readChallenge(response(status, header))).toBeUndefined()
  })
})

describe('words of another server', () => {
  it.each([
    ['plain words', 'plain words'],
    ['\u202eevil\u2066 \u200bhidden\u0000\u001b[31m', 'evil hidden [31m'],
    ['two\r\nlines\u2028and\tmore', 'two lines and more'],
    ['<b>bold</b>', '<b>bold</b>'],
    ['', ''],
  ])('%j are shown as %j', (given, shown) => {
    expect(plainWords(given)).toBe(shown)
  })

  it('are cut off', () => {
    expect(plainWords('x'.repeat(1000))).toHaveLength(200)
  })
})
