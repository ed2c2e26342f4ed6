import { describe, expect, it } from 'vitest'
import { authenticatedWorld, BOTH } from '../testing/authenticated.ts'
import { createWorld, type World } from '../testing/components.ts'

const CARD = '/mcp/server-card'
const CATALOG = '/.well-known/ai-catalog.json'
const NAMED = { server_card: 'com.example/weather' }

const get = (
  world: World,
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<Response> => world.send(new Request(`http://localhost:3000${path}`, { method, headers }))

describe('a server card', () => {
  it('says what the draft requires, and lists nothing that the server has', async () => {
    const response = await get(createWorld({ variables: NAMED }), CARD)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/mcp-server-card+json')
    expect(response.headers.get('cache-control')).toBe('public, max-age=3600')
    expect(await response.json()).toEqual({
      $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
      name: 'com.example/weather',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/) as string,
      description: expect.stringMatching(/^.{1,100}$/) as string,
      remotes: [
        {
          type: 'streamable-http',
          url: 'http://localhost:3000/mcp',
          supportedProtocolVersions: [
            ...['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'],
          ],
        },
      ],
    })
  })

  it('is found by the catalog', async () => {
    const variables = { server_card: 'com.example/weather https://gateway.example/a/mcp/' }
    const response = await get(createWorld({ variables }), CATALOG)
    expect(response.headers.get('content-type')).toBe('application/ai-catalog+json')
    expect(await response.json()).toEqual({
      specVersion: '1.0',
      entries: [
        {
          identifier: 'urn:air:example.com:mcp:weather',
          type: 'application/mcp-server-card+json',
          url: 'https://gateway.example/a/mcp/server-card',
        },
      ],
    })
  })

  it.each([CARD, CATALOG])('is not there without a name: %s', async (path) => {
    expect((await get(createWorld(), path)).status).toBe(404)
  })

  it('needs no caller where all else does', async () => {
    const world = authenticatedWorld({ ...BOTH, ...NAMED })
    expect((await get(world, CARD)).status).toBe(200)
    expect((await get(world, '/tools')).status).toBe(401)
    expect((await get(authenticatedWorld(BOTH), CARD)).status).toBe(404)
  })

  it('is read by pages of every origin, which nothing else is', async () => {
    const world = createWorld({ variables: NAMED })
    const page = { origin: 'https://page.example' }
    const response = await get(world, CARD, page)
    expect(response.status).toBe(200)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('access-control-expose-headers')).toBe('ETag')
    const preflight = await get(
      world,
      CARD,
      { ...page, 'access-control-request-headers': 'if-none-match' },
      'OPTIONS',
    )
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-headers')).toMatch(/If-None-Match/)
    for (const path of ['/mcp', '/tools', `${CARD}/`, '/mcp/server-card%2f']) {
      expect((await get(world, path, page)).status).toBe(403)
    }
    const rebound = new Request(`http://evil.example${CARD}`, { headers: page })
    expect((await world.send(rebound)).status).toBe(403)
  })

  it('is not sent again to a client that has it', async () => {
    const world = createWorld({ variables: NAMED })
    const etag = (await get(world, CARD)).headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/)
    for (const known of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const response = await get(world, CARD, { 'if-none-match': known })
      expect([response.status, await response.text()]).toEqual([304, ''])
    }
    expect((await get(world, CARD, { 'if-none-match': '"x"' })).status).toBe(200)
    expect((await get(world, CARD, {}, 'POST')).status).toBe(405)
    const head = await get(world, CARD, {}, 'HEAD')
    expect([head.status, await head.text()]).toEqual([200, ''])
  })

  it.each([
    'weather',
    'com.example/a/b',
    'com.example/weather https://a b',
    'com.example/weather ftp://gateway.example/mcp',
    'com.example/weather https://user:secret@gateway.example/mcp',
    'com.example/weather https://gateway.example/mcp?key=1',
    `com.example/${'a'.repeat(200)}`,
  ])('is refused with server_card = %s, which is not shown', async (server_card) => {
    const response = await get(createWorld({ variables: { server_card } }), CARD)
    expect(response.status).toBe(500)
    const text = await response.text()
    expect(text).toContain('server_card')
    expect(text).not.toContain('secret')
  })
})
