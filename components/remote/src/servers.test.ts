import { describe, expect, it } from 'vitest'
import { parseServers } from './servers.ts'

const URL = 'https://mcp.example/mcp'
const parse = (value: unknown) => parseServers(JSON.stringify(value))

describe('the variable remote_servers', () => {
  it('may be a list, an object by names, or what other clients have', () => {
    const wanted = {
      name: 'files',
      url: URL,
      headers: {},
      denied: [],
      prefix: '',
      timeoutMs: 30_000,
      ttlMs: 60_000,
    }
    for (const form of [
      [{ name: 'files', url: URL }],
      { files: { url: URL } },
      { mcpServers: { files: { type: 'http', url: URL } } },
    ]) {
      expect(parse(form)).toEqual({ servers: [wanted], problems: [] })
    }
  })

  it('may be empty', () => {
    for (const text of ['', ' \n', '[]', '{}']) {
      expect(parseServers(text)).toEqual({ servers: [], problems: [] })
    }
  })

  it.each([
    { why: 'no url', entry: {} },
    { why: 'a url that is none', entry: { url: 'mcp.example' } },
    { why: 'another scheme', entry: { url: 'file:///etc/passwd' } },
    { why: 'a password in the url', entry: { url: 'https://me:hunter22@mcp.example/' } },
    { why: 'a process', entry: { command: 'npx' } },
    { why: 'a misspelt deny list', entry: { url: URL, deny: ['write_file'] } },
    { why: 'a deny list that is none', entry: { url: URL, denied: 'write_file' } },
    { why: 'a header of the wire', entry: { url: URL, headers: { 'Mcp-Session-Id': 'hunter22' } } },
    { why: 'another host', entry: { url: URL, headers: { Host: 'hunter22' } } },
    { why: 'a header with a line end', entry: { url: URL, headers: { a: 'x\r\nb: hunter22' } } },
    { why: 'a prefix with a space', entry: { url: URL, prefix: 'my tools ' } },
    { why: 'no time at all', entry: { url: URL, timeoutMs: 0 } },
  ])('leaves a server out that has $why, and says so without its secrets', ({ entry }) => {
    const { servers, problems } = parse({ bad: entry, good: { url: URL } })
    expect(servers.map(({ name }) => name)).toEqual(['good'])
    expect(problems).toEqual([expect.stringMatching(/^remote_servers, "bad": its? /)])
    expect(problems.join()).not.toContain('hunter22')
  })

  it('has each name once', () => {
    const { servers, problems } = parse([
      { name: 'a', url: URL },
      { name: 'a', url: 'https://other.example/' },
    ])
    expect(servers).toHaveLength(1)
    expect(problems).toEqual(['remote_servers, server 2: another server has the same name'])
  })

  it('quotes nothing of a text that is not JSON', () => {
    const { problems } = parseServers('{"a": {"headers": {"x": "hunter22"')
    expect(problems).toEqual(['remote_servers: it is not valid JSON'])
  })
})
