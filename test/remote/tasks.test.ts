// Tools of 2025-11-25 servers that run as tasks, on the official SDK and on a small server that does what it should not.
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { InMemoryTaskStore } from '@modelcontextprotocol/sdk/experimental/tasks/stores/in-memory.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Client } from 'ftl-client'
import { connectV1, connectV2 } from '../contract/clients/sdk-clients.ts'
import { CANNOT_RUN, type RemoteApplication, startRemote } from './application.ts'
import { type SmallServer, startSmall } from './small-server.ts'
import type { WebServer } from './servers.ts'

/** A server with a session, whose tools take a second. */
async function startOfficial(): Promise<WebServer> {
  const taskStore = new InMemoryTaskStore()
  const server = new McpServer(
    { name: 'tasks', version: '1' },
    {
      capabilities: { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } },
      taskStore,
    },
  )
  for (const taskSupport of ['required', 'optional'] as const) {
    server.experimental.tasks.registerToolTask(
      `is_${taskSupport}`,
      { description: 'Takes a second', execution: { taskSupport } },
      {
        async createTask({ taskStore: store }) {
          const task = await store.createTask({ ttl: 60_000, pollInterval: 100 })
          void sleep(1_000).then(() =>
            store.storeTaskResult(task.taskId, 'completed', {
              content: [{ type: 'text', text: `${taskSupport} is done` }],
            }),
          )
          return { task }
        },
        getTask: (extra) => extra.taskStore.getTask(extra.taskId),
        getTaskResult: async (extra) =>
          (await extra.taskStore.getTaskResult(extra.taskId)) as { content: [] },
      },
    )
  }
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: () => crypto.randomUUID(),
  })
  await server.connect(transport)
  const web = createServer((request, response) => void transport.handleRequest(request, response))
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
  const address = web.address()
  const port = typeof address === 'object' ? address?.port : 0
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    close: async () => {
      await server.close()
      taskStore.cleanup()
      web.closeAllConnections()
      await new Promise((resolve) => web.close(resolve))
    },
  }
}

const working = { status: 'working', ttl: 60_000, pollInterval: 100 }
const tool = (name: string) => ({
  name,
  inputSchema: { type: 'object' },
  execution: { taskSupport: 'required' },
})

/** Its task never ends; what is asked about one of the tools is refused as that of an unknown session. */
const startOdd = (capabilities: object) =>
  startSmall({
    capabilities,
    results: {
      'tools/list': { tools: [tool('endless'), tool('forgotten'), tool('at_once')] },
      'tools/call': ({ name, task }) =>
        name === 'at_once' || !task
          ? { content: [{ type: 'text', text: 'at once' }] }
          : { task: { taskId: name, ...working } },
      'tasks/get': ({ taskId }) => ({ taskId, ...working, statusMessage: 'busy' }),
      'tasks/cancel': ({ taskId }) => ({ taskId, ...working, status: 'cancelled' }),
    },
    refuses: ({ method, params }) =>
      method === 'tasks/get' && params['taskId'] === 'forgotten' ? 404 : undefined,
  })

describe.skipIf(CANNOT_RUN)('tools that are tasks', () => {
  const servers: WebServer[] = []
  let odd: SmallServer
  let application: RemoteApplication

  beforeAll(async () => {
    const official = await startOfficial()
    odd = await startOdd({ tools: {}, tasks: { requests: { tools: { call: {} } } } })
    const plain = await startOdd({ tools: {} })
    servers.push(official, odd, plain)
    application = await startRemote({
      official: { url: official.url },
      odd: { url: odd.url, timeoutMs: 1_500 },
      plain: { url: plain.url, prefix: 'plain_' },
    })
    await application.names()
  })
  afterAll(async () => {
    await application?.close()
    for (const server of servers) await server.close()
  })

  it.each([
    ['version 1 of the SDK', connectV1],
    ['version 2 of the SDK', connectV2()],
    ['version 2 of the SDK in 2026-07-28', connectV2('auto')],
  ])('are called by the client of %s like others', async (_, connect) => {
    const { client, call } = await connect(`${application.url}/mcp`)
    const { tools } = await client.listTools()
    const capabilities = client.getServerCapabilities()
    const results = [await call('is_required'), await call('is_optional')]
    await client.close()
    for (const support of ['required', 'optional']) {
      const listed = tools.find(({ name }) => name === `is_${support}`)
      expect(listed).toBeDefined()
      // A client of 2025-11-25 would ask the gateway for a task.
      expect(listed).not.toHaveProperty('execution')
    }
    expect(capabilities).not.toHaveProperty('tasks')
    expect(results).toMatchObject([
      { content: [{ type: 'text', text: 'required is done' }] },
      { content: [{ type: 'text', text: 'optional is done' }] },
    ])
  })

  it('are called without a task where the server does not offer tasks', async () => {
    expect(await application.call('plain_endless')).toMatchObject({
      result: { content: [{ type: 'text', text: 'at once' }] },
    })
  })

  it('may answer at once', async () => {
    expect(await application.call('at_once')).toMatchObject({
      result: { content: [{ type: 'text', text: 'at once' }] },
    })
  })

  it('are cancelled at the end of the time, and say meanwhile what they do', async () => {
    const client = await Client.connect({ url: `${application.url}/mcp` })
    await client.initialize()
    const told: unknown[] = []
    const result = await client.callTool('endless', {}, { onProgress: (each) => told.push(each) })
    await client.close()
    expect(result).toMatchObject({ isError: true })
    expect(JSON.stringify(result)).toMatch(/"odd\\" gave no result within \d+ ms/)
    expect(told).toContainEqual(expect.objectContaining({ message: 'busy' }))
    const cancelled = () =>
      odd.sent
        .filter((each) => each.method === 'tasks/cancel')
        .map(({ params }) => params['taskId'])
    await expect.poll(cancelled).toContain('endless')
  })

  it('are not started twice when the server forgets its session meanwhile', async () => {
    const answer = await application.call('forgotten')
    expect(answer).toMatchObject({ result: { isError: true } })
    const started = odd.sent.filter(
      ({ method, params }) => method === 'tools/call' && params['name'] === 'forgotten',
    )
    expect(started).toHaveLength(1)
  })

  it('cannot be followed by clients, which get an error that names the method', async () => {
    for (const method of ['tasks/get', 'tasks/result', 'tasks/list', 'tasks/cancel']) {
      const response = await fetch(`${application.url}/mcp`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'mcp-protocol-version': '2025-11-25' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { taskId: 'endless' } }),
      })
      expect(await response.json()).toMatchObject({ error: { code: -32601, data: { method } } })
    }
  })
})
