// Large answers of servers behind `remote`, which runs natively: all its requests in a thread share one heap.
import { describe, expect } from 'vitest'
import { CANNOT_RUN } from '../remote/application.ts'
import { startFaulty } from '../remote/faulty-server.ts'
import { attack } from './support/attack.ts'
import { besideHostile } from './support/beside-hostile.ts'

/**
 * Half of the default. Three answers, which is what may be there at once, fit; without turns, those that come as events do not:
 * a worker is lost within three seconds. Answers in one piece are parsed one after the other, with turns and without.
 */
const HEAP_BYTES = 256 * 1024 * 1024

const startBeside = besideHostile({ maxWorkerHeap: HEAP_BYTES })

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
