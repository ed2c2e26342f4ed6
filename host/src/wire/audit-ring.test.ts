import { Worker } from 'node:worker_threads'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type AuditLine, auditMemory, AuditRing } from './audit-ring.ts'

const NEVER = () => expect.unreachable('there is room')

test('any lines come out as they went in, however often the memory is used again', () => {
  const line = fc.record({
    line: fc.string({ unit: 'binary', maxLength: 9000, size: 'max' }),
    request: fc.option(fc.nat(), { nil: undefined }),
  })
  fc.assert(
    fc.property(
      fc.array(fc.array(line, { maxLength: 6 }), { maxLength: 12, size: 'max' }),
      (batches) => {
        const memory = auditMemory()
        const [writer, reader] = [new AuditRing(memory), new AuditRing(memory)]
        for (const batch of batches) {
          const ends = batch.map((each) => writer.put(each, NEVER))
          expect(ends.every((end) => !writer.isTaken(end))).toBe(true)
          const taken: AuditLine[] = []
          reader.take((each) => taken.push(each) > 0)
          // A half of a character cannot be written.
          expect(taken).toEqual(batch.map((each) => ({ ...each, line: each.line.toWellFormed() })))
          expect(ends.every((end) => writer.isTaken(end) && !writer.isRefused(end))).toBe(true)
        }
      },
    ),
    { numRuns: 30 },
  )
})

test('a line that is refused is known by its place', () => {
  const ring = new AuditRing(auditMemory())
  const [one, two] = ['one', 'two'].map((line) => ring.put({ line, request: 1 }, NEVER))
  ring.take(({ line }) => line !== 'two')
  const three = ring.put({ line: 'three', request: 1 }, NEVER)
  ring.take(() => true)
  expect([two, three].map((end = 0) => ring.isRefused(end))).toEqual([true, false])
  expect(ring.isTaken(one ?? 0)).toBe(true)
})

test('a writer that is faster than the reader waits for room, and no line is lost', async () => {
  const memory = auditMemory()
  const url = new URL('./audit-ring.ts', import.meta.url).href
  const code = `
    const { parentPort, workerData } = require('node:worker_threads')
    import(${JSON.stringify(url)}).then(({ AuditRing }) => {
      const ring = new AuditRing(workerData)
      for (let n = 0; n < 5000; n++) {
        ring.put({ line: n + ' ' + 'x'.repeat(n % 7000), request: n }, () => parentPort.postMessage('ask'))
      }
      parentPort.postMessage('end')
    })`
  const worker = new Worker(code, { eval: true, workerData: memory })
  const ring = new AuditRing(memory)
  let next = 0
  let asked = 0
  const take = () =>
    ring.take(({ line, request }) => {
      expect(line).toBe(`${next} ${'x'.repeat(next % 7000)}`)
      expect(request).toBe(next++)
      return true
    })
  await new Promise<void>((resolve, reject) => {
    worker.on('error', reject)
    worker.on('message', (message) => {
      try {
        take()
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)))
      }
      if (message === 'ask') asked++
      else resolve()
    })
  })
  await worker.terminate()
  expect(next).toBe(5000)
  expect(asked).toBeGreaterThan(10)
})
