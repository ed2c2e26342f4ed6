import { expect, test, vi } from 'vitest'
import { cpuMs } from './current-guest.ts'
import { inLane, mayGoOn, shareByKey } from './lanes.ts'

// A thread of its own: it stays in this state.
shareByKey(cpuMs)

function compute(ms: number): void {
  for (const end = cpuMs() + ms; cpuMs() < end;);
}

/** Each key has guests that wait for the thread at once, and each computes for so long. @returns the keys in their order */
async function orderOf(guests: readonly [key: string, ms: number][]): Promise<string[]> {
  const order: string[] = []
  await Promise.all(
    guests.map(
      ([key, ms]) =>
        new Promise<void>((resolve) => {
          const run = () => {
            order.push(key)
            compute(ms)
            resolve()
          }
          inLane(run, undefined, key)
        }),
    ),
  )
  return order
}

test('a guest whose key has had little goes before all those of a key that had much', async () => {
  const loops = Array.from({ length: 10 }, (): [string, number] => ['loops', 30])
  const order = await orderOf([...loops, ['quick', 1], ['quick', 1], ['quick', 1]])
  expect(order.slice(0, 4)).toEqual(['loops', 'quick', 'quick', 'quick'])
  expect(order).toHaveLength(13)
})

test('keys that compute the same take turns', async () => {
  const order = await orderOf([
    ...Array.from({ length: 6 }, (): [string, number] => ['one', 30]),
    ...Array.from({ length: 6 }, (): [string, number] => ['two', 30]),
  ])
  const halves = order.slice(0, 6)
  expect(halves.filter((key) => key === 'one')).toHaveLength(3)
})

test('what a guest computes that did not have to wait counts for its own key', async () => {
  await orderOf([['light', 1]])
  await new Promise((resolve) => setTimeout(resolve, 20))
  // It stands still, so the turn is not over, however busy the machine is.
  vi.useFakeTimers({ toFake: ['performance'] })
  expect(mayGoOn(performance.now(), 'heavy')).toBe(true)
  vi.useRealTimers()
  compute(200)
  const order = await orderOf([
    ['heavy', 1],
    ['light', 1],
  ])
  expect(order).toEqual(['light', 'heavy'])
})
