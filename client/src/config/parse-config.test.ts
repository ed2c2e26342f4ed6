import { describe, expect, it } from 'vitest'
import { ConfigError } from '../errors.ts'
import { parseConfig } from './parse-config.ts'

const parse = (document: unknown, variables: Record<string, string> = {}) =>
  parseConfig(JSON.stringify(document), { variables })

function failureOf(document: unknown): ConfigError {
  try {
    parse(document)
  } catch (error) {
    if (error instanceof ConfigError) return error
    throw error
  }
  throw new Error('nothing was wrong')
}

describe('the configuration', () => {
  const server = {
    command: 'node',
    args: ['server.js', '--quiet'],
    env: { LEVEL: 'info' },
    cwd: '/srv',
  }

  it.each([
    ['of Claude and Cursor', { mcpServers: { files: server } }],
    ['of VS Code, in mcp.json', { servers: { files: { type: 'stdio', ...server } }, inputs: [] }],
    ['of VS Code, in its settings', { mcp: { servers: { files: server } }, 'editor.tabSize': 2 }],
  ])('%s names a process', (_, document) => {
    expect(parse(document)).toEqual({ files: server })
  })

  it.each([{}, { type: 'http' }, { type: 'streamable-http' }])(
    'names an address, with %o',
    (type) => {
      const headers = { authorization: 'Bearer x' }
      const gateway = { url: 'https://gw.example/mcp', headers }
      expect(parse({ mcpServers: { gateway: { ...type, ...gateway } } })).toEqual({ gateway })
    },
  )

  it('may have servers with the names of prototypes', () => {
    const text = '{"mcpServers":{"__proto__":{"command":"a"},"constructor":{"command":"b"}}}'
    expect(Object.entries(parseConfig(text)).map(([name]) => name)).toEqual([
      '__proto__',
      'constructor',
    ])
  })

  it.each([
    [{ command: 'a', protocol: 'constructor' }, 'mcpServers.x.protocol'],
    [{ command: '${constructor}' }, 'mcpServers.x.command'],
  ])('takes no value from a prototype: %o', (server, field) => {
    expect(failureOf({ mcpServers: { x: server } }).message).toContain(field)
  })

  it('of the Inspector names the era of the protocol', () => {
    const url = 'http://127.0.0.1:3000/mcp'
    const servers = parse({
      mcpServers: {
        a: { url, protocolEra: 'modern' },
        b: { url, protocolEra: 'legacy' },
        c: { url, protocolEra: 'auto' },
      },
    })
    expect(Object.values(servers).map(({ protocol }) => protocol)).toEqual([
      '2026-07-28',
      'legacy',
      'auto',
    ])
  })

  it('keeps the order, omits disabled servers, and accepts every alias of deniedTools', () => {
    const servers = parse({
      mcpServers: {
        second: { command: 'b', excludeTools: ['x'], disabledTools: ['y'] },
        off: { command: 'c', disabled: true },
        first: { command: 'a', deniedTools: ['z'] },
      },
    })
    expect(Object.entries(servers)).toEqual([
      ['second', { command: 'b', deniedTools: ['y', 'x'] }],
      ['first', { command: 'a', deniedTools: ['z'] }],
    ])
  })

  it('names how to authenticate, with secrets by name', () => {
    const auth = {
      grant: 'client_credentials',
      clientId: '${CLIENT}',
      clientSecretEnv: 'CI_SECRET',
      issuer: 'https://as.example',
    }
    const document = { mcpServers: { a: { url: 'https://gw.example/mcp', auth } } }
    const variables = { CLIENT: 'ci', CI_SECRET: 'not read here' }
    expect(parse(document, variables)).toEqual({
      a: { url: 'https://gw.example/mcp', auth: { ...auth, clientId: 'ci' } },
    })
    expect(parse({ mcpServers: { a: { url: 'https://gw.example/mcp', auth: {} } } })).toEqual({
      a: { url: 'https://gw.example/mcp', auth: {} },
    })
  })

  it('may have comments and trailing commas, and strings that look like them', () => {
    const text = `\uFEFF// mine
      { "mcpServers": { /* one */ "a": { "command": "x // y", "args": ["/*", "a,]",], }, }, }`
    expect(parseConfig(text, { variables: {} })).toEqual({
      a: { command: 'x // y', args: ['/*', 'a,]'] },
    })
  })
})

describe('variables', () => {
  it('are filled in wherever a value is a text', () => {
    const servers = parse(
      {
        mcpServers: {
          a: {
            command: '${BIN}/node',
            args: ['${env:FOLDER}', 'x${BIN}y${BIN}', '${PORT:-3000}', '${EMPTY:-full}'],
            env: { TOKEN: '${env:TOKEN}' },
            cwd: '${FOLDER}',
          },
          b: { url: 'https://${HOST}/mcp', headers: { authorization: 'Bearer ${TOKEN}' } },
        },
      },
      { BIN: '/bin', FOLDER: '/srv', TOKEN: '$& ${BIN}', HOST: 'gw.example', EMPTY: '' },
    )
    expect(servers).toEqual({
      a: {
        command: '/bin/node',
        args: ['/srv', 'x/biny/bin', '3000', 'full'],
        env: { TOKEN: '$& ${BIN}' },
        cwd: '/srv',
      },
      b: { url: 'https://gw.example/mcp', headers: { authorization: 'Bearer $& ${BIN}' } },
    })
  })
})

describe('what cannot be used is named by its field', () => {
  const one = (server: unknown) => ({ mcpServers: { a: server } })
  const auth = (value: unknown) => one({ url: 'https://gw.example/mcp', auth: value })

  it.each([
    [[], '', 'must be an object'],
    [{}, '', 'neither "mcpServers" nor "servers"'],
    [{ mcpServers: [] }, 'mcpServers', 'must be an object'],
    [{ servers: { a: 1 } }, 'servers.a', 'must be an object'],
    [one({}), 'mcpServers.a', 'needs a "command" or a "url"'],
    [one({ command: 'x', url: 'http://y' }), 'mcpServers.a', 'one or the other'],
    [one({ command: 7 }), 'mcpServers.a.command', 'must be a text'],
    [one({ command: 'x', args: 'y' }), 'mcpServers.a.args', 'must be a list of texts'],
    [one({ command: 'x', args: ['y', 1] }), 'mcpServers.a.args[1]', 'must be a text'],
    [one({ command: 'x', env: { A: 1 } }), 'mcpServers.a.env.A', 'must be a text'],
    [one({ command: 'x', env: { A: '${NO}' } }), 'mcpServers.a.env.A', 'NO is not set'],
    [one({ command: 'x', args: ['${input:key}'] }), 'mcpServers.a.args[0]', '${input:key} cannot'],
    [one({ url: 'ftp://x' }), 'mcpServers.a.url', '"ftp://x" must be an http or https URL'],
    [one({ url: 'http://' }), 'mcpServers.a.url', 'must be an http'],
    [one({ url: 'http://x', type: 'sse' }), 'mcpServers.a.type', 'two endpoints'],
    [one({ url: 'http://x', type: 'pigeon' }), 'mcpServers.a.type', '"pigeon" must be one of'],
    [auth('yes'), 'mcpServers.a.auth', 'must be an object'],
    [auth({ clientSecret: 'x' }), 'mcpServers.a.auth.clientSecret', 'must be one of grant, '],
    [auth({ clientId: 7 }), 'mcpServers.a.auth.clientId', 'must be a string'],
    [auth({ grant: 'password' }), 'mcpServers.a.auth.grant', '"password" must be one of'],
    [auth({ grant: 'client_credentials' }), 'mcpServers.a.auth', 'needs "clientId"'],
    [auth({ clientSecretEnv: 'X' }), 'mcpServers.a.auth.issuer', 'is needed'],
    [auth({ privateKeyEnv: 'X', privateKeyFile: 'y' }), 'mcpServers.a.auth', 'must have one of'],
    [one({ command: 'x', protocol: 'newest' }), 'mcpServers.a.protocol', '"newest" must be one of'],
  ])('%j', (document, field, message) => {
    const error = failureOf(document)
    expect(error.field).toBe(field)
    expect(error.message).toContain(message)
    expect(error.message.startsWith(field)).toBe(true)
  })

  it('and text that is not JSON is reported as such', () => {
    expect(() => parseConfig('{"mcpServers":')).toThrow(/this is not JSON/)
  })
})
