import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { matchesUriTemplate, parseUriTemplate } from './uri-template.ts'

it.each([
  ['note://{id}', 'note://1'],
  ['note://{id}/text', 'note://a%20b/text'],
  ['file://{+path}', 'file:///a/b/c.txt'],
  ['db://{table}{?limit,offset}', 'db://users?limit=5'],
  ['db://{table}{?limit}', 'db://users'],
  ['x://{a}.{b}', 'x://1.2'],
  ['x://a+b(c)', 'x://a+b(c)'],
  ['x://{a}{#part}', 'x://1#top'],
  // A wildcard of FastMCP.
  ['files://{path*}{?q}', 'files://a/b.txt?q=1'],
  ['file:///café/{a}', 'file:///café/1'],
  ['file:///café/{a}', 'file:///caf%C3%A9/1'],
])('%s gives %s', (template, uri) => expect(matchesUriTemplate(template, uri)).toBe(true))

it.each([
  ['note://{id}', 'note://'],
  ['note://{id}', 'note://a/b'],
  ['note://{id}/text', 'note://a/other'],
  ['db://{table}', 'db://users?limit=5'],
  ['x://a.b', 'x://aXb'],
  ['x://{a}', 'y://1'],
  ['files://{path*}', 'files://a/b?q=1'],
  ['file:///café/{a}', 'file:///caf%C3%A8/1'],
  // One character for two variables.
  ['x://{a}{b}', 'x://%C3%A9'],
  ['x://{a}{b}', 'x://😀'],
  ['x://{+a}{+b}é', 'x://%C3%A9é'],
])('%s does not give %s', (template, uri) => expect(matchesUriTemplate(template, uri)).toBe(false))

// A regular expression tries each way to divide the text: hours.
test('is compared in a time that grows with its length', () => {
  const text = 'a'.repeat(7_000)
  expect(matchesUriTemplate('x://{a}{b}{c}{d}/x', `x://${text}`)).toBe(false)
  expect(matchesUriTemplate('x://{a}{b}{c}{d}/x', `x://${text}/x`)).toBe(true)
  expect(matchesUriTemplate('x://{+a}-{+b}-{+c}/x', `x://${'-a'.repeat(3_000)}`)).toBe(false)
  expect(matchesUriTemplate('x://{.a}{.b}{.c}{.d}{.e}', `x://${'.'.repeat(7_000)}#`)).toBe(false)
  expect(matchesUriTemplate('x://{a}', `x://${'a'.repeat(7_996)}`)).toBe(true)
  expect(matchesUriTemplate('x://{a}', `x://${'a'.repeat(7_997)}`)).toBe(false)
})

const PIECES = ['a', 'b', '/', '-', '{a}', '{+b}', 'é']

test('matches what it matches when it is parsed', () => {
  const uris = fc.array(fc.constantFrom(...'ab/-?#😀', 'é', '%C3%A9', '%2f'), { maxLength: 8 })
  const templates = fc.array(fc.constantFrom(...PIECES), { maxLength: 6 })
  fc.assert(
    fc.property(templates, uris, (template, uri) => {
      const parsed = parseUriTemplate(`x://${template.join('')}`)
      const whole = `x://${uri.join('')}`
      const matches = parsed.match(whole) !== undefined
      expect(matchesUriTemplate(`x://${template.join('')}`, whole)).toBe(matches)
    }),
    { numRuns: 2_000 },
  )
})

describe('a parsed template', () => {
  it('gives the decoded values of its variables', () => {
    const template = parseUriTemplate('note://{day}/{+path}')
    expect(template.names).toEqual(['day', 'path'])
    expect(template.match('note://a%20b/c/d.txt')).toEqual({ day: 'a b', path: 'c/d.txt' })
    expect(template.match('note://a')).toBeUndefined()
  })

  it('gives whole characters to variables beside each other', () => {
    expect(parseUriTemplate('x://{a}{b}').match('x://%C3%A9%C3%A8😀')).toEqual({ a: 'éè', b: '😀' })
  })

  it('does not match a URI with an incomplete escape', () => {
    expect(parseUriTemplate('note://{day}').match('note://100%')).toBeUndefined()
  })

  it.each(['{?limit}', '{#part}', '{/a}', '{a,b}', '{}', '{+}', '{1}'])(
    'cannot have the expression %s',
    (expression) => {
      expect(() => parseUriTemplate(`x://{a}${expression}`)).toThrow(`"${expression}" in "x://{a}`)
    },
  )
})
