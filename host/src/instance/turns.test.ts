import { expect, test } from 'vitest'
import { CELL, CELLS, type Seat, Turns } from './turns.ts'

const seat = (root: number, nth = 0): Seat => ({ root, component: root + 100, nth })

function watched() {
  const cells = new Int32Array(CELLS)
  const turns = new Turns()
  turns.attach(cells)
  return { cells, turns, root: () => cells[CELL.root] }
}

test('the guest that was called last has the thread, then its caller again', () => {
  const { turns, root, cells } = watched()
  turns.call(seat(1), () => {
    expect(root()).toBe(1)
    turns.call(seat(2, 5), () => {
      expect([root(), cells[CELL.component], cells[CELL.nth]]).toEqual([2, 102, 5])
    })
    expect(root()).toBe(1)
  })
  expect(root()).toBe(0)
})

test('of guests that go on, the first has the thread until it waits', () => {
  const { turns, root } = watched()
  const [one, two] = [seat(1), seat(2)]
  turns.resume(one)
  turns.resume(two)
  expect(root()).toBe(1)
  turns.resume(one)
  turns.leave(one)
  expect(root()).toBe(2)
  turns.leave(two)
  expect(root()).toBe(0)
})

test('a call that throws gives the thread back', () => {
  const { turns, root } = watched()
  expect(() =>
    turns.call(seat(1), () => {
      throw new Error('trap')
    }),
  ).toThrow('trap')
  expect(root()).toBe(0)
})

test('every change is a sign of life', () => {
  const { turns, cells } = watched()
  const before = cells[CELL.heartbeat] ?? 0
  turns.call(seat(1), () => {})
  expect(cells[CELL.heartbeat]).toBeGreaterThan(before)
})
