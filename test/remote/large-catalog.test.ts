// The tools of several large servers at once: none is cut because of another, and clients learn what is left out.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rpc } from '../support/rpc.ts'
import { CANNOT_RUN, type RemoteApplication, startRemote } from './application.ts'
import { json, startFaulty } from './faulty-server.ts'
import type { WebServer } from './servers.ts'

const SIZES = { large: 2_000, larger: 2_500, small: 5 }
const description = 'd'.repeat(1_100)

describe.skipIf(CANNOT_RUN)('4,500 tools of 5 MB', () => {
  let servers: WebServer[]
  let application: RemoteApplication

  beforeAll(async () => {
    const lists = Object.entries(SIZES).map(([name, length]) =>
      Array.from({ length }, (_, at) => ({
        name: `${name}${at}`,
        description,
        inputSchema: { type: 'object', properties: { a: { type: 'string' } } },
      })),
    )
    servers = await Promise.all(
      lists.map((tools) =>
        startFaulty(
          'call',
          (response, id) => {
            const result = { content: [{ type: 'text', text: 'called' }] }
            json(response, JSON.stringify({ jsonrpc: '2.0', id, result }))
          },
          () => ({ tools }),
        ),
      ),
    )
    const configured = Object.keys(SIZES).map((name, at) => [name, { url: servers[at]?.url }])
    application = await startRemote(Object.fromEntries(configured), {
      discovery_timeout_ms: '30000',
      catalog_ttl_ms: '600000',
      list_page_size: '5000',
    })
  }, 60_000)
  afterAll(async () => {
    await application?.close()
    for (const server of servers) await server.close()
  })

  it('are all listed and can be called', async () => {
    const { result } = await rpc(application.url, 'tools/list')
    const tools = result?.['tools'] as { name: string }[]
    expect(tools).toHaveLength(4_505)
    expect(result).not.toHaveProperty('_meta')
    for (const name of ['large1999', 'larger2499', 'small0']) {
      const { result: answer } = await application.call(name)
      expect(answer).toEqual({ content: [{ type: 'text', text: 'called' }] })
    }
  }, 120_000)
})

it.skipIf(CANNOT_RUN)(
  'a list that is not whole says so, in health and to clients',
  async () => {
    const server = await startFaulty(
      'call',
      () => undefined,
      () => ({
        tools: Array.from({ length: 5_003 }, (_, at) => ({
          name: `t${at}`,
          inputSchema: { type: 'object' },
        })),
      }),
    )
    const application = await startRemote([{ name: 'many', url: server.url }])
    try {
      const { result } = await rpc(application.url, 'tools/list')
      expect(result?.['_meta']).toMatchObject({
        'ftl/components': [{ component: 'remote', tools: 5_000, leftOut: 3 }],
      })
      const health = await (await fetch(`${application.url}/health/components`)).text()
      expect(health).toMatch(/"leftOut":3.*has more than 5000 tools/)
    } finally {
      await application.close()
      await server.close()
    }
  },
  120_000,
)
