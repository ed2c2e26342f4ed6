import { describe, expect, test } from 'vitest'
import { externalHeaders, withoutSpinHeaders } from './spin-headers.ts'
import { matchRoute, parseRoute } from '../manifest/route.ts'
import { Router } from './router.ts'

const router = (...routes: (string | undefined)[]) =>
  new Router(
    routes.map((route, index) => ({ id: `t${index}`, route, target: { component: `c${index}` } })),
  )
const find = (routes: (string | undefined)[], path: string) => router(...routes).find(path)?.target

describe('a route matches', () => {
  test.each([
    ['/a/b', '/a/b', true],
    ['/a/b', '/a/b/', true],
    ['/a/b', '/a/b/c', false],
    ['/a/...', '/a', true],
    ['/a/...', '/a/', true],
    ['/a/...', '/a/x/y', true],
    ['/a/...', '/ab', false],
    ['/a/*', '/a/x', true],
    ['/...', '/', true],
    ['/', '/', true],
    ['/', '/x', false],
    ['/u/:id', '/u/1', true],
    ['/u/:id', '/u', false],
    ['/u/:id', '/u/1/2', false],
    ['/u/:id/...', '/u/1/2', true],
  ])('%s %s: %s', (route, path, expected) => {
    expect(find([route], path) !== undefined).toBe(expected)
  })
})

test('exact beats wildcard, then the longest prefix, then a literal before a name', () => {
  const routes = ['/...', '/a/...', '/a/b', '/a/b/...', '/a/:x']
  expect(find(routes, '/z')).toEqual({ component: 'c0' })
  expect(find(routes, '/a/b/c')).toEqual({ component: 'c3' })
  expect(find(routes, '/a/b')).toEqual({ component: 'c2' })
  expect(find(routes, '/a/q')).toEqual({ component: 'c4' })
  expect(find(routes, '/a')).toEqual({ component: 'c1' })
})

test('of two equal routes the later one wins', () => {
  expect(find(['/a', '/a'], '/a')).toEqual({ component: 'c1' })
})

test('a private trigger has no route', () => {
  expect(find([undefined], '/')).toBeUndefined()
  expect(find([undefined, '/x'], '/x')).toEqual({ component: 'c1' })
})

test('the rest behind a wildcard keeps its slashes', () => {
  const route = parseRoute('/a/...')
  if (typeof route === 'string') throw new Error(route)
  expect(matchRoute(route, '/a')?.rest).toBe('')
  expect(matchRoute(route, '/a/')?.rest).toBe('/')
  expect(matchRoute(route, '/a/x/y/')?.rest).toBe('/x/y/')
})

test('the headers are those of the Spin documentation', () => {
  const routed = router('/base/:seg/...').find('/base/one/two')
  if (!routed) throw new Error('no match')
  const headers = externalHeaders(routed, {
    path: '/base/one/two?q=1',
    authority: 'example.com',
    client: '10.0.0.1:5',
  })
  expect(Object.fromEntries(headers)).toEqual({
    'spin-path-info': '/two',
    'spin-full-url': 'http://example.com/base/one/two?q=1',
    'spin-matched-route': '/base/:seg/...',
    'spin-component-route': '/base/:seg',
    'spin-raw-component-route': '/base/:seg/...',
    'spin-base-path': '/',
    'spin-client-addr': '10.0.0.1:5',
    'spin-path-match-seg': 'one',
  })
})

test.each([
  ['/', { matched: '', raw: '/', component: '/' }],
  ['/a/', { matched: '/a', raw: '/a/', component: '/a/' }],
  ['a/...', { matched: '/a/...', raw: 'a/...', component: 'a' }],
  ['/a/*', { matched: '/a/*', raw: '/a/*', component: '/a/*' }],
  ['/...', { matched: '/...', raw: '/...', component: '' }],
])('the headers of %s say it as Spin does', (written, { matched, raw, component }) => {
  const routed = router(written).find(written.includes('a') ? '/a' : '/')
  if (!routed) throw new Error('no match')
  const request = { path: '/a', authority: 'example.com', client: '10.0.0.1:5' }
  expect(Object.fromEntries(externalHeaders(routed, request))).toMatchObject({
    'spin-matched-route': matched,
    'spin-raw-component-route': raw,
    'spin-component-route': component,
  })
})

test('spin headers of the sender are removed in any case', () => {
  expect(
    withoutSpinHeaders([
      ['Spin-Client-Addr', '1'],
      ['spin-x', '2'],
      ['spinning', '3'],
    ]),
  ).toEqual([['spinning', '3']])
})
