import type { ApiBody, ApiCredential, ApiParameter } from 'ftl-contract'
import { expect, it } from 'vitest'
import { refuseInexact, refuseTaken } from './refusals.ts'

const parameter = (name: string, more: Partial<ApiParameter> = {}): ApiParameter => ({
  ...{ argument: name, name, in: 'query', style: 'form', explode: true },
  ...more,
})
const parameters = [
  parameter('shop'),
  parameter('filter'),
  parameter('deep', { style: 'deepObject' }),
  parameter('deep[fixed]', { argument: 'deep_fixed' }),
  parameter('session', { in: 'cookie' }),
  parameter('prefs', { in: 'cookie' }),
]
const credentials: Record<string, ApiCredential> = {
  key: { in: 'query', name: 'token', variable: 'shop_key' },
}
const refusal = (args: Record<string, unknown>) => () =>
  refuseTaken({ parameters }, new Map(Object.entries(args)), credentials)

it.each([
  [{ filter: { shop: 'paris' } }, 'shop'],
  [{ filter: { 'shop[]': 'paris' } }, 'shop[]'],
  [{ filter: { 'Shop ': 'paris' } }, 'Shop '],
  [{ filter: { token: 'other' } }, 'token'],
  [{ deep: { fixed: 1 } }, 'deep[fixed]'],
  [{ prefs: { session: 'other' } }, 'session'],
])('an object must not replace another parameter: %j', (args, name) => {
  expect(refusal(args)).toThrow(`must not have "${name}", which is the name of another parameter`)
})

it('other members are sent', () => {
  const args = { shop: 'a', filter: { state: 'new', filter: 1 }, deep: { shop: 1 } }
  expect(refusal(args)).not.toThrow()
})

it('a field of a form must not be replaced either', () => {
  const body: ApiBody = {
    ...{ kind: 'form', mediaType: 'application/x-www-form-urlencoded' },
    fields: [
      { argument: 'shop', name: 'shop' },
      { argument: 'more', name: 'more', style: 'form', explode: true },
    ],
  }
  const given = { parameters: [], body }
  const refuse = (more: object) => () => refuseTaken(given, new Map([['more', more]]), {})
  expect(refuse({ shop: 'paris' })).toThrow('more: must not have "shop"')
  expect(refuse({ town: 'paris' })).not.toThrow()
})

it('an integer that was rounded is refused', () => {
  const properties = { id: { type: ['integer', 'string'] }, n: { type: 'integer' }, x: {} }
  const refuse = (args: object) => () =>
    refuseInexact({ inputSchema: { properties } }, new Map(Object.entries(args)))
  expect(refuse({ id: 2 ** 53 })).toThrow(/^id: must be an integer .*write larger ones as a string/)
  expect(refuse({ n: -(2 ** 53) })).toThrow(/^n: must be an integer between/)
  expect(refuse({ id: String(2n ** 63n), n: 2 ** 53 - 1, x: 1e300 })).not.toThrow()
})
