import type { IncomingMessage } from 'node:http'
import { describe, expect, test } from 'vitest'
import { parseTarget } from './request-target.ts'

const target = (url: string, rawHeaders = ['Host', 'a.example'], httpVersionMinor = 1) =>
  parseTarget({ url, rawHeaders, httpVersionMinor } as IncomingMessage)

describe('a path is normalised as a URL parser does it', () => {
  test.each([
    ['/', '/'],
    ['/a/b?c=/../d', '/a/b?c=/../d'],
    ['/a/../private', '/private'],
    ['/a/./b', '/a/b'],
    ['/../../etc', '/etc'],
    ['/%2e%2e/b', '/b'],
    ['/a/%2E./b', '/b'],
    ['/a/.%2e', '/'],
    ['/a\\..\\b', '/b'],
    ['//mcp', '//mcp'],
    ['//mcp/../x', '//x'],
    ['/a%2f..%2fb', '/a%2f..%2fb'],
    ['/a/.hidden', '/a/.hidden'],
    ['/a/...', '/a/...'],
    ['/a/..?q=%2e%2e/', '/?q=%2e%2e/'],
    ['/a#b', '/a'],
    ['http://b.example/x/../y?q', '/y?q'],
    ['http://b.example?q', '/?q'],
  ])('%s is %s', (url, path) => {
    expect(target(url)?.path).toBe(path)
    const { pathname, search } = new URL(`http://a.example${path}`)
    expect(pathname + search).toBe(path)
  })
})

test.each([
  ['two hosts', '/', ['Host', 'a', 'hOST', 'a']],
  ['no host', '/', []],
  ['an empty host', '/', ['Host', '']],
  ['a host with a path', '/', ['Host', 'a/b']],
  ['a host with a user', '/', ['Host', 'u@a']],
  ['an asterisk', '*', ['Host', 'a']],
  ['an absolute target with a user', 'http://u@b/', ['Host', 'a']],
  ['another scheme', 'https://b/', ['Host', 'a']],
  ['no path', 'b', ['Host', 'a']],
])('%s is refused', (_, url, rawHeaders) => {
  expect(target(url, rawHeaders)).toBeUndefined()
})

test('the authority is that of an absolute target, else the Host header', () => {
  expect(target('http://b:80/')?.authority).toBe('b:80')
  expect(target('/')?.authority).toBe('a.example')
  expect(target('/', [], 0)?.authority).toBe('localhost')
})
