import { describe, expect, it } from 'vitest'
import { authenticatedWorld, BOTH } from '../testing/authenticated.ts'
import { createWorld } from '../testing/components.ts'
import { AUDIENCE, ISSUER } from '../testing/issuer.ts'

describe('the metadata of the resource', () => {
  const paths = [
    '/.well-known/oauth-protected-resource',
    '/.well-known/oauth-protected-resource/mcp',
  ]
  it.each(paths)('is at %s, for everyone', async (path) => {
    const response = await authenticatedWorld({ ...BOTH, auth_scopes: 'tools' }).get(path)
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({
      resource: AUDIENCE,
      authorization_servers: [ISSUER],
      bearer_methods_supported: ['header'],
      scopes_supported: ['tools'],
      resource_name: 'ftl-mcp-gateway',
    })
  })

  it('is for no other path', async () => {
    const world = authenticatedWorld()
    for (const path of [
      '/mcp/',
      '/mcp/x/',
      '/mcp/x/One',
      '/mcp/x/a/b',
      '/mcp/x/a%62',
      '/other',
      '/',
    ]) {
      expect((await world.get(`${paths[0]}${path}`)).status).toBe(404)
    }
    expect((await world.get('/.well-known/other', undefined)).status).toBe(401)
  })

  it('has the address of the request on this machine, and of a listed host', async () => {
    const resourceAt = async (url: string, variables: Record<string, string>) => {
      const world = createWorld({ variables: { auth_issuers: ISSUER, ...variables } })
      const response = await world.send(new Request(`${url}/.well-known/oauth-protected-resource`))
      return (await response.json()) as { resource?: string; error?: { message: string } }
    }
    expect(await resourceAt('http://localhost:3000', {})).toMatchObject({
      resource: 'http://localhost:3000/mcp',
    })
    const listed = { allowed_hosts: 'gateway.example' }
    expect(await resourceAt('http://gateway.example', listed)).toMatchObject({ resource: AUDIENCE })
    for (const [url, variables] of [
      ['http://10.0.0.7', {}],
      ['http://anything.example', { allowed_hosts: '*' }],
    ] as const) {
      const { error } = await resourceAt(url, variables)
      expect(error?.message).toContain('"auth_audience" must be set')
    }
  })
})
