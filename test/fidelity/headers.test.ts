import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FidelityApplication, send, startFidelity } from './application.ts'
import { embeddedOnly } from '../support/embedded-only.ts'

let app: FidelityApplication
beforeAll(async () => {
  app = await startFidelity()
})
afterAll(() => app.close())

const chained = (path: string, how: '' | '&fresh' = '', init?: RequestInit) =>
  app.headersOf(
    `/guest/fetch?to=${encodeURIComponent(`http://hidden.spin.internal${path}`)}${how}`,
    init,
  )

test('[spin:headers-external] a request from outside carries its route and its client', async () => {
  const { host } = new URL(app.url)
  const headers = await app.headersOf('/users/ada/files/x?q=1')
  expect(headers).toMatchObject({
    'spin-path-info': '/x',
    'spin-full-url': `http://${host}/users/ada/files/x?q=1`,
    'spin-matched-route': '/users/:id/:part/...',
    'spin-raw-component-route': '/users/:id/:part/...',
    'spin-component-route': '/users/:id/:part',
    'spin-base-path': '/',
  })
  expect(headers['spin-client-addr']).toMatch(/^[\d.]+:\d+$/)
})

describe('[spin:headers-forms] each form of a route has its own headers', () => {
  test.each([
    ['/exact', '/exact', '/exact', '/exact'],
    ['/bare', '/bare', 'bare', 'bare'],
    ['/star/x', '/star/*', '/star/*', '/star/*'],
  ])('%s', async (path, route, raw, component) => {
    expect(await app.headersOf(path)).toMatchObject({
      'spin-matched-route': route,
      'spin-raw-component-route': raw,
      'spin-component-route': component,
    })
  })
})

test('[spin:headers-chained] a request of another component looks like a request to everything', async () => {
  expect(await chained('/deep/path?q=1', '&fresh')).toMatchObject({
    'spin-path-info': '/deep/path',
    'spin-full-url': 'http://localhost/deep/path?q=1',
    'spin-matched-route': '/...',
    'spin-raw-component-route': '/...',
    'spin-component-route': '',
    'spin-base-path': '/',
    'spin-client-addr': '0.0.0.0:0',
  })
})

test('[spin:headers-forwarded] the headers of the host follow those that a component forwards', async () => {
  const headers = await chained('/deep/path')
  expect(headers).toMatchObject({
    'spin-path-info': '/fetch, /deep/path',
    'spin-matched-route': '/guest/..., /...',
    'spin-raw-component-route': '/guest/..., /...',
    'spin-base-path': '/, /',
  })
  expect(headers['spin-client-addr']).toMatch(/^127\.0\.0\.1:\d+, 0\.0\.0\.0:0$/)
  expect(headers['spin-full-url']).toMatch(/^http:.*, http:\/\/localhost\/deep\/path$/)
})

test('[spin:url] request.url is what the client asked for, or the name of the component that was called', async () => {
  expect((await app.json('/exact?a=b'))['url']).toBe(`${app.url}/exact?a=b`)
  const { body } = await send(app.url, { path: '/exact', headers: { host: 'gw.example:81' } })
  expect(JSON.parse(body)).toMatchObject({ url: 'http://gw.example:81/exact' })
  const to = encodeURIComponent('http://hidden.spin.internal/x?y=z')
  expect((await app.json(`/guest/fetch?to=${to}`))['url']).toBe('http://hidden.spin.internal/x?y=z')
})

test('[spin:headers-kept] other headers arrive, the same name twice included', async () => {
  const { headers } = await app.json('/exact', {
    headers: [
      ['x-one', 'a'],
      ['x-one', 'b'],
      ['traceparent', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'],
    ],
  })
  const seen = new Map(headers as [string, string][])
  expect(seen.get('x-one')?.split(', ')).toEqual(['a', 'b'])
  expect(seen.get('traceparent')).toContain('0af7651916cd43dd8448eb211c80319c')
})

test('[spin:headers-response] headers of a response arrive, cookies one by one', async () => {
  const response = await fetch(`${app.url}/guest/status?code=200`)
  expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
})

test(
  '[spin:headers-forged] what a client says in spin headers is removed',
  embeddedOnly('Spin keeps them beside its own'),
  async () => {
    const { body } = await send(app.url, {
      path: '/exact',
      headers: { 'spin-client-addr': '6.6.6.6:1', 'spin-forged': 'yes' },
    })
    const seen = new Map((JSON.parse(body) as { headers: [string, string][] }).headers)
    expect(seen.get('spin-client-addr')).toMatch(/^127\.0\.0\.1:\d+$/)
    expect(seen.has('spin-forged')).toBe(false)
  },
)
