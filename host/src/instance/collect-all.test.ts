import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'

const MODULE = new URL('./discarded.ts', import.meta.url).href
const SOURCE = `
  const { collectAll } = await import(${JSON.stringify(MODULE)})
  for (let nth = 0; nth < 150; nth++) collectAll()`

test('threads that collect at the same time do not take the collector from each other', async () => {
  const codes = Array.from({ length: 4 }, async () => {
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(SOURCE)}`))
    const failed = new Promise((_, reject) => worker.once('error', reject))
    return Promise.race([new Promise((resolve) => worker.once('exit', resolve)), failed])
  })
  expect(await Promise.all(codes)).toEqual([0, 0, 0, 0])
})
