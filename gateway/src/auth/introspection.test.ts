// Opaque tokens (RFC 7662), with answers as Ory Hydra documents them and as django-oauth-toolkit 3.4.1 gives them.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { authenticatedWorld, BOTH } from '../testing/authenticated.ts'
import { AUDIENCE, DOCUMENTS, ISSUER, tokenWith } from '../testing/issuer.ts'

const ENDPOINT = `${ISSUER}/introspect`
const SETTING = {
  issuer: ISSUER,
  endpoint: ENDPOINT,
  client_id: 'gate way',
  client_secret: 'the secret:%',
}
// It has a key and a signature.
const TOKEN = 'ory_at_0123456789abcdef.fedcba9876543210'
const now = () => Math.floor(Date.now() / 1000)
const HYDRA = () => ({
  active: true,
  scope: 'tools',
  client_id: 'ftl',
  sub: 'ada',
  exp: now() + 300,
  iat: now(),
  nbf: now(),
  aud: [],
  iss: ISSUER,
  token_type: 'Bearer',
  token_use: 'access_token',
})

beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => undefined))
afterEach(() => vi.restoreAllMocks())

function worldWith(
  answer: () => object | Response,
  entry: object = { clients: ['ftl'] },
  variables: Record<string, string> = {},
  clock?: () => number,
) {
  const world = authenticatedWorld(
    {
      ...BOTH,
      auth_issuers: JSON.stringify([{ issuer: ISSUER, ...entry }]),
      auth_introspection: JSON.stringify(SETTING),
      ...variables,
    },
    {
      ...DOCUMENTS,
      [ENDPOINT]: () => {
        const given = answer()
        return given instanceof Response ? given : Response.json(given)
      },
    },
    clock && { now: clock },
  )
  const asked = () => world.asked.filter((url) => url === ENDPOINT).length
  return {
    platform: world.platform,
    asks: asked,
    whoami: (token = TOKEN) => world.get('/whoami', token),
    status: async (token = TOKEN) => (await world.get('/whoami', token)).status,
  }
}

describe('an opaque token', () => {
  it('is accepted for what the authorization server says of it, which is asked once a minute', async () => {
    let time = Date.now()
    const { status, asks, whoami } = worldWith(HYDRA, undefined, {}, () => time)
    const response = await whoami()
    expect(await response.json()).toMatchObject({
      principal: `${ISSUER}#ada`,
      scopes: ['tools'],
      client: 'ftl',
    })
    expect([await status(), asks()]).toEqual([200, 1])
    time += 61_000
    expect([await status(), asks()]).toEqual([200, 2])
  })

  it('that was revoked stops to work within a minute', async () => {
    let time = Date.now()
    let answer: object = HYDRA()
    const { status } = worldWith(
      () => answer,
      undefined,
      {},
      () => time,
    )
    expect(await status()).toBe(200)
    answer = { active: false }
    time += 61_000
    expect(await status()).toBe(401)
  })

  it('of django-oauth-toolkit has its user in "username", which is not the "sub" of anybody', async () => {
    const answer = {
      active: true,
      scope: 'tools',
      exp: now() + 300,
      client_id: 'ftl',
      username: 'ada',
    }
    const { whoami } = worldWith(() => answer)
    expect(await (await whoami()).json()).toMatchObject({ user: 'username:ada', name: 'ada' })
  })

  const refused: [why: string, change: object][] = [
    ['is not active', { active: false }],
    ['is active in words', { active: 'true' }],
    ['is of another client', { client_id: 'other' }],
    ['is for another server', { aud: 'https://other.example/mcp' }],
    ['is of another issuer', { iss: 'https://other.example' }],
    ['has expired', { exp: now() - 60 }],
    ['is a refresh token', { token_use: 'refresh_token' }],
    ['names no user', { sub: undefined }],
    ['is bound to a key', { cnf: { jkt: 'x' } }],
  ]
  it.each(refused)('that %s is refused', async (_, change) => {
    expect(await worldWith(() => ({ ...HYDRA(), ...change })).status()).toBe(401)
  })

  it('is for this server by its audience, where no clients are named', async () => {
    expect(await worldWith(HYDRA, {}).status()).toBe(401)
    expect(await worldWith(() => ({ ...HYDRA(), aud: [AUDIENCE] }), {}).status()).toBe(200)
  })

  const failures: [what: string, answer: () => Response][] = [
    ['refuses our credentials', () => new Response('', { status: 401 })],
    ['fails', () => new Response('', { status: 500 })],
    ['answers with a list', () => Response.json([{ active: true }])],
    [
      'answers with a redirect',
      () => new Response(null, { status: 302, headers: { location: '/' } }),
    ],
    ['answers with a page', () => new Response('<html>')],
  ]
  it.each(failures)('of a server that %s: 503', async (_, answer) => {
    expect(await worldWith(answer).status()).toBe(503)
  })

  it('is not sent anywhere without the setting, and its reason is in the log', async () => {
    const { status, asks } = worldWith(HYDRA, undefined, { auth_introspection: '' })
    expect([await status(), asks()]).toEqual([401, 0])
    expect(String(vi.mocked(console.error).mock.calls)).toContain('auth_introspection')
  })
})

it('a token of three parts is verified here, and never sent', async () => {
  const { status, asks } = worldWith(HYDRA, {})
  expect([await status(tokenWith()), asks()]).toEqual([200, 0])
  expect([await status('a.b.c'), asks()]).toEqual([401, 0])
})

it('the credentials are encoded, so that no character of them ends one', async () => {
  const sent: Request[] = []
  const { platform, status } = worldWith(HYDRA)
  const fetch = platform.fetch.bind(platform)
  platform.fetch = (input, init) => {
    const request = new Request(input, init)
    sent.push(request.clone())
    return fetch(request)
  }
  expect(await status()).toBe(200)
  const basic = sent[0]?.headers.get('authorization')?.replace('Basic ', '') ?? ''
  expect(Buffer.from(basic, 'base64').toString().split(':').map(decodeURIComponent)).toEqual([
    SETTING.client_id,
    SETTING.client_secret,
  ])
  expect(new URLSearchParams(await sent[0]?.text()).get('token')).toBe(TOKEN)
})

it.each([
  ['{', /auth_introspection.*must be/],
  ['{"issuer":"x"}', /auth_introspection.*must be/],
  [JSON.stringify({ ...SETTING, endpoint: 'http://issuer.example/i' }), /auth_introspection/],
  [JSON.stringify({ ...SETTING, issuer: 'https://other.example' }), /issuer of auth_issuers/],
])('the setting %s is refused, without its value', async (text, message) => {
  const response = await worldWith(HYDRA, undefined, { auth_introspection: text }).whoami()
  expect(response.status).toBe(500)
  const answer = await response.text()
  expect(answer).toMatch(message)
  expect(answer).not.toContain('secret:')
})
