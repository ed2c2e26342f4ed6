// Users of an OpenID provider sign in, and attacks on that.
import { generateKeyPair, SignJWT } from 'jose'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { Provider, signInThrough, UPSTREAM, UPSTREAM_VARIABLES } from '../testing/provider.ts'
import { claimsOf, ISSUER, type Json, nextOf, returned, World } from '../testing/world.ts'

let world: World
let provider: Provider
let id: string
/** What the operator reads. */
let log: string[]

beforeEach(async () => {
  log = []
  vi.spyOn(console, 'error').mockImplementation((...words) => void log.push(words.join(' ')))
  world = new World(UPSTREAM_VARIABLES)
  provider = new Provider(world)
  ;({ id } = await world.register())
})

const signIn = (options?: Parameters<typeof signInThrough>[3]) =>
  signInThrough(world, provider, id, options)

async function tokenOf(response: Response): Promise<Json> {
  const code = (await returned(response)).get('code') ?? ''
  return (await world.redeem(id, code)).body
}

/** Nothing is sent to the client, and nothing leads elsewhere. */
async function expectRefused(response: Response, status = 403): Promise<string> {
  const page = await response.text()
  expect(response.status, page).toBe(status)
  expect(page).not.toContain('http-equiv="refresh"')
  expect(page).not.toContain('code=')
  expect(response.headers.get('location')).toBeNull()
  return page
}

describe('a user of the provider', () => {
  it('signs in, and the token names the user, the groups and a name that people know', async () => {
    const body = await tokenOf(await signIn())
    expect(claimsOf(body['access_token'])).toMatchObject({
      iss: ISSUER,
      sub: 'id.example/realms/main:u-1',
      groups: ['staff'],
      preferred_username: 'ada',
    })
    expect((await world.refresh(id, body['refresh_token'])).status).toBe(200)
  })

  it('is sent there with PKCE, a nonce and a state, and one address to come back to', async () => {
    const { request } = await world.ask({ client_id: id, state: 'of the client' })
    const address = await nextOf(
      await world.post('/auth/consent', { request, decision: 'upstream' }),
    )
    expect(address.origin + address.pathname).toBe(`${UPSTREAM}/authorize`)
    const sent = Object.fromEntries(address.searchParams)
    expect(sent).toMatchObject({
      response_type: 'code',
      client_id: 'gateway',
      redirect_uri: `${ISSUER}/auth/callback`,
      scope: 'openid profile email',
      code_challenge_method: 'S256',
    })
    expect(sent['code_challenge']).toMatch(/^[\w-]{43}$/)
    expect(sent['nonce']).toMatch(/^[\w-]{22}$/)
    expect(sent['state']).toMatch(/^[\w-]{22}$/)
    // Neither the client nor what it sent is visible to the provider.
    expect(address.href).not.toContain('client.example')
    expect(address.href).not.toContain('of%20the%20client')
  })

  it('keeps the groups of the sign-in, until the operator removes the user', async () => {
    const { refresh_token: token } = await tokenOf(await signIn())
    world.variables['auth_upstream_users'] = 'group:staff'
    const next = await world.refresh(id, token)
    expect(next.status).toBe(200)
    world.variables['auth_upstream_users'] = 'group:others'
    const last = await world.refresh(id, next.body['refresh_token'])
    expect(last.body['error']).toBe('invalid_grant')
  })

  it('is not a user of another provider, or one with a pass phrase', async () => {
    const { refresh_token: token } = await tokenOf(await signIn())
    for (const upstream of [
      'https://id.example/realms/other',
      'https://id.example/realms/main2',
      '',
    ]) {
      world.variables['auth_upstream'] = upstream
      expect((await world.refresh(id, token)).body['error'], upstream).toBe('invalid_grant')
    }
  })

  it('may have a client with a long state, as long as cookies hold it', async () => {
    const state = 's'.repeat(4_000)
    const response = await signIn({ fields: { state } })
    expect((await returned(response)).get('state')).toBe(state)
    const { request } = await world.ask({ client_id: id, state: 'ä'.repeat(4_000) })
    const refused = await world.post('/auth/consent', { request, decision: 'upstream' })
    await expectRefused(refused, 400)
  })
})

describe('who may sign in', () => {
  it.each([
    ['email:ADA@example.com', {}],
    ['sub:u-1', {}],
    ['domain:example.com', {}],
    ['group:staff', {}],
    ['email:eve@example.com, group:staff', {}],
    ['["group:a, b"]', { groups: ['a, b'] }],
    ['*', {}],
  ])('is who %s names', async (entries, claims) => {
    world.variables['auth_upstream_users'] = entries
    Object.assign(provider.claims, claims)
    expect((await returned(await signIn())).get('code')).not.toBeNull()
  })

  it.each([
    ['email:eve@example.com', {}],
    ['sub:U-1', {}],
    ['sub:u', {}],
    ['domain:ample.com', {}],
    ['domain:example.com', { email_verified: false }],
    ['domain:example.com', { email_verified: 'true' }],
    ['email:ada@example.com', { email_verified: undefined }],
    ['domain:example.com', { email: 'ada@example.com@evil.example' }],
    ['email:kim@example.com', { email: '\u212aim@example.com' }],
    ['group:Staff', {}],
    ['group:staff', { groups: [] }],
    ['sub:*', {}],
    ['email:ada@example.com', { email: ['ada@example.com'] }],
  ])('is not who %s does not name: %j', async (entries, claims) => {
    world.variables['auth_upstream_users'] = entries
    Object.assign(provider.claims, claims)
    const page = await expectRefused(await signIn())
    expect(page).toContain('auth_upstream_users')
    expect(page).toContain('error=access_denied')
    expect(log.join()).toContain('is not in auth_upstream_users')
  })

  it.each([
    ['', 'names no users'],
    ['  ,', 'names no users'],
    ['login:ada', 'cannot have "login:"'],
    ['ada@example.com', 'entry 1 is not one'],
    ['{"a":1}', 'entry 1 is not one'],
    ['[1]', 'must be a list'],
  ])('is no user with %j, and the page says why', async (entries, text) => {
    world.variables['auth_upstream_users'] = entries
    const { response, page, request } = await world.ask({ client_id: id })
    expect(response.status).toBe(500)
    expect(page).toContain('auth_upstream_users')
    expect(page).toContain(text.replaceAll('"', '\\"'))
    expect(request).toBe('')
    expect(provider.requested).toEqual([])
  })

  it('is not everyone, where everyone has an account', async () => {
    Object.assign(world.variables, {
      auth_upstream: 'https://accounts.google.com',
      auth_upstream_users: '*',
    })
    expect((await world.ask({ client_id: id })).page).toContain('must not be *')
  })

  it('is, at Google, in a domain only by the domain of the account', async () => {
    const { describedBy } = await import('./oidc.ts')
    const visit = { upstream: { issuer: 'https://accounts.google.com' }, groupsClaim: 'groups' }
    const claims = { sub: '1', email: 'ada@example.com', email_verified: true }
    const factsOf = (more: object) => describedBy(visit as never, { ...claims, ...more }).facts
    expect(factsOf({})).toEqual(['email:ada@example.com'])
    expect(factsOf({ hd: 'example.com' })).toContain('domain:example.com')
  })
})

describe('an ID token is refused', () => {
  const now = () => Math.floor(world.now / 1000)
  it.each<[string, () => Json]>([
    ['of another issuer', () => ({ iss: 'https://id.example/realms/other' })],
    ['for another client', () => ({ aud: 'another' })],
    ['for several, and used by another client', () => ({ aud: ['gateway', 'x'], azp: 'x' })],
    ['of another sign-in', () => ({ nonce: 'another' })],
    ['without a nonce', () => ({ nonce: undefined })],
    ['that has expired', () => ({ exp: now() - 60, iat: now() - 120 })],
    ['without an end', () => ({ exp: undefined })],
    ['without a user', () => ({ sub: undefined })],
    ['with a user of another type', () => ({ sub: 1 })],
  ])('%s', async (_, claims) => {
    Object.assign(provider.claims, claims())
    await expectRefused(await signIn())
    expect(log.join()).toContain('a sign-in at auth_upstream failed')
  })

  const unsigned = (header: object, claims: object, signature = '') =>
    [
      ...[header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')),
      signature,
    ].join('.')

  it.each<[string, (claims: Json) => Promise<string | undefined>]>([
    [
      'with the signature of another key',
      async (claims) =>
        new SignJWT(claims)
          .setProtectedHeader({ alg: 'ES256', kid: 'one' })
          .sign((await generateKeyPair('ES256')).privateKey),
    ],
    [
      'with the signature of our own secret',
      (claims) =>
        new SignJWT(claims)
          .setProtectedHeader({ alg: 'HS256' })
          .sign(new TextEncoder().encode(UPSTREAM_VARIABLES.auth_upstream_client_secret)),
    ],
    ['without a signature', async (claims) => unsigned({ alg: 'none' }, claims)],
    ['with an empty signature', async (claims) => unsigned({ alg: 'ES256', kid: 'one' }, claims)],
    [
      'with the key in its head',
      async (claims) => {
        const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
        const { exportJWK } = await import('jose')
        return new SignJWT(claims)
          .setProtectedHeader({ alg: 'ES256', jwk: await exportJWK(publicKey) })
          .sign(privateKey)
      },
    ],
    ['that is not there', async () => undefined],
  ])('%s', async (_, sign) => {
    provider.sign = sign
    await expectRefused(await signIn())
  })

  it('whose user is another one than that of the UserInfo', async () => {
    provider.userInfo = { sub: 'u-2', groups: ['admins'] }
    await expectRefused(await signIn())
  })

  it('and groups of another form than names are, too, because a rule may deny by group', async () => {
    for (const groups of [{ a: 1 }, [1], 7, true]) {
      provider.claims['groups'] = groups
      expect(await expectRefused(await signIn())).toContain('auth_upstream_groups_claim')
    }
    provider.claims['groups'] = Array.from({ length: 201 }, (_, index) => `g${index}`)
    expect(await expectRefused(await signIn())).toContain('too many groups')
  })
})

describe('a shared client at the provider is no confused deputy', () => {
  it('each client asks the user, although the provider remembers the user and asks nothing', async () => {
    await signIn()
    const requests = provider.requested.length
    const { id: evil } = await world.register({ client_name: 'evil' })
    const { response, page } = await world.ask({ client_id: evil })
    expect(response.headers.get('location')).toBeNull()
    expect(page).toContain('evil')
    expect(page).not.toContain('http-equiv="refresh"')
    expect(provider.requested.length).toBe(requests)
  })

  it('a session at the page of grants allows no client', async () => {
    const first = await world.visit('/auth/grants')
    const form = /name="form" value="([^"]+)"/.exec(await first.text())?.[1]
    const sent = await nextOf(await world.post('/auth/grants', { form, decision: 'upstream' }))
    const back = new URLSearchParams(provider.authorize(sent))
    expect((await nextOf(await world.visit(`/auth/callback?${back.toString()}`))).pathname).toBe(
      '/auth/grants',
    )
    const { page } = await world.ask({ client_id: id })
    expect(page).toContain('Allow, and sign in with')
    expect(page).not.toContain('http-equiv="refresh"')
  })

  it.each([
    ['of another site', { origin: 'https://evil.example' }],
    ['of another site without an origin', { 'sec-fetch-site': 'cross-site' }],
    ['of another browser', { cookie: `__Host-ftl-auth=${'A'.repeat(22)}` }],
    ['without a cookie', { cookie: '' }],
  ])('a form %s does not lead to the provider', async (_, headers) => {
    const { request } = await world.ask({ client_id: id })
    const answered = await world.post('/auth/consent', { request, decision: 'upstream' }, headers)
    await expectRefused(answered)
    expect(provider.requested).toEqual([])
  })
})

describe('an answer of the provider is for the browser that began, once', () => {
  async function begun(): Promise<Record<string, string>> {
    const { request } = await world.ask({ client_id: id })
    const consent = await world.post('/auth/consent', { request, decision: 'upstream' })
    return provider.authorize(await nextOf(consent))
  }
  const come = (parameters: Record<string, string>) =>
    world.visit(`/auth/callback?${new URLSearchParams(parameters).toString()}`)

  it('another browser that brings it gets nothing, with cookies of its own or without', async () => {
    const parameters = await begun()
    world.jar.clear()
    await expectRefused(await come(parameters))
    // The link of an attacker who waits at the provider, in the browser of a victim who has signed in here.
    await world.ask({ client_id: id })
    await expectRefused(await come(parameters))
    await begun()
    await expectRefused(await come(parameters))
  })

  it('cookies of it in another browser are of no use', async () => {
    const parameters = await begun()
    world.jar.set('__Host-ftl-auth', 'B'.repeat(22))
    await expectRefused(await come(parameters))
  })

  it('a code of another sign-in is refused', async () => {
    const victim = await begun()
    world.jar.clear()
    const attacker = await begun()
    await expectRefused(await come({ ...attacker, code: victim['code'] ?? '' }))
    expect(log.join()).toContain('invalid_grant')
  })

  it('it is used once, and within ten minutes', async () => {
    const parameters = await begun()
    const other = await begun()
    expect((await come(parameters)).status).toBe(200)
    // Of two sign-ins, the cookies of the one that has ended are gone.
    expect([...world.jar.keys()].filter((name) => name.includes('flow'))).toHaveLength(1)
    await expectRefused(await come(parameters))
    world.now += 10 * 60_000
    await expectRefused(await come(other))
  })

  it('users who begin again and again do not send more cookies than servers take', async () => {
    const all: Record<string, string>[] = []
    for (let time = 0; time < 10; time++) {
      const { request } = await world.ask({ client_id: id, state: 's'.repeat(1_000) })
      const sent = await world.post('/auth/consent', { request, decision: 'upstream' })
      all.push(provider.authorize(await nextOf(sent)))
    }
    expect(world.cookie.length).toBeLessThan(8_500)
    for (const parameters of all.slice(-3)) expect((await come(parameters)).status).toBe(200)
    await expectRefused(await come(all[0] ?? {}))
  })

  it('it does not end at another provider after the operator has changed the setting', async () => {
    const parameters = await begun()
    world.variables['auth_upstream'] = 'https://other.example'
    const before = provider.requested.length
    await expectRefused(await come(parameters))
    expect(provider.requested.length).toBe(before)
  })

  it.each<[string, Record<string, string>]>([
    ['no state', { state: '' }],
    ['another state', { state: 'A'.repeat(22) }],
    ['the issuer of another server', { iss: 'https://other.example' }],
    ['no code', { code: '' }],
  ])('it is refused with %s', async (_, changes) => {
    await expectRefused(await come({ ...(await begun()), ...changes }))
  })

  it('it is refused without the issuer, if the provider promised to send it (mix-up)', async () => {
    provider.metadata = { authorization_response_iss_parameter_supported: true }
    const parameters = await begun()
    await expectRefused(await come(parameters))
    expect((await come({ ...(await begun()), iss: UPSTREAM })).status).toBe(200)
  })

  it('a parameter that is there twice is refused', async () => {
    const parameters = await begun()
    const query = new URLSearchParams(parameters)
    query.append('code', 'another')
    await expectRefused(await world.visit(`/auth/callback?${query.toString()}`))
  })

  it('an error leads nowhere by itself, and its words are not repeated', async () => {
    const { state = '' } = await begun()
    const page = await expectRefused(
      await come({
        state,
        error: 'access_denied',
        error_description: 'call 0900 <script>',
        error_uri: 'https://evil.example/',
        redirect_uri: 'https://evil.example/',
      }),
    )
    expect(page).not.toMatch(/0900|evil\.example/)
    expect(page).toContain('href="https://client.example/back?error=access_denied')
  })
})

describe('the provider cannot be used', () => {
  it.each<[string, Json, string]>([
    ['metadata of another issuer', { issuer: 'https://other.example' }, 'issuer'],
    ['a sign-in without encryption', { authorization_endpoint: 'http://id.example/a' }, ''],
    ['a script instead of a sign-in', { authorization_endpoint: 'javascript:alert(1)' }, ''],
  ])('with %s', async (_, metadata, text) => {
    provider.metadata = metadata
    const { request } = await world.ask({ client_id: id })
    const answered = await world.post('/auth/consent', { request, decision: 'upstream' })
    await expectRefused(answered, 502)
    expect(log.join()).toContain(text)
  })

  it('with a token endpoint or keys inside the network', async () => {
    for (const metadata of [
      { token_endpoint: 'https://10.0.0.1/token' },
      { jwks_uri: 'http://127.0.0.1/keys' },
      { userinfo_endpoint: 'https://localhost/me' },
    ]) {
      provider.metadata = metadata
      await expectRefused(await signIn())
    }
    expect(provider.requested.every((url) => url.startsWith(UPSTREAM))).toBe(true)
  })

  it('with a wrong secret, and neither page nor log has it', async () => {
    world.variables['auth_upstream_client_secret'] = 'wrong-secret'
    const page = await expectRefused(await signIn())
    expect(log.join()).toContain('invalid_client')
    expect(page + log.join()).not.toMatch(/wrong-secret|upstream-token/)
  })

  it.each([
    'http://id.example',
    'https://id.example/?x',
    'https://id.example/#x',
    'https://u:p@id.example',
    'id.example',
    'github:https://ghe.example/path',
    'https://github.com',
    'javascript:alert(1)',
  ])('with auth_upstream=%s', async (upstream) => {
    world.variables['auth_upstream'] = upstream
    expect((await world.ask({ client_id: id })).page).toContain('auth_upstream')
  })
})
