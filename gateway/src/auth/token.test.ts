import { afterEach, describe, expect, it, vi } from 'vitest'
import { authenticatedWorld, BOTH } from '../testing/authenticated.ts'
import { CALL } from '../testing/every-route.ts'
import { digestOf, ISSUER, JWKS_URL, METADATA_URL, tokenWith } from '../testing/issuer.ts'

afterEach(() => vi.restoreAllMocks())

describe('a token', () => {
  it('is verified once, and its verdict is kept without the token', async () => {
    const world = authenticatedWorld()
    const verify = vi.spyOn(crypto.subtle, 'verify')
    const token = tokenWith({ alg: 'RS256' })
    for (let time = 0; time < 3; time++) expect((await world.get('/tools', token)).status).toBe(200)
    expect(verify).toHaveBeenCalledTimes(1)
    expect(world.asked).toEqual([METADATA_URL, JWKS_URL])
    const store = await world.platform.openKeyValue('default')
    for (const key of await store.keys()) {
      const text = `${key} ${Buffer.from((await store.get(key)) ?? []).toString()}`
      for (const part of token.split('.')) expect(text).not.toContain(part)
    }
  })

  it('that has expired is refused, although its verdict is kept', async () => {
    let now = Date.now()
    const world = authenticatedWorld(BOTH, undefined, { now: () => now })
    const token = tokenWith()
    expect((await world.get('/tools', token)).status).toBe(200)
    now += 329_000
    expect((await world.get('/tools', token)).status).toBe(200)
    now += 3_000
    expect((await world.get('/tools', token)).status).toBe(401)
  })

  it('is not valid under another configuration, although its verdict is kept', async () => {
    const variables: Record<string, string> = { ...BOTH }
    const world = authenticatedWorld(variables)
    const token = tokenWith()
    expect((await world.get('/tools', token)).status).toBe(200)
    const { platform } = world
    const { variables: inner } = platform
    for (const [name, value] of [
      ['auth_audience', 'https://elsewhere.example/mcp'],
      ['auth_issuers', 'https://other.example'],
      ['auth_algorithms', 'RS256'],
    ] as const) {
      platform.variables = { get: (asked) => (asked === name ? value : inner.get(asked)) }
      expect((await world.get('/tools', token)).status, name).toBe(401)
    }
  })

  it('names its user to the component by the contract alone', async () => {
    const world = authenticatedWorld()
    await world.get('/mcp', tokenWith({ claims: { sub: 'ada lovelace/ä#1' } }), CALL)
    const headers = world.received.at(-1)
    expect(headers?.get('ftl-principal')).toBe(`${ISSUER}#ada%20lovelace%2F%C3%A4%231`)
    expect(JSON.parse(headers?.get('ftl-caller') ?? '')).toEqual({
      scopes: ['tools'],
      issuer: ISSUER,
      user: 'ada lovelace/ä#1',
    })
    expect(headers?.get('authorization')).toBeNull()
  })

  it.each([['sub:ada'], ['client:app'], ['jti:7'], [`principal:${ISSUER}#ada`]])(
    'that %s denies is refused',
    async (entry) => {
      const world = authenticatedWorld({ ...BOTH, auth_deny: `sub:eve, ${entry}` })
      const claims = { client_id: 'app', jti: '7' }
      expect((await world.get('/tools', tokenWith({ claims }))).status).toBe(401)
      const others = { client_id: 'b', jti: '8', sub: 'bob' }
      expect((await world.get('/tools', tokenWith({ claims: others }))).status).toBe(200)
    },
  )

  it('that is denied by its digest is refused', async () => {
    const [one, other] = [tokenWith({ claims: { n: 1 } }), tokenWith({ claims: { n: 2 } })]
    const world = authenticatedWorld({ ...BOTH, auth_deny: `token:${digestOf(one)}` })
    expect((await world.get('/tools', one)).status).toBe(401)
    expect((await world.get('/tools', other)).status).toBe(200)
  })
})
