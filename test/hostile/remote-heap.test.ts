// Large answers of servers behind `remote`, which runs natively: all its requests in a thread share one heap.
import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect } from 'vitest'
import { CANNOT_RUN, type RemoteApplication, startRemote } from '../remote/application.ts'
import { json, result, startFaulty } from '../remote/faulty-server.ts'
import type { WebServer } from '../remote/servers.ts'
import { attack } from './support/attack.ts'

const servers: WebServer[] = []
let application: RemoteApplication | undefined
afterEach(async () => {
  await application?.close()
  application = undefined
  for (const server of servers.splice(0)) await server.close()
})

/** Text of 10 KB in each of 20 tools: a list as large servers have it. */
const GOOD = Array.from({ length: 20 }, (_, index) => ({
  name: `good${index}`,
  description: 'x'.repeat(10_000),
  inputSchema: { type: 'object' },
}))

async function startBeside(hostile: WebServer): Promise<RemoteApplication> {
  const answer = (response: ServerResponse, id: unknown) =>
    json(response, result(id, { content: [{ type: 'text', text: 'good' }] }))
  const good = await startFaulty('call', answer, () => ({ tools: GOOD }))
  servers.push(good, hostile)
  const configured = [
    { name: 'good', url: good.url },
    { name: 'hostile', url: hostile.url, prefix: 'h_' },
  ]
  // A busy machine needs longer for megabytes.
  application = await startRemote(configured, { discovery_timeout_ms: '20000' })
  return application
}

/** Bytes of an answer that `remote` still reads. */
const ANSWER_BYTES = 8 * 1024 * 1024 - 65_536
const CALLS = 60

describe.skipIf(CANNOT_RUN)('large answers of a server behind remote', () => {
  const FORMS: [string, string, (message: string) => string][] = [
    ['JSON', 'application/json', (message) => message],
    ['events', 'text/event-stream', (message) => `data: ${message}\n\n`],
  ]
  for (const [form, type, written] of FORMS) {
    attack(
      `fill the heap that requests share, with ${CALLS} answers of 8 MiB at once, as ${form}`,
      async () => {
        const numbers = `[${`"€",${'1,'.repeat(8_000)}`.repeat(ANSWER_BYTES / 16_006)}1]`
        const ends: (() => void)[] = []
        const hostile = await startFaulty('call', (response, id) => {
          const text = written(
            `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[],"structuredContent":{"a":${numbers}}}}`,
          )
          response.writeHead(200, { 'content-type': type }).write(text.slice(0, -2))
          // All of them end at once.
          ends.push(() => response.end(text.slice(-2)))
          if (ends.length === CALLS) for (const end of ends) end()
        })
        const running = await startBeside(hostile)
        await running.names()
        const calls = Array.from({ length: CALLS }, () => running.call('h_say'))
        // A slow machine answers some too late, which is an error and no lost thread.
        for (const { result, error } of await Promise.all(calls))
          expect(result ?? error).toBeDefined()
        expect(running.log()).not.toMatch(/out of memory|memory limit/)
        expect(JSON.stringify(await running.call('good0'))).toContain('good')
        return 'all are answered, in turns'
      },
      240_000,
    )
  }
})
