import { describe, expect, it } from 'vitest'
import { createWorld, post } from '../testing/components.ts'

const PING = { jsonrpc: '2.0', method: 'ping', id: 1 }
const preflight = (origin: string) =>
  createWorld().send(
    new Request('http://localhost:3000/mcp', {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,mcp-protocol-version',
      },
    }),
  )

describe('a page of this machine', () => {
  it.each(['http://localhost:6274', 'http://127.0.0.1:5173', 'https://[::1]'])(
    '(%s) may send and read',
    async (origin) => {
      const { status, headers } = await preflight(origin)
      expect(status).toBe(204)
      expect(headers.get('access-control-allow-origin')).toBe(origin)
      expect(headers.get('access-control-allow-methods')).toContain('POST')
      expect(headers.get('access-control-allow-headers')?.toLowerCase()).toContain(
        'mcp-protocol-version',
      )
      const answer = await createWorld().send(post(PING, { origin }))
      expect(answer.headers.get('access-control-allow-origin')).toBe(origin)
    },
  )
})

describe('a page of any other site', () => {
  it.each([
    'https://evil.example',
    'http://localhost.evil.example',
    'null',
    'http://127.0.0.1@evil',
  ])('(%s) may not', async (origin) => {
    const { headers } = await preflight(origin)
    expect(headers.get('access-control-allow-origin')).toBeNull()
    const answer = await createWorld().send(post(PING, { origin }))
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  })
})
