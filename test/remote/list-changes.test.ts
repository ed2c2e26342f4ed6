// Official clients hear that a server behind `remote` has changed its tools, though no client lists them again.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type ListeningClient, listenV1, listenV2 } from '../e2e/listening-clients.ts'
import { CANNOT_RUN, type RemoteApplication, startRemote } from './application.ts'
import { startFaulty } from './faulty-server.ts'
import { rpc } from '../support/rpc.ts'
import { type SmallServer, startSmall } from './small-server.ts'
import type { WebServer } from './servers.ts'

describe.skipIf(CANNOT_RUN)('with list_changes=on', () => {
  let names = ['before']
  let server: WebServer
  let application: RemoteApplication

  beforeAll(async () => {
    const list = () => ({ tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })) })
    server = await startFaulty('call', () => {}, list)
    application = await startRemote(
      { changing: { url: server.url, ttlMs: 1000 } },
      { list_changes: 'on', catalog_ttl_ms: '1000', tools_mode: 'off' },
    )
    expect(await application.names()).toEqual(['before'])
  })
  afterAll(async () => {
    await application?.close()
    await server?.close()
  })

  it.each([
    ['version 1 of the SDK', listenV1],
    ['version 2 of the SDK', listenV2],
  ] as const)(
    'a client of %s lists the new tool',
    async (_, listen) => {
      const client: ListeningClient = await listen(`${application.url}/mcp`)
      try {
        const heard = () => {
          // Version 1 of the SDK opens its stream after it has connected, and a change before that cannot be heard.
          names = [...names, `tool_${names.length}`]
          expect(client.names).toContain('before')
          expect(client.names.at(-1)).toMatch(/^tool_/)
        }
        await vi.waitFor(heard, { timeout: 60_000, interval: 2_500 })
      } finally {
        await client.close()
      }
    },
    90_000,
  )
})

const KINDS = [
  {
    kind: 'tools',
    field: 'tools',
    entry: (name: string) => ({ name, inputSchema: { type: 'object' } }),
  },
  { kind: 'prompts', field: 'prompts', entry: (name: string) => ({ name }) },
  {
    kind: 'resources',
    field: 'resources',
    entry: (name: string) => ({ uri: `note://${name}`, name }),
  },
] as const

describe.skipIf(CANNOT_RUN).each(KINDS)('a server whose $kind change', ({ kind, field, entry }) => {
  let names = ['first']
  let server: SmallServer
  let application: RemoteApplication

  beforeAll(async () => {
    const tool = { name: 'change', inputSchema: { type: 'object' } }
    const entries = () => names.map(entry)
    server = await startSmall({
      capabilities: { tools: {}, prompts: {}, resources: {}, [kind]: { listChanged: true } },
      results: {
        'tools/list': () => ({ tools: [tool, ...(kind === 'tools' ? entries() : [])] }),
        'prompts/list': () => ({ prompts: kind === 'prompts' ? entries() : [] }),
        'resources/list': () => ({ resources: kind === 'resources' ? entries() : [] }),
        'resources/templates/list': { resourceTemplates: [] },
        'tools/call': () => {
          names = ['second']
          return { content: [{ type: 'text', text: 'changed' }] }
        },
      },
      before: [{ method: `notifications/${kind}/list_changed` }],
    })
    application = await startRemote({ changing: { url: server.url, ttlMs: 3_600_000 } })
    await application.names()
  })
  afterAll(async () => {
    await application?.close()
    await server?.close()
  })

  const listed = async () => {
    const { result } = await rpc(application.url, `${kind}/list`)
    return JSON.stringify(result?.[field])
  }

  it('is asked for its lists again if it says so within an answer', async () => {
    expect(await listed()).toContain('first')
    await application.call('change')
    await expect.poll(listed).toContain('second')
    expect(await listed()).not.toContain('first')
  })

  it('promises clients no news, unless the gateway does', async () => {
    const { result } = await rpc(application.url, 'initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    })
    expect(result?.['capabilities']).toHaveProperty(kind)
    expect(JSON.stringify(result?.['capabilities'])).not.toContain('listChanged')
  })
})
