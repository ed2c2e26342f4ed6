import { describe, expect, it } from 'vitest'
import { allowedServers, serverVariables } from './mcp-servers.ts'

const [, parse] = serverVariables.servers

function refuse(message: string): never {
  throw new Error(message)
}

function sources(text: string, page: string): readonly string[] {
  return allowedServers({ servers: parse(text, refuse) }, new URL(page))
}

describe('without page_servers', () => {
  it.each([
    'http://localhost:3000/',
    'http://127.0.0.1/',
    'http://[::1]:3000/',
    'http://a.localhost/',
  ])('a page at %s may request servers of this machine', (page) => {
    expect(sources('', page)).toEqual(['http://localhost:*', 'http://127.0.0.1:*'])
  })

  it.each(['https://gateway.example/', 'http://10.0.0.1/', 'https://localhost.example/'])(
    'a page at %s may request no other server',
    (page) => {
      expect(sources('', page)).toEqual([])
    },
  )
})

describe('page_servers', () => {
  it.each([
    ['https://mcp.example', ['https://mcp.example']],
    [
      'https://MCP.example:8443, http://127.0.0.1:9',
      ['https://mcp.example:8443', 'http://127.0.0.1:9'],
    ],
    ['https:', ['https:']],
    ['http://localhost:*', ['http://localhost:*']],
    ['none', []],
  ])('"%s" allows %j, wherever the page is opened', (text, expected) => {
    expect(sources(text, 'http://localhost:3000/')).toEqual(expected)
    expect(sources(text, 'https://gateway.example/')).toEqual(expected)
  })

  it.each([
    '*',
    "'self'",
    'http:',
    'data:',
    'https://*.example',
    'https://mcp.example/mcp',
    "https://mcp.example;script-src'unsafe-inline'",
    'https://mcp.example:99999x',
    'ws://mcp.example',
    'none, https://mcp.example',
  ])('"%s" is refused', (text) => {
    expect(() => sources(text, 'https://gateway.example/')).toThrow(/must be origins such as/)
  })
})
