import { expect, test } from 'vitest'
import { CELL, CELLS, type GuestId } from '../wire/guest-cells.ts'
import { CurrentGuest, cpuMs } from './current-guest.ts'

const guest = (request: number, nth = 0): GuestId => ({ request, component: request + 100, nth })

function watched() {
  const cells = new Int32Array(CELLS)
  const current = new CurrentGuest()
  const turns: [request: number, ms: number][] = []
  current.attach(cells, (guest, ms) => turns.push([guest.request, ms]))
  return { cells, current, turns, request: () => cells[CELL.request] }
}

test('the guest that was called last has the thread, then its caller again', () => {
  const { current, request, cells } = watched()
  current.run(guest(1), () => {
    expect(request()).toBe(1)
    current.run(guest(2, 5), () => {
      expect([request(), cells[CELL.component], cells[CELL.nth]]).toEqual([2, 102, 5])
    })
    expect(request()).toBe(1)
  })
  expect(request()).toBe(0)
})

test('of guests that go on, the first has the thread until it waits', () => {
  const { current, request } = watched()
  const [one, two] = [guest(1), guest(2)]
  current.resume(one)
  current.resume(two)
  expect(request()).toBe(1)
  current.resume(one)
  current.leave(one)
  expect(request()).toBe(2)
  current.leave(two)
  expect(request()).toBe(0)
})

test('a call that throws gives the thread back', () => {
  const { current, request } = watched()
  expect(() =>
    current.run(guest(1), () => {
      throw new Error('trap')
    }),
  ).toThrow('trap')
  expect(request()).toBe(0)
})

test('every change counts as a heartbeat', () => {
  const { current, cells } = watched()
  const before = cells[CELL.heartbeat] ?? 0
  current.run(guest(1), () => {})
  expect(cells[CELL.heartbeat]).toBeGreaterThan(before)
})

test('a long turn is reported with its processor time, to the guest that had it', () => {
  const { current, turns } = watched()
  // By the processor's time: a busy machine gives this thread little of the clock's.
  const compute = (ms: number) => {
    for (const end = cpuMs() + ms; cpuMs() < end;);
  }
  current.beat()
  current.run(guest(1), () => {
    current.run(guest(2), () => compute(60))
  })
  current.run(guest(3), () => {})
  expect(turns.map(([request]) => request)).toEqual([2])
  expect(turns[0]?.[1]).toBeGreaterThanOrEqual(20)
})

test('time in which the thread does not compute is nobody’s turn', () => {
  const { current, turns } = watched()
  current.beat()
  current.run(guest(1), () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60))
  expect(turns).toEqual([])
})
