import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Occupant, Places, SHORT_MS } from './places.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const request = (long = false, sender = '', repeatable = true) =>
  ({ long, sender, repeatable, evict: vi.fn<() => void>() }) satisfies Occupant

/** Eight occupied places, of which long requests may keep six. */
function full(): { places: Places; occupants: ReturnType<typeof request>[] } {
  const places = new Places(8)
  const occupants = Array.from({ length: 8 }, () => request())
  for (const occupant of occupants) expect(places.enter(occupant)).toBe(true)
  return { places, occupants }
}

test('when all places are taken by young requests, a newcomer is refused', () => {
  const { places, occupants } = full()
  vi.advanceTimersByTime(SHORT_MS - 1)
  expect(places.enter(request())).toBe(false)
  for (const { evict } of occupants) expect(evict).not.toHaveBeenCalled()
})

test('the oldest beyond the share for long requests makes room', async () => {
  const { places, occupants } = full()
  vi.advanceTimersByTime(SHORT_MS)
  const [first, second, third] = [request(), request(), request()]
  const entered = [places.enter(first), places.enter(second)]
  expect(occupants.map(({ evict }) => evict.mock.calls.length)).toEqual([0, 0, 0, 0, 0, 0, 1, 1])
  // The six that count as long stay.
  expect(places.enter(third)).toBe(false)
  for (const occupant of occupants.slice(6)) places.leave(occupant)
  expect([await entered[0], await entered[1]]).toEqual([true, true])
  expect(places.enter(third)).toBe(false)
})

test('a newcomer does not wait for ever for the place', async () => {
  const { places, occupants } = full()
  vi.advanceTimersByTime(SHORT_MS)
  const entered = places.enter(request())
  await vi.advanceTimersByTimeAsync(2000)
  expect(await entered).toBe(false)
  if (occupants[6]) places.leave(occupants[6])
  expect(places.enter(request())).toBe(true)
})

test('long requests stay, and leave less to those that merely take long', () => {
  const places = new Places(8)
  const long = Array.from({ length: 6 }, () => request(true))
  for (const occupant of long) {
    expect(places.lengthen()).toBe(true)
    void places.enter(occupant)
  }
  expect(places.lengthen()).toBe(false)
  const [slow, slower] = [request(), request()]
  void places.enter(slow)
  void places.enter(slower)
  vi.advanceTimersByTime(SHORT_MS)
  void places.enter(request())
  expect(slow.evict).toHaveBeenCalledOnce()
  for (const { evict } of long) expect(evict).not.toHaveBeenCalled()
  places.shorten()
  expect(places.lengthen()).toBe(true)
})

test('a single place is never taken from a request', () => {
  const places = new Places(1)
  const only = request()
  void places.enter(only)
  vi.advanceTimersByTime(10 * SHORT_MS)
  expect(places.enter(request())).toBe(false)
  expect(only.evict).not.toHaveBeenCalled()
})

describe('of several senders', () => {
  const of = (sender: string) => request(false, sender)

  /** Six places of "a" and two of "b", taken in turns. */
  function shared() {
    const places = new Places(8)
    const occupants = [...'aabaabaa'].map(of)
    for (const occupant of occupants) void places.enter(occupant)
    return { places, occupants }
  }
  const evicted = (occupants: readonly ReturnType<typeof request>[]) =>
    occupants.flatMap(({ evict }, index) => (evict.mock.calls.length > 0 ? [index] : []))

  test('the one with most places gives its youngest to a newcomer', async () => {
    const { places, occupants } = shared()
    const [first, second] = [places.enter(of('c')), places.enter(of('c'))]
    expect(evicted(occupants)).toEqual([6, 7])
    for (const occupant of occupants.slice(6)) places.leave(occupant)
    expect([await first, await second]).toEqual([true, true])
  })

  test('gets no more than the one with most, and that one gets no more', () => {
    const { places, occupants } = shared()
    expect(places.enter(of('a'))).toBe(false)
    // "b" then has three, "a" five; once more, and both have four.
    for (const index of [7, 6]) {
      void places.enter(of('b'))
      places.leave(occupants[index]!)
    }
    expect(places.enter(of('b'))).toBe(false)
    expect(places.enter(of('a'))).toBe(false)
    expect(evicted(occupants)).toEqual([6, 7])
  })

  test('a request that has changed something stays, because its client would send an evicted one again', () => {
    const places = new Places(4)
    const first = [of('a'), of('a'), request(false, 'a', false), request(false, 'a', false)]
    for (const occupant of first) void places.enter(occupant)
    for (let turn = 0; turn < 3; turn++) void places.enter(of('b'))
    expect(evicted(first)).toEqual([0, 1])
  })

  test('long requests do not count, and stay', () => {
    const places = new Places(4)
    const long = [...'aaa'].map((sender) => request(true, sender))
    for (const occupant of long) {
      places.lengthen()
      void places.enter(occupant)
    }
    void places.enter(of('b'))
    expect(places.enter(of('c'))).toBe(false)
    expect(evicted(long)).toEqual([])
  })
})
