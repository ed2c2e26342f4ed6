import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { afterEach, describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import { BrowserClient } from './browser.ts'

afterEach(() => vi.unstubAllGlobals())

interface Sent {
  headers: Headers
  body: { method?: string; params?: { _meta?: Record<string, unknown> } }
}

/** The official server, reached by a function in place of a network. */
function server() {
  const handler = createMcpHandler(() => {
    const made = new McpServer(
      { name: 'sums', version: '2.0.0' },
      { instructions: 'Add numbers.', capabilities: { logging: {} } },
    )
    made.registerTool(
      'add',
      { inputSchema: z.object({ a: z.number(), b: z.number() }) },
      ({ a, b }) => ({ content: [{ type: 'text', text: `The sum is ${a + b}` }] }),
    )
    made.registerTool('never', {}, () => new Promise(() => {}))
    return made
  })
  const sent: Sent[] = []
  const send: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    const body = await request.clone().text()
    sent.push({ headers: request.headers, body: body === '' ? {} : (JSON.parse(body) as object) })
    return handler.fetch(request)
  }
  return { send, sent }
}

const INFO = { name: 'test', version: '1.0.0' }
const ADDRESS = { url: 'http://sums.example/mcp', headers: { 'x-key': 'word' } }

async function connected() {
  const { send, sent } = server()
  // The page decides how requests are sent: with a sign-in, and with nothing of the browser.
  vi.stubGlobal('fetch', () => Promise.reject(new Error('not by this')))
  const client = await BrowserClient.connect(ADDRESS, { info: INFO, fetch: send })
  return { client, sent }
}

describe('a client for pages', () => {
  it('knows what was negotiated, and what the server says of itself', async () => {
    const { client, sent } = await connected()
    expect(client).toMatchObject({
      revision: '2026-07-28',
      isModern: true,
      hasSession: false,
      server: { name: 'sums', version: '2.0.0' },
      instructions: 'Add numbers.',
    })
    expect(client.capabilities).toHaveProperty('tools')
    expect(sent.every(({ headers }) => headers.get('x-key') === 'word')).toBe(true)
    await client.close()
  })

  it('calls tools and sends other requests by the given function only', async () => {
    const { client, sent } = await connected()
    const { content } = await client.callTool('add', { a: 2, b: 3 }, { meta: { trace: 'on' } })
    expect(content).toEqual([{ type: 'text', text: 'The sum is 5' }])
    expect(sent.at(-1)?.body).toMatchObject({
      method: 'tools/call',
      params: { _meta: { trace: 'on' } },
    })
    const { tools } = await client.request('tools/list')
    expect(tools).toMatchObject([{ name: 'add' }, { name: 'never' }])
    expect(await client.roundTrip()).toBeGreaterThanOrEqual(0)
    await client.close()
  })

  it('asks for log messages with each request, until the level is empty', async () => {
    const { client, sent } = await connected()
    const levels = async () => {
      await client.request('tools/list')
      return sent.at(-1)?.body.params?._meta?.['io.modelcontextprotocol/logLevel']
    }
    await client.setLogLevel('warning')
    expect(await levels()).toBe('warning')
    await client.setLogLevel('')
    expect(await levels()).toBeUndefined()
    await client.close()
  })
})

describe('an error', () => {
  it('of the server has its code; of the network it says which server', async () => {
    const { client } = await connected()
    const unknown = client.callTool('unknown', {}, {})
    await expect(unknown).rejects.toMatchObject({ kind: 'rpc', code: -32602 })
    await client.close()
    const broken = () => Promise.reject(new TypeError('refused'))
    const connect = BrowserClient.connect(ADDRESS, { info: INFO, fetch: broken })
    await expect(connect).rejects.toMatchObject({
      kind: 'connection',
      message: expect.stringContaining('sums.example') as string,
    })
  })

  it('ends a call that its caller gives up', async () => {
    const { client } = await connected()
    const controller = new AbortController()
    const call = client.callTool('never', {}, { signal: controller.signal })
    controller.abort()
    await expect(call).rejects.toMatchObject({ kind: 'cancelled' })
    await client.close()
  })
})
