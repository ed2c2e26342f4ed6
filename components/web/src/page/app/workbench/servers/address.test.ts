import { describe, expect, it } from 'vitest'
import { readAddress } from './address.ts'

const LOCAL = ['http://localhost:*', 'http://127.0.0.1:*']

function read(typed: string, allowed: readonly string[], page = 'http://localhost:3000/') {
  const found = readAddress(typed, { allowed, page: new URL(page) })
  return 'url' in found ? found.url.href : found.problem
}

describe('an address', () => {
  it.each([
    ['http://localhost:4000/mcp', 'http://localhost:4000/mcp'],
    ['localhost:4000/mcp', 'http://localhost:4000/mcp'],
    [' 127.0.0.1:4000 ', 'http://127.0.0.1:4000/'],
    ['http://localhost/mcp?key=1#part', 'http://localhost/mcp?key=1'],
  ])('"%s" on this machine is %s', (typed, expected) => {
    expect(read(typed, LOCAL)).toBe(expected)
  })

  it.each(['', 'javascript:alert(1)', 'file:///etc/passwd', 'ws://localhost:1/', 'http://'])(
    '"%s" is not one of a server',
    (typed) => {
      expect(read(typed, [...LOCAL, 'https:'])).toMatch(/^Enter the address/)
    },
  )

  it('has no password', () => {
    expect(read('http://ada:secret@localhost:4000/mcp', LOCAL)).toMatch(/^Leave the user name/)
  })

  it('that the policy does not allow names the variable and its value', () => {
    const problem = read('https://mcp.example/mcp', LOCAL)
    expect(problem).toContain('page_servers to "https://mcp.example"')
  })

  it.each([
    ['https:', 'https://mcp.example:8443/mcp', true],
    ['https:', 'http://mcp.example/mcp', false],
    ['https://mcp.example', 'https://mcp.example/a/b', true],
    ['https://mcp.example', 'https://mcp.example:8443/', false],
    ['https://mcp.example', 'https://sub.mcp.example/', false],
    ['https://mcp.example', 'https://mcp.example.evil/', false],
    ['https://mcp.example:8443', 'https://mcp.example:8443/', true],
    ['http://127.0.0.1:*', 'http://127.0.0.2:1/', false],
  ])('with the source %s, %s is allowed: %s', (source, typed, isAllowed) => {
    expect(!read(typed, [source]).startsWith('The policy')).toBe(isAllowed)
  })

  it('without TLS is refused on a page with TLS, except for this machine', () => {
    const page = 'https://gateway.example/'
    expect(read('http://mcp.example/', ['http://mcp.example'], page)).toMatch(
      /https addresses only/,
    )
    expect(read('http://localhost:4000/', LOCAL, page)).toBe('http://localhost:4000/')
  })

  it('of the gateway itself is not another server', () => {
    expect(read('http://localhost:3000/mcp', LOCAL)).toMatch(/"This gateway"/)
  })
})
