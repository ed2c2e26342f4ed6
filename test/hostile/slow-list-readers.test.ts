// Clients that ask for a list of megabytes and read nothing of it. They follow nothing, so they take the places of calls.
import { describe, expect, onTestFinished } from 'vitest'
import { CANNOT_RUN, startRemote } from '../remote/application.ts'
import { json, startFaulty } from '../remote/faulty-server.ts'
import { attack } from './support/attack.ts'
import { RawClient } from './support/raw-client.ts'

/** Fewer than the readers, so that some are refused. */
const MAX_INSTANCES = 8
const READERS = 100
const TOOLS = 2_000
/** Of each tool: 2 MB in all. */
const DESCRIPTION = 'd'.repeat(1_000)

describe.skipIf(CANNOT_RUN)('a list of 2 MB', () => {
  attack(
    `is asked for by ${READERS} clients that read nothing`,
    async () => {
      const server = await startFaulty(
        'call',
        (response, id) => {
          const result = { content: [{ type: 'text', text: 'called' }] }
          json(response, JSON.stringify({ jsonrpc: '2.0', id, result }))
        },
        () => ({
          tools: Array.from({ length: TOOLS }, (_, at) => ({
            name: `t${at}`,
            description: DESCRIPTION,
            inputSchema: { type: 'object' },
          })),
        }),
      )
      const application = await startRemote(
        { large: { url: server.url } },
        { catalog_ttl_ms: '600000', discovery_timeout_ms: '30000' },
        undefined,
        { maxInstances: MAX_INSTANCES },
      )
      const readers: RawClient[] = []
      onTestFinished(async () => {
        for (const reader of readers) reader.destroy()
        await application.close()
        await server.close()
      })
      const call = async () => JSON.stringify((await application.call('t1')).result)
      expect(await call()).toContain('called')
      const port = Number(new URL(application.url).port)
      for (let nth = 0; nth < READERS; nth++) {
        const reader = new RawClient(port).send(
          'GET /tools HTTP/1.1',
          `Host: 127.0.0.1:${port}`,
          '',
          '',
        )
        reader.socket.pause()
        readers.push(reader)
      }
      for (let nth = 0; nth < 10; nth++) {
        await expect.poll(call, { timeout: 20_000 }).toContain('called')
      }
      for (const { socket } of readers) socket.resume()
      const statuses = await Promise.all(readers.map((reader) => reader.status()))
      expect([...new Set(statuses)].toSorted()).toEqual([200, 503])
      expect(application.log()).not.toMatch(/out of memory|memory limit|was lost/)
      return '503 for those beyond the places; calls are answered'
    },
    240_000,
  )
})
