import { request as rawRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Fixture, startFixture } from './fixture.ts'

let host: Fixture
beforeAll(async () => {
  host = await startFixture()
})
afterAll(() => host.close())

/** A request as written: fetch would not send these hosts and headers. */
function send(path: string, headers: Record<string, string> = {}) {
  return new Promise<{ status: number; body: string }>((resolve, reject) => {
    const { hostname, port } = new URL(host.url)
    const request = rawRequest({ hostname, port, path, headers }, (response) => {
      let body = ''
      response.setEncoding('utf8')
      response.on('data', (text: string) => (body += text))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }))
    })
    request.on('error', reject)
    request.end()
  })
}

const headersOf = (answer: Record<string, unknown>) =>
  Object.fromEntries(answer['headers'] as [string, string][])

test('the health and info paths answer without a component', async () => {
  expect(await host.text('/.well-known/spin/health')).toBe('OK')
  expect(await host.json('/.well-known/spin/info')).toEqual({
    name: 'host-fixtures',
    version: '1.2.3',
  })
  expect((await send('/.well-known/spin/other')).status).toBe(404)
})

test('a static response needs no component', async () => {
  const response = await fetch(`${host.url}/static`)
  expect(response.status).toBe(418)
  expect(response.headers.get('x-made-by')).toBe('manifest')
  expect(await response.text()).toBe('no component')
})

test('a component learns its route and the address of the client', async () => {
  const answer = await host.json('/users/ada/request?q=1')
  const { host: authority } = new URL(host.url)
  expect(answer['url']).toBe(`${host.url}/users/ada/request?q=1`)
  const headers = headersOf(answer)
  expect(headers).toMatchObject({
    'spin-path-info': '/request',
    'spin-full-url': `http://${authority}/users/ada/request?q=1`,
    'spin-matched-route': '/users/:id/...',
    'spin-raw-component-route': '/users/:id/...',
    'spin-component-route': '/users/:id',
    'spin-base-path': '/',
    'spin-path-match-id': 'ada',
  })
  expect(headers['spin-client-addr']).toMatch(/^127\.0\.0\.1:\d+$/)
})

test('headers of the connection and forged spin headers do not reach a component', async () => {
  const { body } = await send('/request', {
    'spin-client-addr': '6.6.6.6:1',
    'SPIN-Forged': 'yes',
    'keep-alive': 'timeout=1',
    'x-kept': 'yes',
  })
  const headers = headersOf(JSON.parse(body) as Record<string, unknown>)
  expect(headers['spin-client-addr']).toMatch(/^127\.0\.0\.1:\d+$/)
  expect(headers).not.toHaveProperty('spin-forged')
  expect(headers).not.toHaveProperty('keep-alive')
  expect(headers).not.toHaveProperty('host')
  expect(headers['x-kept']).toBe('yes')
})

describe('a private component cannot be reached from outside', () => {
  test.each([
    ['/echo', { host: 'back.spin.internal' }],
    ['/', { host: 'back.spin.internal:80', 'spin-component-route': '/back' }],
    ['/back', { 'spin-raw-component-route': '/...', 'spin-path-info': '/back' }],
    ['http://back.spin.internal/request', {}],
  ])('%s with %j', async (path, headers) => {
    const { status, body } = await send(path, headers)
    if (status === 421) return
    // The public component answers every path of this application.
    expect(body === 'no such probe' || body === '' || body.includes('"spin-path-info"')).toBe(true)
    expect(body).not.toContain('x-back')
    if (body.startsWith('{')) expect(body).toContain('"spin-matched-route","/..."')
  })
})

test('a host that is not a host is refused', async () => {
  expect((await send('/request', { host: 'a/b?c' })).status).toBe(400)
})

test('the same header twice arrives twice', async () => {
  const response = await fetch(`${host.url}/header`)
  expect(response.headers.get('x-list')).toBe('a, b')
  expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
})

test('statuses pass, and those without a body have none', async () => {
  for (const status of [201, 204, 301, 304, 404, 503]) {
    const response = await fetch(`${host.url}/header?status=${status}`, { redirect: 'manual' })
    expect(response.status).toBe(status)
    expect(await response.text()).toBe('')
  }
})

test('HEAD gets the head only', async () => {
  const response = await fetch(`${host.url}/request`, { method: 'HEAD' })
  expect(response.status).toBe(200)
  expect(await response.text()).toBe('')
  expect(await host.text('/file?path=data/greeting.txt')).toContain('hello')
})
