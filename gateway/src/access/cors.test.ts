import { describe, expect, it } from 'vitest'
import { createWorld, post } from '../testing/components.ts'

const PING = { jsonrpc: '2.0', method: 'ping', id: 1 }
const LISTED = 'https://app.example'

const world = () => createWorld({ variables: { allowed_origins: LISTED } })
const preflight = (origin: string, headers: Record<string, string> = {}) =>
  world().send(
    new Request('http://localhost:3000/mcp', {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,mcp-protocol-version',
        ...headers,
      },
    }),
  )
const words = (list: string | null) => list?.toLowerCase().split(', ')

describe('a page that may use the gateway', () => {
  it.each(['http://localhost:6274', 'http://127.0.0.1:5173', 'https://[::1]', LISTED])(
    '(%s) may send and read',
    async (origin) => {
      const { status, headers } = await preflight(origin)
      expect(status).toBe(204)
      expect(headers.get('access-control-allow-origin')).toBe(origin)
      expect(words(headers.get('access-control-allow-methods'))).toContain('post')
      expect(words(headers.get('access-control-allow-headers'))).toEqual(
        expect.arrayContaining(['content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name']),
      )
      const answer = await world().send(post(PING, { origin }))
      expect(answer.headers.get('access-control-allow-origin')).toBe(origin)
      expect(words(answer.headers.get('access-control-expose-headers'))).toEqual(
        expect.arrayContaining(['x-request-id', 'retry-after']),
      )
    },
  )

  it('may read failures too', async () => {
    for (const path of ['/nothing', '/jobs/nothing']) {
      const request = new Request(`http://localhost:3000${path}`, { headers: { origin: LISTED } })
      const { status, headers } = await world().send(request)
      expect(status).toBe(404)
      expect(headers.get('access-control-allow-origin')).toBe(LISTED)
    }
  })

  it('may send the headers of a tool’s parameters, and no others of its choosing', async () => {
    const { headers } = await preflight(LISTED, {
      'access-control-request-headers': 'mcp-param-region,Mcp-Param-Tenant-Id, x-other,mcp-param-',
    })
    const allowed = words(headers.get('access-control-allow-headers'))
    expect(allowed).toEqual(expect.arrayContaining(['mcp-param-region', 'mcp-param-tenant-id']))
    expect(allowed).not.toContain('x-other')
    expect(allowed).not.toContain('mcp-param-')
  })

  it('cannot make the answer to a preflight grow without end', async () => {
    const names = Array.from({ length: 500 }, (_, index) => `mcp-param-${index}`)
    const { headers } = await preflight(LISTED, {
      'access-control-request-headers': names.join(),
    })
    const allowed = words(headers.get('access-control-allow-headers')) ?? []
    expect(allowed.filter((name) => name.startsWith('mcp-param-'))).toEqual(names.slice(0, 64))
  })

  // https://wicg.github.io/private-network-access/#cors-preflight
  it('may reach a private network when it asks', async () => {
    const name = 'access-control-allow-private-network'
    expect((await preflight(LISTED)).headers.get(name)).toBeNull()
    const { headers } = await preflight(LISTED, {
      'access-control-request-private-network': 'true',
    })
    expect(headers.get(name)).toBe('true')
  })
})

describe('a page of any other site', () => {
  it.each(['https://evil.example', 'null'])('(%s) may not', async (origin) => {
    const asked = await preflight(origin, { 'access-control-request-private-network': 'true' })
    const answer = await world().send(post(PING, { origin }))
    for (const { status, headers } of [asked, answer]) {
      expect(status).toBe(403)
      expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
    }
  })
})

it('what is not a page gets no such header, but caches are told that one would', async () => {
  for (const request of [post(PING), new Request('http://localhost/mcp', { method: 'OPTIONS' })]) {
    const { headers } = await world().send(request)
    expect(headers.get('access-control-allow-origin')).toBeNull()
    expect(words(headers.get('vary'))).toContain('origin')
  }
})

it('a preflight by a host that is not allowed is refused', async () => {
  const request = new Request('http://evil.example/mcp', {
    method: 'OPTIONS',
    headers: { origin: 'http://localhost:3000', 'access-control-request-method': 'POST' },
  })
  expect((await world().send(request)).status).toBe(403)
})
