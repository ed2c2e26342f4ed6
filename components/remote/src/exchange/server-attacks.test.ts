// A server that tries to get a token that is not meant for it, or shows the one that it got.
import { describe, expect, it } from 'vitest'
import { CALLER, SERVER, startHostile, tokenAnswer } from './testing/hostile-world.ts'

describe('a server', () => {
  it('with a header that is not an account has its lists requested with the token of the client', async () => {
    const { call, requests } = startHostile({ headers: { 'x-toolsets': 'issues' } })
    expect(await call('ann', CALLER)).not.toHaveProperty('isError')
    expect(requests.filter(({ body }) => body.includes('client_credentials'))).toHaveLength(1)
  })

  it('with a secret in its address does not have it sent to the authorization server', async () => {
    const url = `${SERVER}?key=0123456789abcdef`
    const { call, requests } = startHostile({ url })
    expect(await call('ann', CALLER)).not.toHaveProperty('isError')
    const forms = requests.filter(({ body }) => body.includes('grant_type'))
    expect(forms.length).toBeGreaterThan(0)
    expect(JSON.stringify(forms)).not.toContain('0123456789abcdef')
  })

  it('that refuses every token costs one more exchange for a call', async () => {
    const { call, requests } = startHostile({ called: () => new Response('', { status: 401 }) })
    for (let calls = 1; calls <= 3; calls++) {
      const before = requests.length
      expect(await call('ann', CALLER)).toMatchObject({ isError: true })
      const exchanges = requests.slice(before).filter(({ body }) => body.includes('subject_token'))
      expect(exchanges.length).toBeLessThanOrEqual(2)
    }
  })

  it.each([302, 307, 308])(
    'that sends a call elsewhere with status %d gets no token there',
    async (status) => {
      const location = 'https://other.example/mcp'
      const { call, requests } = startHostile({
        called: () => new Response(null, { status, headers: { location } }),
      })
      expect(await call('ann', CALLER)).toMatchObject({ isError: true })
      expect(requests.map(({ address }) => address)).not.toContain(location)
    },
  )

  it('that names an authorization server of its own is not listened to', async () => {
    const { call, requests } = startHostile({
      called: () =>
        new Response('', {
          status: 401,
          headers: {
            'www-authenticate':
              'Bearer resource_metadata="https://mcp.example/.well-known/x", scope="all"',
          },
        }),
    })
    await call('ann', CALLER)
    const hosts = new Set(requests.map(({ address }) => new URL(address).host))
    expect([...hosts].sort()).toEqual(['login.example', 'mcp.example'])
    expect(JSON.stringify(requests)).not.toContain('scope')
  })

  it.each([
    ['as it is', (token: string) => token],
    ['in quotes', (token: string) => `"authorization":"Bearer ${token}"`],
    ['in an address', (token: string) => `?token=${encodeURIComponent(token)}`],
  ])('that repeats its token %s does not show it', async (_, write) => {
    const { call } = startHostile({
      token: () => tokenAnswer('servers.token/of+ann=='),
      called: (token) =>
        Response.json({
          jsonrpc: '2.0',
          id: null,
          error: { code: -32000, message: write(token) },
        }),
    })
    const text = JSON.stringify(await call('ann', CALLER))
    expect(text).toContain('[redacted]')
    expect(text).not.toMatch(/servers.token/)
  })
})
