import { describe, expect, it } from 'vitest'
import { authenticatedWorld, BOTH } from '../testing/authenticated.ts'
import { createWorld, several, tool } from '../testing/components.ts'
import { API_KEY } from '../testing/issuer.ts'

const LOCAL = { 'spin-client-addr': '127.0.0.1:5000' }

function observe(headers: Record<string, string> = LOCAL, address = 'http://localhost:3000') {
  const world = createWorld({ components: { one: several([tool('a')]) } })
  return world.send(new Request(`${address}/activity`, { headers }))
}

const codeOf = async (response: Response) =>
  ((await response.json()) as { error: { code: string } }).error.code

describe('without authentication', () => {
  it.each(['http://localhost:3000', 'http://127.0.0.1', 'http://[::1]:3000'])(
    'a program on this machine may read it at %s',
    async (address) => {
      expect((await observe(LOCAL, address)).status).toBe(200)
      expect((await observe({ 'spin-client-addr': '[::1]:9' }, address)).status).toBe(200)
    },
  )

  it('the page of this gateway may', async () => {
    const page = { ...LOCAL, origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' }
    expect((await observe(page)).status).toBe(200)
  })

  it.each<Record<string, string>>([
    { 'spin-client-addr': '10.0.0.7:5000' },
    { 'spin-client-addr': '0.0.0.0:0' },
    { 'spin-client-addr': '127.0.0.1:1, 10.0.0.7:5000' },
    { 'spin-client-addr': '127.0.0.1.evil.example:1' },
    { 'spin-client-addr': '' },
    { ...LOCAL, 'x-forwarded-for': '127.0.0.1' },
    { ...LOCAL, 'X-Forwarded-Proto': 'https' },
    { ...LOCAL, forwarded: 'for=127.0.0.1' },
    { ...LOCAL, via: '1.1 proxy' },
    { ...LOCAL, 'x-real-ip': '127.0.0.1' },
    { ...LOCAL, 'cf-connecting-ip': '127.0.0.1' },
  ])('a request with %j may not', async (headers) => {
    const response = await observe(headers)
    expect(response.status).toBe(403)
    expect(await codeOf(response)).toBe('activity_forbidden')
  })

  it.each(['http://10.0.0.7:3000', 'http://127.0.0.1.nip.io', 'http://evil.example'])(
    'a name that is not of this machine gets nothing: %s',
    async (address) => {
      expect((await observe(LOCAL, address)).status).toBe(403)
    },
  )
})

it.each<Record<string, string>>([
  { origin: 'http://localhost:5173' },
  { origin: 'https://app.example' },
  { origin: 'null' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
])('a page of another origin may not: %j', async (headers) => {
  expect((await observe({ ...LOCAL, ...headers })).status).toBe(403)
})

describe('with authentication', () => {
  const statusWith = async (policy: unknown, token: string | undefined = API_KEY) => {
    const text = typeof policy === 'string' ? policy : JSON.stringify(policy)
    const world = authenticatedWorld({ ...BOTH, policy: text })
    return (await world.get('/activity', token, { headers: LOCAL })).status
  }

  it('a caller with the action observe may, from any machine', async () => {
    const rules = [{ effect: 'allow', principals: ['key:ci'], actions: ['observe'] }]
    expect(await statusWith({ rules })).toBe(200)
    const world = authenticatedWorld({ ...BOTH, policy: JSON.stringify({ rules }) })
    const away = { headers: { 'spin-client-addr': '10.0.0.7:1', 'x-forwarded-for': '1.2.3.4' } }
    expect((await world.get('/activity', API_KEY, away)).status).toBe(200)
  })

  it('a program on this machine needs a token, too', async () => {
    const rules = [{ effect: 'allow', actions: ['observe'] }]
    const world = authenticatedWorld({ ...BOTH, policy: JSON.stringify({ rules }) })
    expect((await world.get('/activity', undefined, { headers: LOCAL })).status).toBe(401)
  })

  it.each<unknown>([
    'signed-in',
    { rules: [{ effect: 'allow' }] },
    { rules: [{ effect: 'allow', principals: ['*'] }] },
    { rules: [{ effect: 'allow', actions: ['list', 'call', 'chat'] }] },
    { rules: [{ effect: 'ask', actions: ['observe'] }] },
    { rules: [{ effect: 'deny' }, { effect: 'allow', actions: ['observe'] }] },
    { rules: [{ effect: 'allow', principals: ['key:ops'], actions: ['observe'] }] },
  ])('the policy %j does not permit it', async (policy) => {
    expect(await statusWith(policy)).toBe(403)
  })

  it('a caller who only lacks a scope is told which', async () => {
    const rules = [{ effect: 'allow', scopes: ['activity'], actions: ['observe'] }]
    const world = authenticatedWorld({ ...BOTH, policy: JSON.stringify({ rules }) })
    const response = await world.get('/activity', API_KEY)
    expect(response.status).toBe(403)
    expect(response.headers.get('www-authenticate')).toContain('scope="activity"')
  })
})

describe('on another host', () => {
  it('the gateway says what it can find out now', async () => {
    const body = (await (await observe()).json()) as { host: string; components: object[] }
    expect(body.host).toBe('other')
    expect(body.components).toMatchObject([{ status: 'ok' }])
  })

  it('a stream ends after that, and asks to come back later', async () => {
    const response = await observe({ ...LOCAL, accept: 'text/event-stream' })
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(await response.text()).toMatch(/^retry: 10000\n\nevent: hello\ndata: \{.*\}\n\n$/)
  })
})
