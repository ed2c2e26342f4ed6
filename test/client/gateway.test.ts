// Our own gateway, real components over HTTP, in both eras.
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { json } from 'node:stream/consumers'
import { Client, type ProtocolChoice } from 'ftl-client'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startApplication, type TestApplication } from '../support/application.ts'
import { MANIFESTS } from '../support/manifests.ts'
import { textOf } from './servers.ts'

/** `stays`: there may be more. */
interface Reply {
  type: string
  body: string
  stays?: boolean
}

const PROMPT = { prompt: 'A majestic dragon flying over a medieval castle' }

let application: TestApplication
beforeAll(async () => (application = await startApplication({ manifest: MANIFESTS.application })))
afterAll(() => application.close())

let client: Client | undefined
afterEach(() => client?.close())

async function connect(protocol: ProtocolChoice, url = application.url): Promise<Client> {
  client = await Client.connect({ url: `${url}/mcp`, protocol }, { name: 'gateway' })
  await client.initialize()
  return client
}

const ERAS: [protocol: ProtocolChoice, revision: string][] = [
  ['auto', '2026-07-28'],
  ['2026-07-28', '2026-07-28'],
  ['legacy', '2025-11-25'],
]

describe.each(ERAS)('a client of %s', (protocol, revision) => {
  it('lists and calls', async () => {
    const { callTool, ...rest } = await connected()
    expect(rest).toMatchObject({ revision, server: { name: 'ftl-mcp-gateway' } })
    expect(textOf(await callTool('echo', { message: 'Hello' }))).toBe('Hello')
    expect(rest.tools).toContain('generate_image')
  })

  it('gets a tool’s failure as a result, and an unknown tool as an error', async () => {
    const { callTool } = await connected()
    const failed = await callTool('calculator', { expression: '1/' })
    expect(failed.isError).toBe(true)
    await expect(callTool('no_such_tool', {})).rejects.toMatchObject({ kind: 'rpc', code: -32602 })
  })

  it('gets a picture of one call', async () => {
    await connect(protocol)
    const result = await client!.callTool('generate_image', PROMPT)
    expect(result.isError ?? false).toBe(false)
    const link = result.content.find(({ type }) => type === 'resource_link') as { uri: string }
    const picture = await fetch(link.uri)
    expect(picture.headers.get('content-type')).toBe('image/png')
    await picture.body?.cancel()
  })

  async function connected() {
    const { revision, server } = await connect(protocol)
    const tools = (await client!.listTools()).map(({ name }) => name)
    const callTool = client!.callTool.bind(client!)
    return { revision, server, tools, callTool }
  }
})

describe('a task', () => {
  it('tells how it is getting on', async () => {
    await connect('auto')
    const told: unknown[] = []
    await client!.callTool('generate_image', PROMPT, { onProgress: (each) => told.push(each) })
    expect(told.length).toBeGreaterThan(0)
  })

  it('is cancelled with its call', async () => {
    await connect('auto')
    const stop = new AbortController()
    const onProgress = () => stop.abort()
    const options = { signal: stop.signal, onProgress }
    const call = client!.callTool('generate_image', PROMPT, options)
    await expect(call).rejects.toMatchObject({ kind: 'cancelled' })
  })
})

describe('a gateway that answers every job with stream/start', () => {
  let streaming: TestApplication
  beforeAll(async () => {
    streaming = await startApplication({
      manifest: MANIFESTS.application,
      variables: { stream_start: 'always' },
    })
  })
  afterAll(() => streaming.close())

  it('is followed over its WebSocket by the same call', async () => {
    await connect('legacy', streaming.url)
    const told: unknown[] = []
    const onProgress = (each: unknown) => told.push(each)
    const { content } = await client!.callTool('generate_image', PROMPT, { onProgress })
    expect(content[0]).toMatchObject({ type: 'image' })
    const { source } = content[0] as unknown as { source: string }
    const picture = await fetch(source)
    expect(picture.headers.get('content-type')).toBe('image/png')
    await picture.body?.cancel()
    expect(told.length).toBeGreaterThan(0)
  })
})

describe('a server that misbehaves over HTTP', () => {
  let server: Server
  let url: string
  let misbehave: (call: { id: number }) => Reply
  beforeAll(async () => {
    server = createServer((request, response) => {
      void answer(request).then(({ status, type, body, stays }) => {
        response.writeHead(status, { 'content-type': type }).write(body)
        if (!stays) response.end()
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  async function answer(request: IncomingMessage): Promise<Reply & { status: number }> {
    const type = 'application/json'
    if (request.method !== 'POST') return { status: 405, type, body: '' }
    const { id, method } = (await json(request)) as { id?: number; method: string }
    if (id === undefined) return { status: 202, type, body: '' }
    if (method === 'tools/call') return { status: 200, ...misbehave({ id }) }
    const known = method === 'initialize'
    const result = {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'x', version: '1' },
    }
    const error = { code: -32601, message: 'Method not found' }
    const body = JSON.stringify({ jsonrpc: '2.0', id, ...(known ? { result } : { error }) })
    return { status: known ? 200 : 400, type, body }
  }

  it.each([
    {
      name: 'breaks its stream off',
      type: 'text/event-stream',
      body: () => ': nothing more\n\n',
      error: { kind: 'connection', message: 'server "gateway" broke off its answer' },
    },
    {
      name: 'answers what is no JSON',
      type: 'application/json',
      body: () => '{"jsonrpc"',
      error: { kind: 'violation' },
    },
    {
      name: 'answers what is no message',
      type: 'application/json',
      body: (id: number) => `{"id":${id}}`,
      error: { kind: 'violation' },
    },
    {
      name: 'answers with the id of another request',
      type: 'application/json',
      body: (id: number) => `{"jsonrpc":"2.0","id":${id + 1},"result":{"content":[]}}`,
      error: { kind: 'violation' },
    },
    {
      name: 'answers with an earlier id on a stream that stays open',
      type: 'text/event-stream',
      body: (id: number) => `data: {"jsonrpc":"2.0","id":${id - 1},"result":{"content":[]}}\n\n`,
      stays: true,
      error: { kind: 'violation' },
    },
    {
      name: 'answers with an error without an id',
      type: 'application/json',
      body: () => '{"jsonrpc":"2.0","error":{"code":-32099,"message":"out of paper"}}',
      error: { kind: 'rpc', code: -32099, message: 'out of paper' },
    },
    {
      name: 'answers a page',
      type: 'text/html',
      body: () => '<p>Sign in</p>',
      error: { kind: 'violation' },
    },
  ])('and $name', async ({ type, body, stays, error }) => {
    await connect('auto', url)
    expect(client!.revision).toBe('2025-06-18')
    misbehave = ({ id }) => ({ type, body: body(id), stays })
    // Without waiting for its limit of a minute, which is longer than this test may take.
    await expect(client!.callTool('x')).rejects.toMatchObject(error)
  })
})
