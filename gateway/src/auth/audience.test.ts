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

  it('alone may name another address', async () => {
    const world = authenticatedWorld({ ...BOTH, auth_audience: '' })
    const headers = { 'ftl-client-origin': 'http://localhost:4000' }
    const token = (port: number) => tokenWith({ claims: { aud: `http://localhost:${port}/mcp` } })
    expect((await world.get('/whoami', token(4000), { headers })).status).toBe(401)
    expect((await world.get('/whoami', token(3000), { headers })).status).toBe(200)
  })
})
