// Rules of the authorization server that depend on its clock and settings. Each has failed with the rule taken out.
import { beforeAll, describe, expect, it } from 'vitest'
import { BACK, claimsOf, ISSUER, returned, userEntry, World } from './testing/world.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const RESOURCE = `${ISSUER}/mcp`

let users = ''
beforeAll(() => {
  users = JSON.stringify([userEntry('ada'), userEntry('eve')])
})

async function worldWithClient(variables: Record<string, string> = {}) {
  const world = new World({ auth_users: users, ...variables })
  const { id } = await world.register()
  return { world, id }
}

describe('time', () => {
  it('a code is valid for a minute', async () => {
    const { world, id } = await worldWithClient()
    const [code, late] = [await world.code({ client_id: id }), await world.code({ client_id: id })]
    world.now += MINUTE - 1
    expect((await world.redeem(id, code)).status).toBe(200)
    world.now += 1
    expect((await world.redeem(id, late)).body['error']).toBe('invalid_grant')
  })

  it('a page is valid for ten minutes', async () => {
    const { world, id } = await worldWithClient()
    const { request } = await world.ask({ client_id: id })
    world.now += 10 * MINUTE - 1
    expect((await world.consent({ request })).status).toBe(200)
    world.now += 1
    expect((await world.consent({ request })).status).toBe(403)
  })

  it('a sign-in ends after 30 days, also if its token is renewed all the time', async () => {
    const { world, id } = await worldWithClient()
    let { body } = await world.redeem(id, await world.code({ client_id: id }))
    for (let day = 1; day < 30; day++) {
      world.now += DAY
      ;({ body } = await world.refresh(id, body['refresh_token']))
      expect(body['refresh_token'], `day ${day}`).toBeDefined()
    }
    world.now += DAY
    expect((await world.refresh(id, body['refresh_token'])).body['error']).toBe('invalid_grant')
  })

  it('the cookie of a page is valid as long as its form', async () => {
    const { world, id } = await worldWithClient()
    for (let time = 0; time < 2; time++) {
      const { response } = await world.ask({ client_id: id })
      const cookie = response.headers.get('set-cookie') ?? ''
      expect(cookie).toMatch(/^__Host-ftl-auth=[\w-]{22}; Path=\/; HttpOnly; SameSite=Lax;/)
      expect(cookie).toContain('Secure')
      expect(Number(/Max-Age=(\d+)/.exec(cookie)?.[1])).toBeGreaterThanOrEqual(600)
    }
  })
})

describe('what a token is for', () => {
  it.each([
    [RESOURCE, RESOURCE],
    [`${RESOURCE}/`, RESOURCE],
    ['https://GATEWAY.example:443/mcp', RESOURCE],
    [`${RESOURCE}/x/calculator`, `${RESOURCE}/x/calculator`],
    [undefined, RESOURCE],
  ])('is %s', async (resource, audience) => {
    const { world, id } = await worldWithClient()
    const code = await world.code({ client_id: id, resource })
    const { body } = await world.redeem(id, code, { resource })
    expect(claimsOf(body['access_token'])['aud']).toBe(audience)
  })

  it.each([
    'https://other.example/mcp',
    'http://gateway.example/mcp',
    'https://gateway.example:8443/mcp',
    ISSUER,
    `${ISSUER}/mcpx`,
    `${ISSUER}/jobs`,
    `${RESOURCE}#x`,
    `${RESOURCE}#`,
    `${RESOURCE}?x`,
    `${RESOURCE}/../jobs`,
    `${RESOURCE}/%2e%2e/jobs`,
    `${RESOURCE}//x`,
    'https://ada@gateway.example/mcp',
    'https://gateway.example.evil.example/mcp',
    'gateway.example/mcp',
    'urn:x',
  ])('is not %s', async (resource) => {
    const { world, id } = await worldWithClient()
    const { response, page } = await world.ask({ client_id: id, resource })
    expect(response.status).toBe(400)
    expect(page).toContain('error=invalid_target')
  })

  it('is never more than what the user has allowed', async () => {
    const { world, id } = await worldWithClient()
    const resource = `${RESOURCE}/x/calculator`
    const code = await world.code({ client_id: id, resource })
    for (const other of [RESOURCE, `${RESOURCE}/x/other`, `${RESOURCE}/x/calculator2`])
      expect((await world.redeem(id, code, { resource: other })).body['error']).toBe(
        'invalid_target',
      )
    const { body } = await world.redeem(id, code)
    expect(claimsOf(body['access_token'])['aud']).toBe(resource)
  })

  it('two resources are refused', async () => {
    const { world, id } = await worldWithClient()
    const { status, body } = await world.redeem(id, await world.code({ client_id: id }))
    expect(status).toBe(200)
    const form = new URLSearchParams({ grant_type: 'refresh_token', client_id: id })
    form.set('refresh_token', String(body['refresh_token']))
    for (const resource of [RESOURCE, 'https://other.example/mcp'])
      form.append('resource', resource)
    const answered = await world.send('/auth/token', { method: 'POST', body: form })
    expect(answered.status).toBe(400)
  })
})

describe('scopes', () => {
  it('of a renewed token can be fewer, and never more or none', async () => {
    const { world, id } = await worldWithClient()
    const both = await world.redeem(id, await world.code({ client_id: id, scope: 'math' }))
    expect(both.body['scope']).toBe('tools math')
    const fewer = await world.refresh(id, both.body['refresh_token'], { scope: 'tools admin' })
    expect(fewer.body['scope']).toBe('tools')
    expect(claimsOf(fewer.body['access_token'])['scope']).toBe('tools')
    const none = await world.refresh(id, fewer.body['refresh_token'], { scope: 'admin' })
    expect(none.body['error']).toBe('invalid_scope')
    const all = await world.refresh(id, fewer.body['refresh_token'])
    expect(all.body['scope']).toBe('tools math')
  })

  it('that a user has not allowed are not got later', async () => {
    const { world, id } = await worldWithClient()
    const { body } = await world.redeem(id, await world.code({ client_id: id }))
    const more = await world.refresh(id, body['refresh_token'], { scope: 'tools math' })
    expect(more.body['scope']).toBe('tools')
  })
})

describe('a changed setting', () => {
  it('a user who was removed gets no more tokens', async () => {
    const { world, id } = await worldWithClient()
    const { body } = await world.redeem(id, await world.code({ client_id: id }))
    const code = await world.code({ client_id: id })
    world.variables['auth_users'] = JSON.stringify([userEntry('eve')])
    expect((await world.refresh(id, body['refresh_token'])).body['error']).toBe('invalid_grant')
    expect((await world.redeem(id, code)).body['error']).toBe('invalid_grant')
  })

  it('a host that is no longer in auth_client_hosts gets no more users', async () => {
    const { world, id } = await worldWithClient()
    expect((await world.ask({ client_id: id })).response.status).toBe(200)
    world.variables['auth_client_hosts'] = 'claude.ai'
    expect((await world.ask({ client_id: id })).response.status).toBe(400)
    const { status, body } = await world.register()
    expect([status, body['error']]).toEqual([400, 'invalid_redirect_uri'])
    const allowed = ['https://claude.ai/api/mcp/auth_callback']
    expect((await world.register({ redirect_uris: allowed })).status).toBe(201)
  })

  it('with another auth_server_key, codes, pages, tokens and clients of before are unknown', async () => {
    const { world, id } = await worldWithClient()
    const { body } = await world.redeem(id, await world.code({ client_id: id }))
    const code = await world.code({ client_id: id })
    const { request } = await world.ask({ client_id: id })
    const keysOf = async () => (await world.send('/auth/keys')).text()
    const keys = await keysOf()
    world.variables['auth_server_key'] = 'another one of at least 32 characters'
    expect((await world.redeem(id, code)).body['error']).toBe('invalid_grant')
    expect((await world.refresh(id, body['refresh_token'])).body['error']).toBe('invalid_grant')
    expect((await world.consent({ request })).status).toBe(403)
    expect((await world.ask({ client_id: id })).page).toContain('may have expired')
    expect(await keysOf()).not.toBe(keys)
    const { id: next } = await world.register()
    expect((await world.redeem(next, await world.code({ client_id: next }))).status).toBe(200)
  })

  it.each(['', 'short', 'x'.repeat(31)])(
    'with the auth_server_key %j nothing is served',
    async (key) => {
      const { world } = await worldWithClient()
      world.variables['auth_server_key'] = key
      const answered = await world.send('/auth/keys')
      expect(answered.status).toBe(500)
      expect(await answered.text()).toContain('auth_server_key')
    },
  )
})

describe('the browser', () => {
  it('with two cookies of the name is refused: one is of another site of the domain', async () => {
    const { world, id } = await worldWithClient()
    const { request } = await world.ask({ client_id: id })
    const cookie = `${world.cookie}; __Host-ftl-auth=${'A'.repeat(22)}`
    expect((await world.consent({ request }, { cookie })).status).toBe(403)
    expect((await world.consent({ request })).status).toBe(200)
  })

  it('of a user who must not be asked gets no code', async () => {
    const { world, id } = await worldWithClient()
    const { page } = await world.ask({ client_id: id, prompt: 'none' })
    expect(page).toContain('error=interaction_required')
  })

  it('returns a long state as it was, and no part of a longer one', async () => {
    const { world, id } = await worldWithClient()
    const state = 'ä '.repeat(2_000)
    const { request } = await world.ask({ client_id: id, state })
    const answered = await world.consent({ request })
    expect((await returned(answered)).get('state')).toBe(state)
    // Proxies limit what headers may have.
    expect(JSON.stringify([...answered.headers]).length).toBeLessThan(2_000)
    const { response, page } = await world.ask({ client_id: id, state: `${state}x` })
    expect(response.status).toBe(400)
    expect(page).toContain('error=invalid_request')
    expect(page).not.toContain('state=')
  })
})

describe('a client', () => {
  it('cannot redeem a code of another one, although it knows all the rest', async () => {
    const { world, id } = await worldWithClient()
    const { id: other } = await world.register({ client_name: 'other' })
    // Both are known to the user.
    await world.redeem(other, await world.code({ client_id: other }))
    const code = await world.code({ client_id: id })
    expect((await world.redeem(other, code)).body['error']).toBe('invalid_grant')
    expect((await world.redeem(id, code)).status).toBe(200)
  })

  it('that sends a secret is told that there are none', async () => {
    const { world, id } = await worldWithClient()
    const body = new URLSearchParams({ grant_type: 'authorization_code', client_id: id })
    const headers = { authorization: `Basic ${btoa('a:b')}` }
    const answered = await world.send('/auth/token', { method: 'POST', headers, body })
    expect(answered.status).toBe(401)
    expect(await answered.json()).toMatchObject({ error: 'invalid_client' })
  })

  it('registers with members that this server does not use, whatever they are', async () => {
    const { world } = await worldWithClient()
    const odd = {
      ...{ client_name: null, grant_types: null, response_types: null, scope: ['a'] },
      ...{ logo_uri: `https://client.example/${'x'.repeat(20_000)}`, contacts: {}, jwks: [null] },
      token_endpoint_auth_method: 'client_secret_post',
    }
    const { status, body } = await world.register(odd)
    expect(status).toBe(201)
    expect(body).toMatchObject({ token_endpoint_auth_method: 'none', redirect_uris: [BACK] })
    expect(body).not.toHaveProperty('client_secret')
    expect(JSON.stringify(body).length).toBeLessThan(2_000)
  })

  it.each([
    ['null', null],
    ['an object', {}],
    ['a text', BACK],
    ['none', []],
    ['null among them', [BACK, null]],
    ['too many', Array.from({ length: 11 }, (_, index) => `${BACK}/${index}`)],
    ['a policy of a page', ['https://a,default-src/']],
    ['a wildcard', ['https://*/back']],
    ['a directive', ['https://a;sandbox/']],
  ])('does not register with redirect_uris that are %s', async (_, uris) => {
    const { world } = await worldWithClient()
    const { status, body } = await world.register({ redirect_uris: uris })
    expect([status, body['error']]).toEqual([400, 'invalid_redirect_uri'])
  })

  it('can be used if it could be registered, however long its addresses are', async () => {
    const { world } = await worldWithClient()
    const register = (letter: string) => {
      const [uri, more] = [470, 180].map((size) => `https://client.example/${letter.repeat(size)}`)
      const names = { client_name: '\u{20000}'.repeat(60) }
      return world.register({ redirect_uris: [uri, more], ...names })
    }
    const { status, id } = await register('x')
    expect(status).toBe(201)
    const uri = `https://client.example/${'x'.repeat(470)}`
    const { response } = await world.ask({ client_id: id, redirect_uri: uri })
    expect(response.status).toBe(200)
    // JSON takes two characters for each.
    expect((await register('"')).status).toBe(400)
  })

  it.each([
    ['हिन्दी क्लाइंट', 'हिन्दी क्लाइंट'],
    ['ลูกค้า', 'ลูกค้า'],
    ['Z\u0310\u0311\u0312\u0313\u0314a', 'Z\u0310\u0311a'],
    ['\u202eevil\u2066\u200b\u0000', 'evil'],
    ['<b>&"\'', '&#60;b&#62;&#38;&#34;&#39;'],
  ])('with the name %j is shown as %j', async (name, shown) => {
    const { world } = await worldWithClient()
    const { id } = await world.register({ client_name: name })
    expect((await world.ask({ client_id: id })).page).toContain(`<dd>${shown}</dd>`)
  })
})
