import { describe, expect, it } from 'vitest'
import { memoryPlatform, type MemoryPlatformOptions } from 'ftl-platform/memory'
import type { ToolContext } from 'ftl-sdk'
import { createContext } from 'ftl-sdk/serve'
import { connect, loadServers } from './index.ts'

function testCall(options: MemoryPlatformOptions = {}): ToolContext {
  const request = new Request('http://images.spin.internal/')
  return createContext(request, memoryPlatform(options), 'images').context
}

function callWith(servers: unknown[], variables: Record<string, string> = {}): ToolContext {
  const files = { '/config/servers.json': JSON.stringify({ servers }) }
  return testCall({ files, variables })
}

describe('the servers of a configuration', () => {
  it('are those of the file, with the secret of a variable', async () => {
    const call = callWith(
      [
        { name: 'a', url: 'http://a:8188/prefix/' },
        { name: 'b', url: 'https://b', auth: { variable: 'key' }, maxQueue: 3 },
        { name: 'c', url: 'https://c', auth: { header: 'X-API-Key', variable: 'key' } },
        { name: 'd', url: 'https://d', enabled: false },
      ],
      { key: 's3cret', comfyui_url: 'http://unused' },
    )
    const { list, urls, problems } = await loadServers(call.platform)
    expect(urls).toEqual(['http://a:8188/prefix', 'https://b', 'https://c'])
    expect(list.map(({ headers }) => headers)).toEqual([
      {},
      { Authorization: 'Bearer s3cret' },
      { 'X-API-Key': 's3cret' },
    ])
    expect(list.map(({ maxQueue }) => maxQueue)).toEqual([32, 3, 32])
    expect(problems).toEqual([])
  })

  it('are without one whose secret is not there, or that is written wrongly', async () => {
    const call = callWith([
      { name: 'a', url: 'http://a' },
      { name: 'b', url: 'https://b', auth: { variable: 'no_such' } },
      { name: 'c', url: 'not an address' },
    ])
    const { urls, problems } = await loadServers(call.platform)
    expect(urls).toEqual(['http://a'])
    expect(problems.map(({ path }) => path.join('.')).sort()).toEqual([
      'servers.1.auth.variable',
      'servers.2.url',
    ])
  })

  it('are that of the variable where the file names none', async () => {
    const call = callWith([], { comfyui_url: 'http://one, http://two' })
    expect((await loadServers(call.platform)).urls).toEqual(['http://one', 'http://two'])
    expect((await loadServers(testCall().platform)).urls).toEqual(['http://127.0.0.1:8188'])
  })

  it.each([
    ['Bearer abc', { Authorization: 'Bearer abc' }],
    [' Basic bWU6cw== ', { Authorization: 'Basic bWU6cw==' }],
    ['X-API-Key: abc', { 'X-API-Key': 'abc' }],
    ['Authorization: Bearer abc', { Authorization: 'Bearer abc' }],
    ['', {}],
  ])('have the path of their proxy, and the credentials %j', async (comfyui_auth, headers) => {
    const variables = {
      comfyui_url: 'http://one/, http://two',
      comfyui_path: '/a/b/',
      comfyui_auth,
    }
    const { list } = await loadServers(callWith([], variables).platform)
    expect(list.map(({ url }) => url)).toEqual(['http://one/a/b', 'http://two/a/b'])
    expect(list.map((server) => server.headers)).toEqual([headers, headers])
  })

  it.each([
    ['http://gpu:8188', []],
    ['https://gpu/, http://b:1', []],
    ['gpu:8188', [/^must begin with http:/]],
    ['http://me:secret@gpu', [/set comfyui_auth/]],
    ['http://a, http://gpu/comfyui', [/set comfyui_path/]],
  ])('of the address %s have problems that say what to set', async (comfyui_url, expected) => {
    const { problems } = await loadServers(callWith([], { comfyui_url }).platform)
    expect(problems).toEqual(
      expected.map((message) => ({
        file: 'comfyui_url',
        path: [],
        message: expect.stringMatching(message) as string,
      })),
    )
    expect(JSON.stringify(problems)).not.toContain('secret')
  })

  it('get their own key only, and a server that is gone gets none', async () => {
    const seen: Record<string, string | null> = {}
    const call = testCall({
      files: {
        '/config/servers.json': JSON.stringify([
          { name: 'a', url: 'http://a', auth: { variable: 'key' } },
        ]),
      },
      variables: { key: 's3cret' },
      fetch: async (input, init) => {
        seen[new URL(input as string).host] = new Headers(init?.headers).get('authorization')
        return Response.json({ exec_info: { queue_remaining: 0 } })
      },
    })
    const servers = await loadServers(call.platform)
    for (const url of ['http://a', 'http://gone'])
      await connect(url, servers, call).queueRemaining()
    expect(seen).toEqual({ a: 'Bearer s3cret', gone: null })
  })
})
