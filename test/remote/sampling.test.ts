// Servers behind `remote` that ask for the client's model, and for nothing else.
import {
  Client as Client2,
  type ClientOptions,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { createMcpHandler, inputRequired, McpServer } from '@modelcontextprotocol/server'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { connectV1, connectV2 } from '../contract/clients/sdk-clients.ts'
import { CANNOT_RUN, type RemoteApplication, startRemote } from './application.ts'
import { serveFetch, type WebServer } from './servers.ts'
import { type SmallServer, startSmall } from './small-server.ts'

const QUESTION = {
  messages: [
    { role: 'user' as const, content: { type: 'text' as const, text: 'Say it in short.' } },
  ],
  systemPrompt: 'You are brief.',
  maxTokens: 50,
  temperature: 0.5,
  stopSequences: ['.'],
  modelPreferences: { hints: [{ name: 'small' }], speedPriority: 1 },
}

/** On the official SDK: a tool that answers with what the model said. */
function asking(): McpServer {
  const server = new McpServer({ name: 'asking', version: '1' }, {})
  server.registerTool('shorten', { description: 'Asks the model' }, ({ mcpReq }) => {
    const { said } = (mcpReq.inputResponses ?? {}) as { said?: { content: { text: string } } }
    if (said) return { content: [{ type: 'text', text: `The model said: ${said.content.text}` }] }
    return inputRequired({ inputRequests: { said: inputRequired.createMessage(QUESTION) } })
  })
  return server
}

describe.skipIf(CANNOT_RUN)('a server that asks for the model', () => {
  let server: WebServer
  let older: SmallServer
  let application: RemoteApplication
  let questions: unknown[] = []

  beforeAll(async () => {
    const handler = createMcpHandler(asking)
    server = await serveFetch((request) => handler.fetch(request))
    older = await startSmall({
      capabilities: { tools: {} },
      results: {
        'tools/list': { tools: [{ name: 'older', inputSchema: { type: 'object' } }] },
        'tools/call': { content: [{ type: 'text', text: 'without the model' }] },
      },
      before: [{ id: 7, method: 'sampling/createMessage', params: QUESTION }],
    })
    application = await startRemote({ asking: { url: server.url }, older: { url: older.url } })
    expect(await application.names()).toEqual(['shorten', 'older'])
  })
  afterAll(async () => {
    await application?.close()
    await server?.close()
    await older?.close()
  })
  beforeEach(() => (questions = []))

  async function connect({ capabilities }: ClientOptions): Promise<Client2> {
    const client = new Client2(
      { name: 'test', version: '1' },
      { capabilities, versionNegotiation: { mode: { pin: '2026-07-28' } } },
    )
    if (capabilities?.sampling) {
      client.setRequestHandler('sampling/createMessage', ({ params }) => {
        questions.push(params)
        const content = { type: 'text' as const, text: 'short' }
        return { role: 'assistant', model: 'a-model', stopReason: 'endTurn', content }
      })
    }
    await client.connect(new StreamableHTTPClientTransport(new URL(`${application.url}/mcp`)))
    return client
  }

  it('gets the answer of a client that has one, which got the whole question', async () => {
    const client = await connect({ capabilities: { sampling: {} } })
    const result = await client.callTool({ name: 'shorten' })
    await client.close()
    expect(result).toMatchObject({
      content: [{ type: 'text', text: 'The model said: short' }],
    })
    expect(questions).toMatchObject([QUESTION])
  })

  it('costs a client without one an error that names the capability', async () => {
    const client = await connect({ capabilities: { elicitation: { form: {} } } })
    const result = await client.callTool({ name: 'shorten' })
    await client.close()
    expect(result).toMatchObject({ isError: true, _meta: { code: -32021 } })
    expect(JSON.stringify(result.content)).toMatch(/sampling.*do not try again/)
  })

  it.each([
    ['version 1 of the SDK', connectV1],
    ['version 2 of the SDK', connectV2()],
  ])('is an error for the client of %s, whose revision cannot carry it', async (_, open) => {
    const { client, call } = await open(`${application.url}/mcp`)
    const result = await call('shorten')
    await client.close()
    expect(result).toMatchObject({ isError: true })
    expect(JSON.stringify(result.content)).toContain('2026-07-28')
  })

  it('of an older revision is told that there is none, and its call goes on', async () => {
    const client = await connect({ capabilities: { sampling: {} } })
    const result = await client.callTool({ name: 'older' })
    await client.close()
    expect(result).toMatchObject({ content: [{ type: 'text', text: 'without the model' }] })
    expect(questions).toEqual([])
    const begun = older.sent.find(({ method }) => method === 'initialize')
    expect(begun?.params['capabilities']).toEqual({})
    await expect.poll(() => older.refused).toMatchObject([{ id: 7, error: { code: -32601 } }])
  })
})
