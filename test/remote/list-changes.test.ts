// Official clients hear that a server behind `remote` has changed its tools, though no client lists them again.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type ListeningClient, listenV1, listenV2 } from '../e2e/listening-clients.ts'
import { CANNOT_RUN, type RemoteApplication, startRemote } from './application.ts'
import { startFaulty } from './faulty-server.ts'
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
