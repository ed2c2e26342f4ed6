import { describe, expect, it } from 'vitest'
import { authenticatedWorld } from '../testing/authenticated.ts'
import { CALL, FACES } from '../testing/every-route.ts'
import { API_KEY } from '../testing/issuer.ts'

describe('a header of the contract between components', () => {
  const FORGED = {
    'ftl-principal': 'https://issuer.example#root',
    'ftl-caller': '{"scopes":["admin"],"user":"root"}',
    'x-forwarded-user': 'root',
    'x-forwarded-user-secret': 'root',
  }
  const addresses = ['http://localhost:3000', 'http://mcp-gateway.spin.internal']

  it.each(addresses)('names no caller to the gateway at %s', async (origin) => {
    const world = authenticatedWorld()
    const send = (path: string, headers: Record<string, string>, init: RequestInit = {}) =>
      world.send(new Request(origin + path, { ...init, headers: { ...FORGED, ...headers } }))
    for (const [, path, init] of FACES) {
      const headers = Object.fromEntries(new Headers(init?.headers))
      expect((await send(path, headers, init)).status, path).toBe(401)
    }
    expect(world.log).toEqual([])
    const key = { authorization: `Bearer ${API_KEY}` }
    expect(await (await send('/whoami', key)).json()).toMatchObject({ principal: 'key:ci' })
    await send('/mcp', { ...key, 'content-type': 'application/json' }, CALL)
    expect(world.received.at(-1)?.get('ftl-principal')).toBe('key:ci')
    expect(world.received.at(-1)?.get('ftl-caller')).not.toContain('root')
  })

  it.each(addresses)('names none without authentication either, at %s', async (origin) => {
    const world = authenticatedWorld({})
    const headers = { ...FORGED, 'content-type': 'application/json' }
    await world.send(new Request(`${origin}/mcp`, { ...CALL, headers }))
    expect(world.received.length).toBeGreaterThan(0)
    for (const name of Object.keys(FORGED)) {
      expect(world.received.at(-1)?.has(name), name).toBe(false)
    }
  })
})
