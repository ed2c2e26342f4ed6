import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FidelityApplication, send, startFidelity } from './application.ts'
import { isRefusal } from '../support/application.ts'
import { embeddedOnly } from '../support/embedded-only.ts'

let app: FidelityApplication
beforeAll(async () => {
  app = await startFidelity()
})
afterAll(() => app.close())

/** The route that matched and the component it led to; the status where none did. */
async function matched(path: string): Promise<string | number> {
  const response = await fetch(app.url + path)
  if (!response.ok) return response.status
  const { headers, url } = (await response.json()) as { headers: [string, string][]; url: string }
  expect(new URL(url).pathname).toBe(path)
  return new Map(headers).get('spin-matched-route') ?? ''
}

describe('[spin:route-exact] an exact route matches its path only', () => {
  test.each([
    ['/exact', '/exact'],
    ['/exact/', '/exact'],
    ['/exacter', 404],
    ['/Exact', 404],
    ['/exact/a/b', 404],
    ['/bare', '/bare'],
    ['/', 404],
  ])('%s: %s', async (path, route) => {
    expect(await matched(path)).toBe(route)
  })
})

test('[spin:route-name] a name stands for one segment, which the guest is told', async () => {
  expect(await matched('/exact/x')).toBe('/exact/:name')
  const headers = await app.headersOf('/users/ada/files/deep/path?q=1')
  expect(headers).toMatchObject({
    'spin-path-match-id': 'ada',
    'spin-path-match-part': 'files',
    'spin-path-info': '/deep/path',
  })
})

describe('[spin:route-wildcard] a wildcard matches its prefix and all below it', () => {
  test.each([
    ['/wild', ''],
    ['/wild/', '/'],
    ['/wild/a', '/a'],
    ['/wild/a/b/', '/a/b/'],
  ])('%s with the rest "%s"', async (path, rest) => {
    expect(await app.headersOf(path)).toMatchObject({
      'spin-matched-route': '/wild/...',
      'spin-path-info': rest,
    })
  })
  test('and a star is one too', async () => {
    expect(await matched('/star/a/b')).toBe('/star/*')
    expect(await matched('/wilder')).toBe(404)
  })
})

describe('[spin:route-order] exact goes before wildcard, then the longest prefix, a literal before a name', () => {
  test.each([
    ['/wild/deep', '/wild/deep/...'],
    ['/wild/deep/x', '/wild/deep/...'],
    ['/wild/deep/exact', '/wild/deep/exact'],
    ['/wild/deeper', '/wild/...'],
    ['/exact/literal', '/exact/literal'],
  ])('%s: %s', async (path, route) => {
    expect(await matched(path)).toBe(route)
  })
})

test('[spin:route-twice] of the same route twice the later one counts', async () => {
  expect(await app.json('/exact')).toMatchObject({ component: 'guest' })
  expect(await app.json('/twice')).toMatchObject({ component: 'other' })
})

test('[spin:route-private] nothing from outside reaches a private component', async () => {
  expect((await send(app.url, { path: '/hidden' })).status).toBe(404)
  const answer = await send(app.url, {
    path: '/nowhere',
    headers: { host: 'hidden.spin.internal', 'spin-component-route': '/hidden' },
  }).catch((error: Error) => (isRefusal(error) ? { status: 404 } : Promise.reject(error)))
  expect([404, 421]).toContain(answer.status)
})

test('[spin:route-none] a path no route matches is an empty 404', async () => {
  const response = await fetch(`${app.url}/nowhere`)
  expect(response.status).toBe(404)
  expect(await response.text()).toBe('')
})

test('[spin:route-static] a static response needs no component; it is 200 and empty unless it says more', async () => {
  const response = await fetch(`${app.url}/static`)
  expect([response.status, await response.text()]).toEqual([418, 'no component'])
  expect(response.headers.get('x-made-by')).toBe('manifest')
  const bare = await fetch(`${app.url}/static-default`)
  expect([bare.status, await bare.text()]).toEqual([200, ''])
})

test('[spin:well-known] health and info are answered by the host, and nothing else below them', async () => {
  const health = await fetch(`${app.url}/.well-known/spin/health`)
  expect([health.status, await health.text()]).toEqual([200, 'OK'])
  const info = await fetch(`${app.url}/.well-known/spin/info`)
  expect(info.headers.get('content-type')).toBe('application/json')
  expect(await info.json()).toEqual({ name: 'fidelity', version: '1.2.3' })
  expect((await fetch(`${app.url}/.well-known/spin/other`)).status).toBe(404)
})

test(
  '[spin:host-internal] a request whose Host names a component is refused',
  embeddedOnly('Spin closes the connection'),
  async () => {
    const { status } = await send(app.url, {
      path: '/exact',
      headers: { host: 'hidden.spin.internal' },
    })
    expect(status).toBe(421)
  },
)
