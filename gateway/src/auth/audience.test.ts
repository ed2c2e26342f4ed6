import { describe, expect, it } from 'vitest'
import { authenticatedWorld, BOTH } from '../testing/authenticated.ts'
import { AUDIENCE, tokenWith } from '../testing/issuer.ts'

describe('a request of the chat', () => {
  const ask = (
    origin: string | undefined,
    token?: string,
    variables: Record<string, string> = {},
  ) =>
    authenticatedWorld({ ...BOTH, auth_audience: '', ...variables }).send(
      new Request('http://mcp-gateway.spin.internal/whoami', {
        headers: {
          ...(origin !== undefined && { 'ftl-client-origin': origin }),
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
      }),
    )

  it.each([
    ['http://localhost:3000', 'http://localhost:3000/mcp', {}],
    ['http://gateway.example', AUDIENCE, { allowed_hosts: 'gateway.example' }],
  ])('from %s has the audience %s', async (origin, aud, variables) => {
    expect((await ask(origin, tokenWith({ claims: { aud } }), variables)).status).toBe(200)
    const other = tokenWith({ claims: { aud: 'https://other.example/mcp' } })
    expect((await ask(origin, other, variables)).status).toBe(401)
    const refusal = await ask(origin, undefined, variables)
    expect(refusal.status).toBe(401)
    expect(refusal.headers.get('www-authenticate')).toContain(
      `resource_metadata="${new URL(aud).origin}/.well-known/oauth-protected-resource/mcp"`,
    )
  })

  it.each([
    undefined,
    '',
    'null',
    'nonsense',
    'ftp://localhost',
    'http://other.example',
    'http://gateway.example@other.example',
    'http://other.example#localhost',
    'http://mcp-gateway.spin.internal',
    'http://localhost:3000, http://localhost:3000',
  ])('cannot choose the audience by the address %j', async (origin) => {
    const variables = { allowed_hosts: 'gateway.example' }
    for (const aud of [AUDIENCE, 'http://other.example/mcp', 'https://other.example/mcp']) {
      expect((await ask(origin, tokenWith({ claims: { aud } }), variables)).status).toBe(500)
    }
  })

  it.each([
    ['http://localhost:3000', { 'spin-client-addr': '203.0.113.7:80' }],
    ['http://127.0.0.1:3000', { 'spin-client-addr': '203.0.113.7:80' }],
    ['http://[::1]:3000', {}],
    ['http://localhost:3000', { 'spin-client-addr': '127.0.0.1:80, 203.0.113.7:80' }],
    ['http://localhost:3000', { 'spin-client-addr': '127.0.0.1:80', 'x-forwarded-for': '1.1.1.1' }],
    ['http://gateway.example:3000', { 'ftl-client-origin': 'http://localhost:3000' }],
  ])('is not needed to see that %s with %j is no program on this machine', async (url, headers) => {
    const world = authenticatedWorld({
      ...BOTH,
      auth_audience: '',
      allowed_hosts: 'gateway.example:3000,localhost:3000',
    })
    const own = { 'spin-client-addr': '203.0.113.7:80', ...headers }
    for (const port of ['localhost:3000', new URL(url).host]) {
      const token = tokenWith({ claims: { aud: `http://${port}/mcp` } })
      const sent = { headers: { ...own, authorization: `Bearer ${token}` } }
      const { status } = await world.send(new Request(`${url}/whoami`, sent))
      expect([401, 500]).toContain(status)
    }
  })

  it('alone may name another address', async () => {
    const world = authenticatedWorld({ ...BOTH, auth_audience: '' })
    const headers = { 'ftl-client-origin': 'http://localhost:4000' }
    const token = (port: number) => tokenWith({ claims: { aud: `http://localhost:${port}/mcp` } })
    expect((await world.get('/whoami', token(4000), { headers })).status).toBe(401)
    expect((await world.get('/whoami', token(3000), { headers })).status).toBe(200)
  })
})
