// A server behind `remote` that offers subscriptions to its resources: clients are not told that they can have them, and a client
// that asks all the same does not wait for news that cannot come.
import { Client as Client2, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectV1, connectV2 } from '../contract/clients/sdk-clients.ts'
import { ask, SUBSCRIPTION_KEY } from '../contract/mcp/client.ts'
import { rpc } from '../support/rpc.ts'
import { CANNOT_RUN, type RemoteApplication, startRemote } from './application.ts'
import { type SmallServer, startSmall } from './small-server.ts'

const URI = 'note://today'

describe.skipIf(CANNOT_RUN)('a server that offers subscriptions to its resources', () => {
  let server: SmallServer
  let application: RemoteApplication

  beforeAll(async () => {
    server = await startSmall({
      capabilities: { tools: {}, resources: { subscribe: true, listChanged: true } },
      results: {
        'tools/list': { tools: [{ name: 'write', inputSchema: { type: 'object' } }] },
        'tools/call': { content: [{ type: 'text', text: 'written' }] },
        'resources/list': { resources: [{ uri: URI, name: 'today' }] },
        'resources/templates/list': { resourceTemplates: [] },
        'resources/read': { contents: [{ uri: URI, text: 'the note' }] },
        'resources/subscribe': {},
      },
      before: [{ method: 'notifications/resources/updated', params: { uri: URI } }],
    })
    application = await startRemote({ notes: { url: server.url } })
    expect(await application.names()).toEqual(['write'])
  })
  afterAll(async () => {
    await application?.close()
    await server?.close()
  })

  it.each([
    ['version 1 of the SDK', connectV1],
    ['version 2 of the SDK', connectV2()],
    ['version 2 of the SDK in 2026-07-28', connectV2('auto')],
  ])('does not offer them to the client of %s', async (_, connect) => {
    const { client } = await connect(`${application.url}/mcp`)
    const capabilities = client.getServerCapabilities()
    const { contents } = await client.readResource({ uri: URI })
    await client.close()
    expect(capabilities).toMatchObject({ resources: {} })
    expect(JSON.stringify(capabilities)).not.toContain('subscribe')
    expect(contents).toMatchObject([{ uri: URI, text: 'the note' }])
  })

  it.each(['resources/subscribe', 'resources/unsubscribe'])(
    'gets no %s, and the client an error that names the method',
    async (method) => {
      for (const uri of [URI, `remote://notes/${URI}x`]) {
        const { error, result } = await rpc(application.url, method, { uri })
        expect(result).toBeUndefined()
        expect(error).toMatchObject({ code: -32601, data: { method } })
      }
      const unknown = await rpc(application.url, method, { uri: 'note://nowhere' })
      expect(unknown.error).toMatchObject({ code: -32002 })
      expect(server.sent.map((each) => each.method)).not.toContain(method)
    },
  )

  it('is left out of what subscriptions/listen promises, which ends at once', async () => {
    const params = { notifications: { resourceSubscriptions: [URI] } }
    const { messages } = await ask(application.url, 'subscriptions/listen', params, { id: 3 })
    expect(messages[0]).toMatchObject({
      method: 'notifications/subscriptions/acknowledged',
      params: { _meta: { [SUBSCRIPTION_KEY]: 3 }, notifications: {} },
    })
    expect(messages.at(-1)).toMatchObject({ id: 3, result: { resultType: 'complete' } })
    const client = new Client2(
      { name: 'test', version: '1' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    )
    await client.connect(new StreamableHTTPClientTransport(new URL(`${application.url}/mcp`)))
    const { honoredFilter } = await client.listen({ resourceSubscriptions: [URI] })
    await client.close()
    expect(honoredFilter).toEqual({})
  })

  it('may send one within an answer, which costs the call nothing', async () => {
    expect(await application.call('write')).toMatchObject({
      result: { content: [{ type: 'text', text: 'written' }] },
    })
  })
})
