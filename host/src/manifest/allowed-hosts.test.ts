import { describe, expect, test } from 'vitest'
import { AllowedHosts, checkAllowedHost } from './allowed-hosts.ts'

const reach = (entries: string[], scheme: string, host: string, port: number) =>
  new AllowedHosts(() => entries).reach({ scheme, host, port })

const allowed = (entry: string, scheme: string, host: string, port: number) =>
  reach([entry], scheme, host, port) !== undefined

describe('an entry allows', () => {
  test.each([
    ['https://example.com', 'https', 'example.com', 443, true],
    ['https://example.com', 'http', 'example.com', 80, false],
    ['https://example.com', 'https', 'example.com', 8443, false],
    ['https://example.com', 'https', 'sub.example.com', 443, false],
    ['https://Example.com/', 'https', 'example.com', 443, true],
    ['http://example.com:8000..8010', 'http', 'example.com', 8009, true],
    ['http://example.com:8000..8010', 'http', 'example.com', 8010, false],
    ['http://example.com:*', 'http', 'example.com', 1, true],
    ['*://example.com:81', 'redis', 'example.com', 81, true],
    ['http://*.spin.internal', 'http', 'echo.spin.internal', 80, true],
    ['http://*.spin.internal', 'https', 'echo.spin.internal', 443, false],
    ['http://*.spin.internal', 'http', 'spin.internal', 80, false],
    ['http://*.spin.internal', 'http', 'evilspin.internal', 80, false],
    ['*://*:*', 'http', 'anything', 12, true],
    ['http://127.0.0.1:8188', 'http', '127.0.0.1', 8188, true],
    ['http://10.0.0.0/8', 'http', '10.200.1.1', 80, true],
    ['http://10.0.0.0/8', 'http', '11.0.0.1', 80, false],
    ['http://10.0.0.0/8', 'http', 'ten.example', 80, false],
    ['http://[::1]:8080', 'http', '::1', 8080, true],
    ['http://self', 'http', 'self.alt', 80, true],
    ['http://self', 'http', 'other', 80, false],
    ['', 'http', 'example.com', 80, false],
    ['http://', 'http', 'example.com', 80, false],
  ])('%s: %s://%s:%d is %s', (entry, scheme, host, port, expected) => {
    expect(allowed(entry, scheme, host, port)).toBe(expected)
  })
})

describe('an entry reaches', () => {
  test.each([
    ['http://*:*', 'anything.example', 'public'],
    ['http://*:*', '127.0.0.1', 'public'],
    ['http://*:*', 'echo.spin.internal', undefined],
    ['http://*:*', 'spin.internal', undefined],
    ['http://*:*', 'self', undefined],
    ['http://*.internal:*', 'echo.spin.internal', undefined],
    ['http://*.spin.internal:*', 'echo.spin.internal', 'named'],
    ['http://*.example.com:*', 'a.example.com', 'public'],
    ['http://a.example.com:*', 'a.example.com', 'named'],
    ['http://a.example.com.:*', 'a.example.com', 'named'],
    ['http://localhost:*', 'localhost', 'named'],
    ['http://localhost:*', '127.0.0.1', undefined],
    ['http://127.0.0.1:*', '127.0.0.1', 'address'],
    ['http://[::ffff:127.0.0.1]:*', '127.0.0.1', 'address'],
    ['http://[0:0::1]:*', '::1', 'address'],
    ['http://169.254.0.0/16:*', '169.254.169.254', 'address'],
    ['http://0.0.0.0/0:*', '127.0.0.1', 'public'],
    ['http://self:*', 'self.alt', 'named'],
  ])('%s: %s %s', (entry, host, expected) => {
    expect(reach([entry], 'http', host, 80)).toBe(expected)
  })

  test('as far as the furthest of all, whatever their order', () => {
    const entries = ['http://*:*', 'http://127.0.0.1:80']
    expect(reach(entries, 'http', '127.0.0.1', 80)).toBe('address')
    expect(reach(entries.reverse(), 'http', '127.0.0.1', 80)).toBe('address')
  })
})

describe('an entry is refused', () => {
  test.each([
    ['example.com', 'does not contain a scheme'],
    ['http://example.com/path', 'must not include a path'],
    ['http://exa*mple.com', 'wildcards are allowed only as subdomains'],
    ['http://*.*.com', 'wildcard'],
    ['ftp://example.com', 'needs a port'],
    ['http://example.com:port', 'malformed port'],
    ['http://', 'has no host'],
    ['http://exa mple', 'malformed'],
  ])('%s', (entry, reason) => {
    expect(checkAllowedHost(entry)).toContain(reason)
  })
})
