// Official clients without tasks, in each mode of the list: they list, search, describe, call, and run a program.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { AS_ADA, type ClientsWorld, ONE_APPROVAL, startClientsWorld } from './world.ts'

const ME = { name: 'test', version: '1.0.0' }
const OPTIONS = { requestInit: { headers: AS_ADA } }

let world: ClientsWorld
beforeAll(async () => (world = await startClientsWorld()))
beforeEach(() => {
  world.effects.done.length = 0
})
afterAll(() => world?.close())

interface Result {
  content: { type: string; text?: string }[]
  isError?: boolean
  _meta?: Record<string, { token: string }>
}

type Arguments = Record<string, unknown>

interface CallOptions {
  onMessage?: (message?: string) => void
  meta?: Record<string, unknown>
}

interface Connected {
  list: () => Promise<string[]>
  call: (name: string, args: Arguments, more?: CallOptions) => Promise<Result>
  close: () => Promise<void>
}

type Connect = (url: URL) => Promise<Connected>

const v1: Connect = async (url) => {
  const client = new ClientV1(ME)
  await client.connect(new TransportV1(url, OPTIONS))
  return {
    list: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args, { onMessage, meta = {} } = {}) =>
      (await client.callTool(
        { name, arguments: args, _meta: meta },
        undefined,
        onMessage && { onprogress: ({ message }) => onMessage(message) },
      )) as Result,
    close: () => client.close(),
  }
}

const v2 =
  (pin?: string, answer?: 'accept' | 'decline'): Connect =>
  async (url) => {
    const client = new Client(ME, {
      ...(pin !== undefined && { versionNegotiation: { mode: { pin } } }),
      ...(answer && { capabilities: { elicitation: {} } }),
    })
    if (answer) {
      client.setRequestHandler('elicitation/create', () =>
        answer === 'accept' ? { action: answer, content: {} } : { action: answer },
      )
    }
    await client.connect(new StreamableHTTPClientTransport(url, OPTIONS))
    return {
      list: async () => (await client.listTools()).tools.map(({ name }) => name),
      call: async (name, args, { onMessage, meta = {} } = {}) =>
        (await client.callTool(
          { name, arguments: args, _meta: meta },
          onMessage && { onprogress: ({ message }) => onMessage(message) },
        )) as Result,
      close: () => client.close(),
    }
  }

const MODERN = '2026-07-28'

async function withClient<T>(
  connect: Connect,
  query: string,
  work: (client: Connected) => Promise<T>,
): Promise<T> {
  const client = await connect(new URL(`${world.url}/mcp${query}`))
  try {
    return await work(client)
  } finally {
    await client.close()
  }
}

const textOf = ({ content }: Result) => content[0]?.text

describe.each([
  ['SDK v1', v1],
  ['SDK v2 as it comes', v2()],
  ['SDK v2 of 2026-07-28', v2(MODERN)],
] as [string, Connect][])('%s', (_, connect) => {
  it.each([
    ['?tools=search', ['search_tools', 'describe_tools', 'use_tool']],
    ['?tools=code', ['search_tools', 'describe_tools', 'run_code']],
  ])('with %s gets a list of three tools', async (query, names) => {
    await withClient(connect, query, async ({ list }) => {
      expect(await list()).toEqual(names)
    })
  })

  it('with ?tools=all gets every tool, run_code too', async () => {
    await withClient(connect, '?tools=all', async ({ list }) => {
      const names = await list()
      expect(names).toEqual(expect.arrayContaining(['run_code', 'echo', 'append', 'read']))
      expect(names).not.toContain('search_tools')
    })
  })

  // What is not in the list can be called all the same.
  it.each(['?tools=search', '?tools=code', '?tools=all'])(
    'with %s searches, describes and calls',
    async (query) => {
      await withClient(connect, query, async ({ list, call }) => {
        await list()
        const found = await call('search_tools', { query: 'append to a path' })
        expect(textOf(found)).toContain('append')
        const described = await call('describe_tools', { names: ['append'] })
        expect(textOf(described)).toContain('path: string')
        const called = await call('use_tool', { name: 'append', arguments: { path: 'x' } })
        expect(textOf(called)).toBe('did append x')
        const code = `return await tools.effects.append({ path: 'y' })`
        expect(textOf(await call('run_code', { code }))).toBe('did append y')
        expect(world.effects.done).toEqual(['append x', 'append y'])
      })
    },
  )

  it('gets a message for each call of a program, if it shows progress', async () => {
    await withClient(connect, '?tools=code', async ({ call }) => {
      const messages: (string | undefined)[] = []
      const code = `await tools.effects.append({ path: 'a' }); return await tools.effects.read({ path: 'b' })`
      const result = await call(
        'run_code',
        { code },
        { onMessage: (message) => messages.push(message) },
      )
      expect(textOf(result)).toBe('did read b')
      expect(messages).toEqual(['Call 1: effects.append', 'Call 2: effects.read'])
    })
  })

  it('without questions gets a token for an approval, and repeats the call with it', async () => {
    await withClient(connect, '?tools=code', async ({ call }) => {
      const first = await call('run_code', { code: ONE_APPROVAL })
      expect(first.isError).toBe(true)
      expect(world.effects.done).toEqual(['append a'])
      const meta = { 'ftl/approval': first._meta?.['ftl/approval']?.token }
      const second = await call('run_code', { code: ONE_APPROVAL }, { meta })
      expect(textOf(second)).toBe('did append a, did delete b')
      expect(world.effects.done).toEqual(['append a', 'delete b'])
    })
  })
})

it.each([
  ['accept', 'did append a, did delete b', ['append a', 'delete b']],
  ['decline', 'did append a, not_approved', ['append a']],
] as const)('SDK v2 asks its user for an approval: %s', async (answer, text, done) => {
  await withClient(v2(MODERN, answer), '?tools=code', async ({ call }) => {
    expect(textOf(await call('run_code', { code: ONE_APPROVAL }))).toBe(text)
    expect(world.effects.done).toEqual(done)
  })
})

it('a wrong mode is refused with the values that there are', async () => {
  const response = await fetch(`${world.url}/mcp?tools=codes`, {
    method: 'POST',
    headers: { ...AS_ADA, 'content-type': 'application/json' },
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
  })
  expect(response.status).toBe(400)
  expect(await response.text()).toMatch(/tools.*all.*search.*code/)
})
