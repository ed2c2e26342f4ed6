import { describe, expect, it } from 'vitest'
import type { ComponentManifest, Manifest } from '../manifest/manifest.ts'
import { credentialOf, credentialRules } from './credential.ts'

/** The digests of requests to a gateway with these variables. */
function digests(variables: Record<string, string>, ...requests: Record<string, string>[]) {
  const rules = rulesOf({ gateway: { tool_components: 'a', ...variables } })('gateway')
  return requests.map((headers) => credentialOf(headers, rules))
}

function rulesOf(all: Record<string, Record<string, string>>) {
  const components = new Map(
    Object.entries(all).map(([id, variables]) => [
      id,
      { id, variables } as unknown as ComponentManifest,
    ]),
  )
  return credentialRules({ components } as Manifest, (id, name) => {
    const value = components.get(id)?.variables[name] ?? ''
    if (value === 'fails') throw new Error('no value')
    return value
  })
}

const KEYS = { api_keys: '[]' }
const PROXY = { trust_forwarded_user: 'true; policy=signed-in' }
const user = (name: string, secret = 's') => ({
  'x-forwarded-user': name,
  'x-forwarded-user-secret': secret,
})

describe('to a gateway with keys, the credential is the token', () => {
  it('in every spelling', () => {
    const all = ['Bearer abc', 'bearer abc', 'BEARER    abc', 'bEaReR abc  '].map(
      (authorization) => ({ authorization }),
    )
    expect(new Set(digests(KEYS, ...all)).size).toBe(1)
    expect(
      new Set(digests(KEYS, { authorization: 'Bearer abc' }, { authorization: 'Bearer abC' })).size,
    ).toBe(2)
  })

  it('and no header of a proxy, which it does not read', () => {
    const authorization = 'Bearer abc'
    const all = [
      { authorization },
      { authorization, ...user('a') },
      { authorization, ...user('b', 't') },
    ]
    expect(new Set(digests(KEYS, ...all)).size).toBe(1)
    expect(digests(KEYS, user('a'))).toEqual([undefined])
  })
})

describe('to a gateway behind a proxy, the credential is the user', () => {
  it('with the secret, and without a token', () => {
    const [one, other, two, three] = digests(
      { ...KEYS, ...PROXY },
      user('a'),
      { ...user('a'), authorization: 'Bearer x' },
      user('b'),
      user('a', 't'),
    )
    expect(one).toBe(other)
    expect(new Set([one, two, three]).size).toBe(3)
  })

  it('without the secret if that is not read', () => {
    const all = [user('a', 's'), user('a', 't'), { 'x-forwarded-user': 'a' }]
    expect(new Set(digests({ trust_forwarded_user: 'without-secret' }, ...all)).size).toBe(1)
  })

  it('or the token of a request that names no user', () => {
    const authorization = 'Bearer abc'
    expect(digests({ ...KEYS, ...PROXY }, { authorization })).toEqual(
      digests(KEYS, { authorization }),
    )
    expect(digests(PROXY, { authorization })).toEqual([undefined])
  })
})

describe('another component', () => {
  const authorization = 'Bearer abc'

  it('has the rules of the gateways that it may call', () => {
    const rules = rulesOf({ chat: {}, gateway: { tool_components: 'a', ...KEYS } })
    expect(credentialOf({ authorization, ...user('a') }, rules('chat'))).toBe(
      credentialOf({ authorization: 'bearer  abc' }, rules('gateway')),
    )
  })

  it('of an application without a gateway may read every header', () => {
    const rules = rulesOf({ one: {} })('one')
    expect(credentialOf({ authorization }, rules)).not.toBe(
      credentialOf({ authorization, ...user('a') }, rules),
    )
    expect(credentialOf({}, rules)).toBeUndefined()
  })

  it('counts, too, if a variable has no value', () => {
    const rules = rulesOf({ gateway: { tool_components: 'a', api_keys: 'fails' } })('gateway')
    expect(credentialOf({ authorization }, rules)).toBeDefined()
  })
})
