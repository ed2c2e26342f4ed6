import { expect, test, vi } from 'vitest'
import { inLane, mayGoOn } from './lanes.ts'

/** Keeps the thread for longer than a turn may take, as a guest on a busy machine does. */
function compute(): void {
  for (const end = performance.now() + 6; performance.now() < end;);
}

const newTurn = () => new Promise((resolve) => setTimeout(resolve, 20))

/** Queues so many of each kind, all at once. @returns the kinds in the order in which they went on. */
async function orderOf(counts: Record<string, number>, ages: Record<string, number | undefined>) {
  const order: string[] = []
  const all = Object.entries(counts).flatMap(([kind, count]) =>
    Array.from({ length: count }, () => {
      const age = ages[kind]
      const since = age === undefined ? undefined : performance.now() - age
      return new Promise<void>((resolve) => {
        const run = () => {
          order.push(kind)
          compute()
          resolve()
        }
        inLane(run, since)
      })
    }),
  )
  await Promise.all(all)
  return order
}

const meanPlace = (order: string[], kind: string) => {
  const places = order.flatMap((each, place) => (each === kind ? [place] : []))
  return places.reduce((sum, place) => sum + place, 0) / places.length
}

test('young requests go first, then those that have not begun, then long ones', async () => {
  const order = await orderOf(
    { long: 12, new: 12, young: 12 },
    { long: 10_000, young: 0, new: undefined },
  )
  expect(meanPlace(order, 'young')).toBeLessThan(meanPlace(order, 'new'))
  expect(meanPlace(order, 'new')).toBeLessThan(meanPlace(order, 'long'))
})

test('none waits for all of the others: each kind has its share from the beginning', async () => {
  const order = await orderOf(
    { young: 30, new: 30, long: 5 },
    { long: 10_000, young: 0, new: undefined },
  )
  expect(order.slice(0, 12)).toEqual(expect.arrayContaining(['young', 'new', 'long']))
})

test('of long requests the youngest goes first, and the one that waits longest has its share', async () => {
  const order = await orderOf({ minute: 12, second: 12 }, { minute: 60_000, second: 1000 })
  expect(meanPlace(order, 'second')).toBeLessThan(meanPlace(order, 'minute'))
  expect(order.slice(0, 8)).toContain('minute')
})

test('a long request does not go on while a young one waits', async () => {
  await newTurn()
  // It stands still, so the turn is not over, however busy the machine is.
  vi.useFakeTimers({ toFake: ['performance'] })
  try {
    const now = performance.now()
    expect(mayGoOn(now - 10_000)).toBe(true)
    const young = new Promise<void>((resolve) => inLane(resolve, now))
    expect(mayGoOn(now - 10_000)).toBe(false)
    expect(mayGoOn(now)).toBe(true)
    await young
    expect(mayGoOn(now - 10_000)).toBe(true)
  } finally {
    vi.useRealTimers()
  }
})
