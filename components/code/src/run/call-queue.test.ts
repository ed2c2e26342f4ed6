import { expect, it } from 'vitest'
import { CallQueue } from './call-queue.ts'

it('begins so many at once, in order, and goes on after a failure', async () => {
  const queue = new CallQueue(10, 2)
  const begun: number[] = []
  const ends: (() => void)[] = []
  const all = [0, 1, 2, 3].map((id) =>
    queue.run(async () => {
      begun.push(id)
      await new Promise<void>((resolve) => (ends[id] = resolve))
      if (id === 1) throw new Error('failed')
      return id
    }),
  )
  const settled = Promise.allSettled(all)
  expect(begun).toEqual([0, 1])
  ends[1]?.()
  await all[1]?.catch(() => {})
  await Promise.resolve()
  expect(begun).toEqual([0, 1, 2])
  ends[0]?.()
  await all[0]
  await Promise.resolve()
  expect(begun).toEqual([0, 1, 2, 3])
  for (const end of ends) end()
  expect((await settled).map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
  ])
})

it('counts so many', () => {
  const queue = new CallQueue(2, 1)
  queue.count()
  queue.count()
  expect(() => queue.count()).toThrow('a program may make 2 calls: this is one more')
})
