import { expect, it } from 'vitest'
import { LineQueue, ReaderGone } from './line-queue.ts'

async function all<T>(lines: AsyncIterable<T>): Promise<T[]> {
  const read: T[] = []
  for await (const line of lines) read.push(line)
  return read
}

it('gives what several say in the order they said it', async () => {
  const queue = new LineQueue<number>()
  const say = async (from: number) => {
    for (let n = from; n < from + 100; n++) await queue.say(n)
  }
  void Promise.all([say(0), say(1_000)]).then(() => queue.end())
  const read = await all(queue.read())
  expect(read.filter((n) => n < 1_000)).toEqual(Array.from({ length: 100 }, (_, n) => n))
  expect(read).toHaveLength(200)
})

it('lets who says much wait for who reads slowly', async () => {
  const queue = new LineQueue<number>()
  let said = 0
  const speaker = (async () => {
    for (let n = 0; n < 1_000; n++) {
      await queue.say(n)
      said++
    }
  })()
  const reader = queue.read()
  await reader.next()
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(said).toBeLessThan(100)
  await reader.return()
  await expect(speaker).rejects.toThrow(ReaderGone)
})

it('lets nobody wait for a reader that never came', async () => {
  const queue = new LineQueue<number>()
  const speaker = (async () => {
    for (;;) await queue.say(1)
  })()
  queue.leave()
  await expect(speaker).rejects.toThrow(ReaderGone)
})

it('ends while nothing is said', async () => {
  const queue = new LineQueue<number>()
  setTimeout(() => queue.end(), 5)
  expect(await all(queue.read())).toEqual([])
})
