import { parseConfig } from 'ftl-client'
import { expect, it } from 'vitest'
import { bridgeConfig } from './bridge-config.ts'

/** The smallest MCP server, with one tool of this name. */
function server(tool: string) {
  const code = `
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method, params } = JSON.parse(line)
      if (id === undefined) return
      const result = {
        initialize: { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } },
        'tools/list': { tools: [{ name: '${tool}', inputSchema: { type: 'object' } }] },
      }[method]
      const answer = result ? { result } : { error: { code: -32601, message: 'no' } }
      console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
    })`
  return { command: process.execPath, args: ['-e', code] }
}

function bridge(document: string, own: string[] = []) {
  const silent = (name: string) => ({ name, onStderr() {}, onEnd() {}, onStart() {} })
  return bridgeConfig(parseConfig(document), { listen: '127.0.0.1:0', env: {}, watch: silent, own })
}

async function toolsOf(url: string): Promise<string> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-06-18',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  })
  return response.text()
}

it('of two servers with the same name for `remote`, only the first is started and reached', async () => {
  const { remoteServers, problems, served, close } = await bridge(
    JSON.stringify({
      mcpServers: {
        'my files': server('mine'),
        'my-files': server('other'),
        'my/files': { url: 'http://a.example/mcp' },
      },
    }),
  )
  try {
    expect(problems).toEqual([
      'my-files is left out: another server is named my-files',
      'my/files is left out: another server is named my-files',
    ])
    expect(served).toEqual(['my files'])
    expect(Object.keys(remoteServers)).toEqual(['my-files'])
    expect(await toolsOf(remoteServers['my-files']?.url ?? '')).toContain('"mine"')
  } finally {
    await close()
  }
})

it('no name hides the other servers from `remote`', async () => {
  const address = '{"url":"http://a.example/mcp"}'
  const { remoteServers, close } = await bridge(
    `{"mcpServers":{"mcpServers":${address},"__proto__":${address},"good":${address}}}`,
  )
  await close()
  expect(Object.keys(JSON.parse(JSON.stringify(remoteServers)) as object)).toEqual([
    ...['mcp-servers', '__proto__', 'good'],
  ])
})

it.each([
  ['a NUL in its command', { command: 'a\u0000b' }],
  ['a folder that is a file', { command: 'node', cwd: import.meta.filename }],
  ['an argument that is too long', { command: 'node', args: ['a'.repeat(4_000_000)] }],
])('a server with %s costs only itself', async (_, odd) => {
  const { problems, served, close } = await bridge(
    JSON.stringify({ mcpServers: { odd, good: server('mine') } }),
  )
  await close()
  expect(served).toEqual(['good'])
  expect(problems).toEqual([expect.stringMatching(/^odd is left out: .* could not be started/)])
})

it('leaves out the gateway itself, which would otherwise ask itself for its tools', async () => {
  const own = 'http://127.0.0.1:3000'
  const { remoteServers, problems, served, close } = await bridge(
    JSON.stringify({
      mcpServers: {
        weather: { type: 'http', url: `${own}/mcp` },
        forwarded: { command: process.execPath, args: ['-y', 'mcp-remote', `${own}/mcp`] },
        neighbour: { type: 'http', url: 'http://127.0.0.1:4000/mcp' },
      },
    }),
    [own],
  )
  await close()
  expect(Object.keys(remoteServers)).toEqual(['neighbour'])
  expect(served).toEqual([])
  expect(problems).toEqual([
    'weather is left out: it is this application itself',
    'forwarded is left out: it is this application itself',
  ])
})
