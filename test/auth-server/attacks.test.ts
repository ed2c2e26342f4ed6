// Attacks of RFC 9700 on the authorization server. Each is refused, and its harmless neighbour is not.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type AuthServer,
  Browser,
  HandClient,
  hidden,
  PASS_PHRASE,
  returnAddress,
  signInAt,
  startAuthServer,
  userEntry,
} from './application.ts'

let server: AuthServer
let client: HandClient

beforeAll(async () => {
  server = await startAuthServer({
    auth_scopes: 'tools',
    auth_users: JSON.stringify([userEntry('ada'), userEntry('eve')]),
  })
  client = new HandClient(server)
  await client.register()
})
afterAll(() => server.close())

const fetchPage = (address: URL) => fetch(address, { redirect: 'manual' })

describe('an address to return to', () => {
  it.each([
    'https://client.example/callback/',
    'https://client.example/callback/more',
    'https://client.example/callbackmore',
    'https://client.example/callback?x=1',
    'https://client.example/callback#x',
    'https://client.example:444/callback',
    'https://client.example@evil.example/callback',
    'https://user@client.example/callback',
    'https://client.example.evil.example/callback',
    'https://CLIENT.example/callback',
    'https://client.example/./callback',
    'https://client.example/%63allback',
    'https:\\\\client.example\\callback',
    'https://client.example/callback\n',
    'http://client.example/callback',
    'http://127.0.0.1/callback',
    'javascript:alert(1)',
    '//client.example/callback',
    'https://evil.example/',
  ])('that is not the registered one is not used: %j', async (redirectUri) => {
    const response = await fetchPage(client.address({ redirect_uri: redirectUri }))
    expect(response.status).toBe(400)
    expect(response.headers.get('location')).toBeNull()
    expect(await response.text()).not.toContain('href="http')
  })

  it('of a program on the machine may have any port, and nothing else may differ', async () => {
    const native = new HandClient(server, 'http://127.0.0.1/callback')
    await native.register()
    const statusOf = async (redirectUri: string) =>
      (await fetchPage(native.address({ redirect_uri: redirectUri }))).status
    for (const uri of ['http://127.0.0.1/callback', 'http://127.0.0.1:49152/callback'])
      expect(await statusOf(uri), uri).toBe(200)
    for (const uri of [
      'http://localhost:49152/callback',
      'http://127.0.0.1:49152/callback/x',
      'http://127.0.0.1:49152@evil.example/callback',
      'http://127.0.0.1:49152.evil.example/callback',
      'http://127.0.0.1.evil.example:80/callback',
      'https://127.0.0.1:49152/callback',
      'http://127.0.0.2:49152/callback',
    ])
      expect(await statusOf(uri), uri).toBe(400)
  })

  it.each([
    ['javascript:alert(1)'],
    ['data:text/html,x'],
    ['http://client.example/callback'],
    ['https://client.example/#x'],
    ['https://a:b@client.example/'],
    ['/callback'],
    ['https://client.example/\u202e'],
    ['com.example'],
  ])('%s cannot be registered', async (uri) => {
    const { status, body } = await new HandClient(server, uri).register()
    expect([status, body['error']]).toEqual([400, 'invalid_redirect_uri'])
  })
})

describe('before the client and its address are known, no one is sent anywhere', () => {
  it.each([
    ['no client', { client_id: undefined }],
    ['an unknown client', { client_id: 'dcr.AAAA' }],
    ['a changed client', { client_id: 'x' }],
    ['an address of a document inside the network', { client_id: 'https://10.0.0.1/client.json' }],
    ['a document on this machine', { client_id: 'https://localhost/client.json' }],
    ['a document without encryption', { client_id: 'http://client.example/client.json' }],
    ['a document whose host the manifest does not allow', { client_id: 'https://evil.example/c' }],
  ])('%s', async (_, changes) => {
    const response = await fetchPage(client.address(changes))
    expect(response.status).toBe(400)
    expect(response.headers.get('location')).toBeNull()
  })

  it('and a wrong request of a known client gets a page, because any stranger can register', async () => {
    const response = await fetchPage(client.address({ response_type: 'token' }))
    expect(response.headers.get('location')).toBeNull()
    const text = await response.text()
    expect(text).toContain('error=unsupported_response_type')
    expect(text).toContain('client.example')
  })

  it('and a parameter that is there twice is refused', async () => {
    const address = client.address()
    address.searchParams.append('redirect_uri', 'https://evil.example/')
    expect((await fetchPage(address)).status).toBe(400)
  })
})

describe('PKCE', () => {
  it.each([
    ['no challenge', { code_challenge: undefined }],
    ['the method plain', { code_challenge_method: 'plain' }],
    ['no method, which means plain', { code_challenge_method: undefined }],
    ['a challenge that is no digest', { code_challenge: 'short' }],
  ])('is required: %s', async (_, changes) => {
    const response = await fetchPage(client.address(changes))
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('error=invalid_request')
  })

  it('and a code is for its verifier, client and address, once', async () => {
    const code = await client.code()
    const other = new HandClient(server)
    await other.register()
    const refused = [
      await client.redeem(code, { code_verifier: other.verifier }),
      await client.redeem(code, { code_verifier: undefined }),
      await client.redeem(code, { redirect_uri: 'https://evil.example/' }),
      await client.redeem(code, { client_id: other.id }),
      await client.redeem(`${code.slice(0, -2)}AA`),
    ]
    expect(refused.map(({ status, body }) => [status, body['error']])).toEqual(
      refused.map(() => [400, 'invalid_grant']),
    )
    expect(
      (await client.redeem(code, { resource: 'https://other.example/mcp' })).body['error'],
    ).toBe('invalid_target')
    expect((await client.redeem(code)).status).toBe(200)
  })

  it('and a code that is used again ends what came of it', async () => {
    const code = await client.code()
    const { body } = await client.redeem(code)
    expect((await client.redeem(code)).body['error']).toBe('invalid_grant')
    expect((await client.refresh(body['refresh_token'])).body['error']).toBe('invalid_grant')
  })
})

describe('a refresh token', () => {
  it('is valid once: used again, it ends the sign-in, and only this one', async () => {
    const [mine, others] = [await client.code(), await client.code()]
    const first = (await client.redeem(mine)).body['refresh_token']
    const other = (await client.redeem(others)).body['refresh_token']
    const second = await client.refresh(first)
    expect(second.status).toBe(200)
    expect((await client.refresh(first)).body['error']).toBe('invalid_grant')
    expect((await client.refresh(second.body['refresh_token'])).body['error']).toBe('invalid_grant')
    expect((await client.refresh(other)).status).toBe(200)
  })

  it('of several uses at the same moment gives one new token at most', async () => {
    const { body } = await client.redeem(await client.code())
    const uses = await Promise.all([1, 2, 3, 4].map(() => client.refresh(body['refresh_token'])))
    expect(uses.filter(({ status }) => status === 200).length).toBeLessThan(2)
  })

  it('is for its client alone, and not a code or an access token', async () => {
    const code = await client.code()
    const { body } = await client.redeem(code)
    const other = new HandClient(server)
    await other.register()
    for (const attempt of [
      await other.refresh(body['refresh_token']),
      await client.refresh(body['access_token']),
      await client.refresh(code),
      await client.redeem(String(body['refresh_token'])),
    ])
      expect(attempt.body['error']).toBe('invalid_grant')
    expect((await client.whoami(body['refresh_token'])).status).toBe(401)
    expect((await client.refresh(body['refresh_token'])).status).toBe(200)
  })

  it('that is revoked gives no token; another client cannot revoke it', async () => {
    const { body } = await client.redeem(await client.code())
    const token = String(body['refresh_token'])
    const other = new HandClient(server)
    await other.register()
    await other.post('/auth/revoke', { token, client_id: other.id })
    const next = await client.refresh(token)
    expect(next.status).toBe(200)
    const newest = String(next.body['refresh_token'])
    expect(
      (await client.post('/auth/revoke', { token: newest, client_id: client.id })).status,
    ).toBe(200)
    expect((await client.refresh(newest)).body['error']).toBe('invalid_grant')
    const access = String(body['access_token'])
    const revoked = await client.post('/auth/revoke', { token: access, client_id: client.id })
    expect(revoked.body['error']).toBe('unsupported_token_type')
  })
})

describe('the page that asks the user', () => {
  it('cannot be framed, runs no script, and names the client, its host, address and scopes', async () => {
    const named = new HandClient(server, 'https://client.example/back')
    await named.register({ client_name: '<script>alert(1)</script>\u202eClient' })
    const response = await fetchPage(named.address())
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('script-src')
    expect(response.headers.get('x-frame-options')).toBe('DENY')
    expect(response.headers.get('cache-control')).toBe('no-store')
    const page = await response.text()
    expect(page).not.toMatch(/<script|\u202e|style="/)
    for (const text of ['alert(1)', '>client.example<', 'https://client.example/back', 'tools'])
      expect(page).toContain(text)
  })

  const fields = { user: 'ada', pass_phrase: PASS_PHRASE, decision: 'allow' }
  const consent = () => `${server.url}/auth/consent`

  it('is for the browser that got it', async () => {
    const request = hidden(await (await new Browser().get(client.address())).text())
    const answers = [
      await new Browser().post(consent(), { ...fields, request }),
      // It has a cookie of its own.
      await (async () => {
        const other = new Browser()
        await other.get(client.address())
        return other.post(consent(), { ...fields, request })
      })(),
    ]
    for (const answer of answers) {
      expect(answer.status).toBe(403)
      expect(await answer.text()).not.toContain('http-equiv')
    }
  })

  it.each([
    ['of another site', { origin: 'https://evil.example' }, 403],
    ['of another page of this machine', { origin: 'http://127.0.0.1:1' }, 403],
    ['without an origin, but from another site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['of its own', {}, 200],
  ])('takes a form %s with the right status', async (_, headers, status) => {
    const asked = await fetchPage(client.address())
    const cookie = asked.headers.getSetCookie().join().split(';')[0] ?? ''
    const response = await fetch(consent(), {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie, origin: server.url, ...headers },
      body: new URLSearchParams({ ...fields, request: hidden(await asked.text()) }),
    })
    expect(response.status).toBe(status)
  })

  it('returns the state and the issuer with a code and with a refusal, so that clients detect a mix-up', async () => {
    const allowed = await signInAt(client.address())
    expect(allowed.searchParams.get('iss')).toBe(server.url)
    expect(allowed.searchParams.get('state')).toBe(client.state)
    const browser = new Browser()
    const request = hidden(await (await browser.get(client.address())).text())
    const denied = await browser.post(consent(), { request, decision: 'deny' })
    const back = await returnAddress(denied)
    expect(Object.fromEntries(back.searchParams)).toMatchObject({
      error: 'access_denied',
      state: client.state,
      iss: server.url,
    })
    expect(back.searchParams.has('code')).toBe(false)
  })

  it('stops guesses of a pass phrase, also those that are sent at the same moment', async () => {
    const browser = new Browser()
    const request = hidden(await (await browser.get(client.address())).text())
    const guess = (passPhrase: string) =>
      browser.post(consent(), { ...fields, user: 'eve', pass_phrase: passPhrase, request })
    expect((await guess('wrong')).status).toBe(401)
    // At once, so that it also counts attempts that have not ended.
    const more = await Promise.all(Array.from({ length: 24 }, () => guess('')))
    expect(more.some(({ status }) => status === 429)).toBe(true)
    expect((await guess(PASS_PHRASE)).status).toBe(429)
  }, 120_000)
})
