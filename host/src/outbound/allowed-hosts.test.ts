import { describe, expect, test } from 'vitest'
import { checkAllowedHost, isAllowed } from './allowed-hosts.ts'

const allowed = (entry: string, scheme: string, host: string, port: number) =>
  isAllowed([entry], { scheme, host, port })

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
