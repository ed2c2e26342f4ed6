import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { authenticatedWorld, BOTH } from '../testing/authenticated.ts'
import {
  DOCUMENTS,
  type Documents,
  ISSUER,
  JWKS,
  JWKS_URL,
  METADATA_URL,
  tokenWith,
} from '../testing/issuer.ts'
import { metadataUrls } from './issuer-metadata.ts'

beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => undefined))
afterEach(() => vi.restoreAllMocks())

// https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization#authorization-server-metadata-discovery
describe('the metadata of an issuer', () => {
  it('is looked for in the order of the specification', () => {
    expect(metadataUrls('https://auth.example.com/tenant1')).toEqual([
      'https://auth.example.com/.well-known/oauth-authorization-server/tenant1',
      'https://auth.example.com/.well-known/openid-configuration/tenant1',
      'https://auth.example.com/tenant1/.well-known/openid-configuration',
    ])
    expect(metadataUrls('https://auth.example.com')).toEqual([
      'https://auth.example.com/.well-known/oauth-authorization-server',
      'https://auth.example.com/.well-known/openid-configuration',
    ])
  })

  it('may be that of OpenID', async () => {
    const openid = `${ISSUER}/.well-known/openid-configuration`
    const documents = { [openid]: { issuer: ISSUER, jwks_uri: JWKS_URL }, [JWKS_URL]: JWKS }
    const world = authenticatedWorld(BOTH, documents)
    expect((await world.get('/tools', tokenWith())).status).toBe(200)
    expect(world.asked).toEqual([METADATA_URL, openid, JWKS_URL])
  })

  const at = (jwksUri: unknown) => ({ [METADATA_URL]: { issuer: ISSUER, jwks_uri: jwksUri } })
  const redirect = () =>
    new Response(null, { status: 302, headers: { location: 'http://169.254.169.254/keys' } })
  const unusable: [what: string, documents: Documents][] = [
    ['is missing', {}],
    [
      'names another issuer',
      { ...DOCUMENTS, [METADATA_URL]: { issuer: `${ISSUER}/`, jwks_uri: JWKS_URL } },
    ],
    ['is not an object', { ...DOCUMENTS, [METADATA_URL]: [] }],
    ['is not JSON', { ...DOCUMENTS, [METADATA_URL]: () => new Response('<html>') }],
    ['is a redirect', { ...DOCUMENTS, [METADATA_URL]: redirect }],
    ['fails', { ...DOCUMENTS, [METADATA_URL]: () => new Response('', { status: 500 }) }],
    ['cannot be reached', { [METADATA_URL]: () => Promise.reject(new TypeError('refused')) }],
    ['names no keys', at(undefined)],
    ['names keys over http', at('http://issuer.example/keys')],
    ['names keys of a component', at('http://one.spin.internal/keys')],
    ['names keys of a component by https', at('https://one.spin.internal/keys')],
    ['names keys on this machine', at('https://localhost/keys')],
    ['names keys at a metadata service', at('https://169.254.169.254/keys')],
    ['names keys at an IPv6 address', at('https://[fd00::1]/keys')],
    ['names keys at a number', at('https://2852039166/keys')],
    ['names keys of a bare name', at('https://vault/keys')],
    ['names keys in a file', at('file:///etc/keys')],
  ]
  it.each(unusable)('that %s: 503, and no key is requested elsewhere', async (_, documents) => {
    const world = authenticatedWorld(BOTH, documents)
    const response = await world.get('/tools', tokenWith())
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toBe('5')
    const text = await response.text()
    expect(text).toContain('allowed_outbound_hosts')
    expect(text).not.toContain('169.254')
    expect(world.asked.every((url) => url.startsWith(ISSUER))).toBe(true)
    expect(world.log).toEqual([])
  })
})

describe('the keys of an issuer', () => {
  const huge = () => new Response(`{"keys":[${'{"kty":"RSA"},'.repeat(40_000)}{}]}`)
  const bad: [what: string, answer: () => Response][] = [
    [
      'are a redirect to this machine',
      () => new Response(null, { status: 307, headers: { location: 'http://127.0.0.1/' } }),
    ],
    ['are huge', huge],
    ['are not a list', () => Response.json({ keys: {} })],
    ['nest deeply', () => new Response(`{"keys":${'['.repeat(500)}${']'.repeat(500)}}`)],
    ['are missing', () => new Response('', { status: 404 })],
  ]
  it.each(bad)('that %s: 503', async (_, answer) => {
    const world = authenticatedWorld(BOTH, { ...DOCUMENTS, [JWKS_URL]: answer })
    expect((await world.get('/tools', tokenWith())).status).toBe(503)
    expect(world.asked).toEqual([METADATA_URL, JWKS_URL])
  })

  it('that never come: 503 after the deadline', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const world = authenticatedWorld(BOTH, {
        ...DOCUMENTS,
        [JWKS_URL]: () => new Promise(() => undefined),
      })
      let status: number | undefined
      void world.get('/tools', tokenWith()).then((response) => (status = response.status))
      while (world.asked.length < 2) await new Promise(setImmediate)
      await vi.advanceTimersByTimeAsync(4_900)
      expect(status).toBeUndefined()
      await vi.advanceTimersByTimeAsync(200)
      await vi.waitFor(() => expect(status).toBe(503))
    } finally {
      vi.useRealTimers()
    }
  })

  it('are requested from the address that is configured', async () => {
    const issuers = JSON.stringify([{ issuer: ISSUER, jwks_uri: JWKS_URL }])
    const world = authenticatedWorld({ ...BOTH, auth_issuers: issuers })
    expect((await world.get('/tools', tokenWith())).status).toBe(200)
    expect(world.asked).toEqual([JWKS_URL])
  })

  it('can be pinned, and then nothing is requested', async () => {
    const issuers = JSON.stringify([{ issuer: ISSUER, jwks: JWKS }])
    const world = authenticatedWorld({ ...BOTH, auth_issuers: issuers })
    expect((await world.get('/tools', tokenWith())).status).toBe(200)
    expect((await world.get('/tools', tokenWith({ header: { kid: 'new' } }))).status).toBe(401)
    expect(world.asked).toEqual([])
  })
})

describe('over time', () => {
  const rotating = () => {
    let now = Date.now()
    let keys: object[] = JWKS.keys.filter(({ kty }) => kty === 'EC')
    const documents = { ...DOCUMENTS, [JWKS_URL]: () => Response.json({ keys }) }
    const world = authenticatedWorld(BOTH, documents, { now: () => now })
    const fetches = () => world.asked.filter((url) => url === JWKS_URL).length
    return {
      world,
      fetches,
      status: async (token: string) => (await world.get('/tools', token)).status,
      pass: (ms: number) => void (now += ms),
      rotate: (next: object[]) => void (keys = next),
    }
  }

  it('a new key is found at once, and the flood of unknown key ids makes one request a minute', async () => {
    const { status, pass, rotate, fetches } = rotating()
    expect(await status(tokenWith())).toBe(200)
    pass(61_000)
    rotate(JWKS.keys)
    expect(await status(tokenWith({ alg: 'RS256' }))).toBe(200)
    expect(fetches()).toBe(2)
    for (let nth = 0; nth < 50; nth++) {
      expect(await status(tokenWith({ header: { kid: `invented-${nth}` } }))).toBe(401)
    }
    expect(fetches()).toBe(2)
    pass(61_000)
    await Promise.all(
      Array.from({ length: 50 }, (_, nth) =>
        status(tokenWith({ header: { kid: `again-${nth}` } })),
      ),
    )
    expect(fetches()).toBe(3)
  })

  it('many tokens with a new key at once make one request, and each waits for it', async () => {
    const { status, pass, rotate, fetches } = rotating()
    expect(await status(tokenWith())).toBe(200)
    pass(61_000)
    rotate(JWKS.keys)
    const tokens = Array.from({ length: 20 }, (_, n) => tokenWith({ alg: 'RS256', claims: { n } }))
    expect(await Promise.all(tokens.map(status))).toEqual(tokens.map(() => 200))
    expect(fetches()).toBe(2)
  })

  it('a key that is new right after the first request is found, and only once a minute', async () => {
    const { status, pass, rotate, fetches } = rotating()
    expect(await status(tokenWith({ claims: { n: 1 } }))).toBe(200)
    pass(1_000)
    rotate(JWKS.keys)
    expect(await status(tokenWith({ alg: 'RS256' }))).toBe(200)
    expect(fetches()).toBe(2)
    for (let nth = 0; nth < 20; nth++) {
      expect(await status(tokenWith({ header: { kid: `invented-${nth}` } }))).toBe(401)
    }
    expect(fetches()).toBe(2)
  })

  it('a key that the issuer has withdrawn stops to work within ten minutes for new tokens', async () => {
    const { status, pass, rotate } = rotating()
    expect(await status(tokenWith({ claims: { n: 1 } }))).toBe(200)
    rotate([])
    pass(601_000)
    const later = { iat: undefined, exp: Math.floor(Date.now() / 1000) + 9000 }
    expect(await status(tokenWith({ claims: { ...later, n: 2 } }))).toBe(401)
  })

  it('an issuer that cannot be reached does not stop clients whose keys are known', async () => {
    const { world, status, pass } = rotating()
    const long = { exp: Math.floor(Date.now() / 1000) + 90_000 }
    expect(await status(tokenWith({ claims: { ...long, n: 1 } }))).toBe(200)
    DOCUMENTS[METADATA_URL] = () => new Response('', { status: 500 })
    try {
      pass(700_000)
      expect(await status(tokenWith({ claims: { ...long, n: 2 } }))).toBe(200)
      const asked = world.asked.length
      expect(await status(tokenWith({ claims: { ...long, n: 3 } }))).toBe(200)
      expect(world.asked.length).toBe(asked)
    } finally {
      DOCUMENTS[METADATA_URL] = { issuer: ISSUER, jwks_uri: JWKS_URL }
    }
  })
})
