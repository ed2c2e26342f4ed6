// A server that is replaced by another version of itself, while its address stays.
import { memoryPlatform } from 'ftl-platform/memory'
import { toComponent } from 'ftl-sdk/serve'
import { describe, expect, it } from 'vitest'
import { tools } from './main.ts'

const SERVER = 'http://127.0.0.1:1/mcp'

interface Version {
  capabilities: object
  instructions: string
}

function start(revision: 'old' | 'modern', session?: string) {
  let now = 0
  /** `undefined`: it does not answer its discovery. */
  let version: Version | undefined = {
    capabilities: { tools: {} },
    instructions: 'The first version.',
  }
  const methods: string[] = []
  const platform = memoryPlatform({
    now: () => now,
    variables: {
      remote_servers: JSON.stringify({ one: { url: SERVER, instructions: true } }),
    },
    async fetch(input, init) {
      const { id, method } = JSON.parse(await new Request(input, init).text()) as {
        id?: number
        method: string
      }
      methods.push(method)
      if (id === undefined) return new Response(null, { status: 202 })
      const results: Record<string, object | undefined> = {
        'server/discover':
          revision === 'modern' && version
            ? { supportedVersions: ['2026-07-28'], ...version }
            : undefined,
        initialize: { protocolVersion: '2025-11-25', capabilities: {}, ...version },
        'tools/list': { tools: [{ name: 'say', inputSchema: { type: 'object' } }] },
        'prompts/list': { prompts: [{ name: 'greet' }] },
      }
      const result = results[method]
      const answer = result ? { result } : { error: { code: -32601, message: 'no such method' } }
      const more = session === undefined ? {} : { headers: { 'mcp-session-id': session } }
      return Response.json({ jsonrpc: '2.0', id, ...answer }, more)
    },
  })
  const component = toComponent({ tools }, 'remote')
  async function offer() {
    const headers = { 'spin-client-addr': '0.0.0.0:0' }
    const request = new Request('http://remote.spin.internal/', { headers })
    const response = await component.fetch(request, platform)
    await platform.settled()
    return (await response.json()) as { prompts?: { name: string }[]; instructions?: string }
  }
  return {
    offer,
    methods,
    replace: (next: Version | undefined) => (version = next),
    pass: (ms: number) => (now += ms),
  }
}

const MINUTE = 60_000
const SECOND: Version = {
  capabilities: { tools: {}, prompts: {} },
  instructions: 'The second version.',
}

describe.each(['old', 'modern'] as const)('a server without sessions (%s)', (revision) => {
  it('is asked from time to time what it has, and what it says of itself', async () => {
    const { offer, replace, pass } = start(revision)
    expect(await offer()).not.toHaveProperty('prompts')
    replace(SECOND)
    pass(20 * MINUTE)
    const { prompts, instructions } = await offer()
    expect(prompts).toEqual([{ name: 'greet' }])
    expect(instructions).toContain('> The second version.')
  })

  it('is not asked with each list', async () => {
    const { offer, pass, methods } = start(revision)
    for (let minutes = 0; minutes < 9; minutes++) {
      await offer()
      pass(1.5 * MINUTE)
    }
    const asked = methods.filter((method) => /^(?:server\/discover|initialize)$/.test(method))
    expect(asked.length).toBeLessThanOrEqual(revision === 'old' ? 4 : 2)
    expect(methods.filter((method) => method === 'tools/list')).toHaveLength(9)
  })
})

it('a server that fails one discovery keeps its revision', async () => {
  const { offer, pass, methods, replace } = start('modern')
  await offer()
  replace(undefined)
  pass(20 * MINUTE)
  await offer()
  expect(methods).toContain('initialize')
  replace(SECOND)
  pass(20 * MINUTE)
  methods.length = 0
  expect((await offer()).prompts).toEqual([{ name: 'greet' }])
  expect(methods).not.toContain('initialize')
})

it('a session is not given up for it, because it may have a state', async () => {
  const { offer, pass, methods } = start('old', 'a-session')
  await offer()
  pass(20 * MINUTE)
  await offer()
  expect(methods.filter((method) => method === 'initialize')).toHaveLength(1)
})
