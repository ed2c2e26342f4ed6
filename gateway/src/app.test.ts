import { memoryPlatform } from 'ftl-platform/memory'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ConfigurationError } from 'ftl-http'
import { createApp } from './app.ts'
import type { TransportAdapter } from './gateway.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const log = vi.spyOn(console, 'error').mockImplementation(() => {})
afterEach(() => log.mockClear())

function ask(
  handler: () => Response | Promise<Response>,
  {
    path = '/it',
    host = 'localhost',
    ...init
  }: RequestInit & { path?: string; host?: string } = {},
): Promise<Response> {
  const adapter: TransportAdapter = {
    name: 'test',
    routes: () => [{ path: '/it', methods: { GET: handler } }],
  }
  const request = new Request(`http://${host}${path}`, init)
  return createApp({ adapters: [adapter] }).fetch(request, memoryPlatform())
}
const fail = (error: unknown) => () => {
  throw error
}

describe('every response has the id of its request', () => {
  const ok = () => new Response('ok')
  it.each([
    ['an answer', 200, ask(ok)],
    ['nothing there', 404, ask(ok, { path: '/other' })],
    ['a refused host', 403, ask(ok, { host: 'evil.example' })],
    ['a refused origin', 403, ask(ok, { headers: { origin: 'null' } })],
    ['a preflight', 204, ask(ok, { method: 'OPTIONS' })],
    ['a failure', 500, ask(fail(new Error('x')))],
  ])('%s', async (_, status, answered) => {
    const response = await answered
    expect(response.status).toBe(status)
    expect(response.headers.get('x-request-id')).toMatch(UUID)
  })

  it('the one the client gave it', async () => {
    const response = await ask(ok, { headers: { 'x-request-id': 'abc.1' } })
    expect(response.headers.get('x-request-id')).toBe('abc.1')
  })

  it('also where its headers cannot be changed', async () => {
    // As an answer of another component is.
    const fixed = await fetch('data:text/plain,streamed')
    expect(() => fixed.headers.set('a', 'b')).toThrow(TypeError)
    const origin = 'http://localhost:5173'
    const response = await ask(() => fixed, { headers: { origin } })
    expect(response.headers.get('x-request-id')).toMatch(UUID)
    expect(response.headers.get('access-control-allow-origin')).toBe(origin)
    expect(response.headers.get('content-type')).toBe('text/plain')
    expect(await response.text()).toBe('streamed')
  })

  it('and keeps its own Vary', async () => {
    const response = await ask(() => new Response('', { headers: { vary: 'Accept' } }))
    expect(response.headers.get('vary')).toBe('Accept, Origin')
  })
})

describe('what nobody expected', () => {
  // Code can throw anything.
  it.each([
    ['an Error', new Error('password=1234')],
    ['a text', 'password=1234'],
  ])('is told by its id alone: %s', async (_, error) => {
    const response = await ask(fail(error), { headers: { 'x-request-id': 'abc.1' } })
    expect(response.status).toBe(500)
    const body = await response.text()
    expect(JSON.parse(body)).toMatchObject({ error: { code: 'internal', requestId: 'abc.1' } })
    expect(body).not.toContain('password')
    const logged = log.mock.calls.flat().join(' ')
    expect(logged).toContain('abc.1')
    expect(logged).toContain('password=1234')
  })

  it('is told in full where the operator can mend it', async () => {
    const response = await ask(fail(new ConfigurationError('some_variable', 'is wrong')))
    expect(response.status).toBe(500)
    expect(await response.json()).toMatchObject({
      error: {
        code: 'configuration',
        message: expect.stringContaining('"some_variable"') as string,
      },
    })
    expect(log).not.toHaveBeenCalled()
  })

  it('may be read by the page that asked', async () => {
    const origin = 'http://localhost:5173'
    const { headers } = await ask(fail(new Error('x')), { headers: { origin } })
    expect(headers.get('access-control-allow-origin')).toBe(origin)
  })
})
