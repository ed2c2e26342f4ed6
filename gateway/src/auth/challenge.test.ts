import { describe, expect, it } from 'vitest'
import { authenticatedWorld, BOTH } from '../testing/authenticated.ts'
import { CALL } from '../testing/every-route.ts'
import { API_KEY, tokenWith } from '../testing/issuer.ts'

const METADATA = 'https://gateway.example/.well-known/oauth-protected-resource/mcp'

const CHALLENGE = `Bearer resource_metadata="${METADATA}"`

describe('the challenge', () => {
  it('names the scopes that every request needs', async () => {
    const world = authenticatedWorld({ ...BOTH, auth_scopes: 'tools jobs' })
    const { headers } = await world.get('/mcp', undefined, CALL)
    expect(headers.get('www-authenticate')).toBe(
      `Bearer scope="tools jobs", resource_metadata="${METADATA}"`,
    )
  })

  it('of a token with too few scopes is 403 with all of them', async () => {
    const world = authenticatedWorld({ ...BOTH, auth_scopes: 'tools jobs' })
    for (const token of [tokenWith(), API_KEY]) {
      const response = await world.get('/mcp', token, CALL)
      expect(response.status).toBe(403)
      const text = response.headers.get('www-authenticate')
      expect(text).toContain('error="insufficient_scope"')
      expect(text).toContain('scope="tools jobs"')
      expect(text).toContain(`resource_metadata="${METADATA}"`)
      expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error: { code: -32600 } })
    }
    const enough = tokenWith({ claims: { scope: 'jobs tools more' } })
    expect((await world.get('/mcp', enough, CALL)).status).toBe(200)
    expect(world.log).toContain('POST http://one.spin.internal/a')
  })

  it('of an invalid token is 401 with error="invalid_token"', async () => {
    const response = await authenticatedWorld().get('/tools', 'abc')
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toMatch(
      /^Bearer error="invalid_token", error_description="[^"\\]+", resource_metadata="[^"]+"$/,
    )
    expect(await response.json()).toMatchObject({ error: { code: 'invalid_token' } })
  })

  it.each(['Bearer', 'Bearer ', 'Bearer a b', 'Bearer a, Bearer b', 'bearer "x"', 'Bearer ä'])(
    'of the header %j is 400',
    async (authorization) => {
      const response = await authenticatedWorld().get('/tools', undefined, {
        headers: { authorization },
      })
      expect(response.status).toBe(400)
      expect(response.headers.get('www-authenticate')).toContain('error="invalid_request"')
    },
  )

  it('of another scheme is that of a request without a token', async () => {
    const headers = { authorization: 'Basic YWRhOnNlY3JldA==' }
    const response = await authenticatedWorld().get('/tools', undefined, { headers })
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe(CHALLENGE)
  })

  it('of a token in the address is 400, even with a valid one in the header', async () => {
    const world = authenticatedWorld()
    for (const token of [undefined, tokenWith()]) {
      const response = await world.get(`/tools?access_token=${tokenWith()}`, token)
      expect(response.status).toBe(400)
      expect(await response.text()).not.toContain('eyJ')
    }
  })

  it('names no metadata where there are only API keys, and there is none', async () => {
    const world = authenticatedWorld({ api_keys: BOTH.api_keys })
    const response = await world.get('/tools')
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="ftl-mcp-gateway"')
    expect((await world.get('/.well-known/oauth-protected-resource')).status).toBe(404)
    expect((await world.get('/tools', tokenWith())).status).toBe(401)
  })
})
