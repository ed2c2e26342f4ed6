import type { JsonSchema } from 'ftl-contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { redact, REDACTED } from './redact.ts'

const SECRET = { type: 'string', writeOnly: true }
const PASSWORD = { type: 'string', format: 'password' }
const TEXT = { type: 'string' }

const object = (properties: object, more: object = {}): JsonSchema => ({
  type: 'object',
  properties,
  ...more,
})

describe('what the schema calls a secret is left out', () => {
  it.each<[string, JsonSchema, unknown, unknown]>([
    [
      'in a member',
      object({ user: TEXT, key: SECRET, pin: PASSWORD }),
      { user: 'ada', key: 'k', pin: '1' },
      { user: 'ada', key: REDACTED, pin: REDACTED },
    ],
    [
      'as a whole object',
      object({ login: object({ user: TEXT }, { writeOnly: true }) }),
      { login: { user: 'ada' } },
      { login: REDACTED },
    ],
    [
      'nested',
      object({ a: object({ b: object({ key: SECRET, c: TEXT }) }) }),
      { a: { b: { key: 'k', c: 'c' } } },
      { a: { b: { key: REDACTED, c: 'c' } } },
    ],
    [
      'in the items of an array',
      object({ users: { type: 'array', items: object({ key: SECRET, name: TEXT }) } }),
      { users: [{ key: 'k', name: 'n' }, { key: 'l' }] },
      { users: [{ key: REDACTED, name: 'n' }, { key: REDACTED }] },
    ],
    [
      'in one place of a tuple',
      object({ pair: { type: 'array', prefixItems: [TEXT, PASSWORD] } }),
      { pair: ['ada', 'k', 'x'] },
      { pair: ['ada', REDACTED, 'x'] },
    ],
    [
      'in a tuple of an older draft',
      object({ pair: { type: 'array', items: [TEXT, PASSWORD] } }),
      { pair: ['ada', 'k'] },
      { pair: ['ada', REDACTED] },
    ],
    [
      'in a branch of oneOf, whichever applies',
      object({ auth: { oneOf: [object({ kind: { const: 'none' } }), object({ key: SECRET })] } }),
      { auth: { kind: 'none', key: 'k' } },
      { auth: { kind: 'none', key: REDACTED } },
    ],
    [
      'behind if and then',
      { if: object({ a: TEXT }), then: object({ key: SECRET }) },
      { key: 'k' },
      { key: REDACTED },
    ],
    [
      'behind a reference',
      object({ auth: { $ref: '#/$defs/auth' } }, { $defs: { auth: object({ key: SECRET }) } }),
      { auth: { key: 'k' } },
      { auth: { key: REDACTED } },
    ],
    [
      'behind a reference with escapes',
      object({ a: { $ref: '#/$defs/a~1b%20c' } }, { $defs: { 'a/b c': SECRET } }),
      { a: 'k' },
      { a: REDACTED },
    ],
    [
      'in members of any name',
      object({}, { additionalProperties: SECRET }),
      { x: 'k', y: 'l' },
      { x: REDACTED, y: REDACTED },
    ],
    [
      'in members whose name matches a pattern',
      object({ name: TEXT }, { patternProperties: { '^x-': SECRET } }),
      { 'x-key': 'k' },
      { 'x-key': REDACTED },
    ],
  ])('%s', (_, schema, value, redacted) => {
    expect(redact(value, schema)).toEqual(redacted)
  })
})

it('what cannot be looked up is a secret', () => {
  const schema = object({ a: { $ref: 'https://example.com/x' }, b: { $ref: '#missing' }, c: TEXT })
  expect(redact({ a: 'k', b: 'k', c: 'c' }, schema)).toEqual({ a: REDACTED, b: REDACTED, c: 'c' })
})

it('a schema that refers to itself comes to an end', () => {
  const schema = object({ child: { $ref: '#' }, key: SECRET }, { allOf: [{ $ref: '#' }] })
  const value = { child: { child: { key: 'k', x: 1 } } }
  expect(redact(value, schema)).toEqual({ child: { child: { key: REDACTED, x: 1 } } })
})

it('a schema that would take too long makes everything a secret', () => {
  const wide = { anyOf: Array.from({ length: 300 }, () => object({ a: {} })) }
  const value = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`k${i}`, {}]))
  expect(redact(value, { ...wide, additionalProperties: wide })).toBe(REDACTED)
})

it('members that are called as those of every object are members', () => {
  const value = JSON.parse('{"constructor":"c","__proto__":"p","toString":"t"}') as unknown
  expect(redact(value, object({ toString: SECRET }))).toEqual(
    JSON.parse(`{"constructor":"c","__proto__":"p","toString":"${REDACTED}"}`),
  )
})

it('without secrets in the schema every value stays as it is', () => {
  fc.assert(
    fc.property(fc.object(), (value) => {
      expect(redact(value, object({}))).toEqual(value)
    }),
  )
})
