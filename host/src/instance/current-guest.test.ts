import { expect, test } from 'vitest'
import { CELL, CELLS, type GuestId } from '../wire/guest-cells.ts'
import { CurrentGuest } from './current-guest.ts'

const guest = (request: number, nth = 0): GuestId => ({ request, component: request + 100, nth })

function watched() {
  const cells = new Int32Array(CELLS)
  const current = new CurrentGuest()
  current.attach(cells)
  return { cells, current, request: () => cells[CELL.request] }
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
