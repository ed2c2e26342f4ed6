import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { WARD } from '../wire/guest-cells.ts'
import { Wards } from './wards.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function opened(quarantineMs = 600_000) {
  const onChange = vi.fn()
  const wards = new Wards({ components: ['one', 'two'], quarantineMs, onChange })
  const of = (component: string, sender = 'ada') => wards.wardOf({ component, sender })
  return { wards, of, onChange }
}

test('a slow component stays so for a minute, and each worker sees it', () => {
  const { wards, of, onChange } = opened()
  wards.slowComponent('two')
  expect([of('one'), of('two')]).toEqual([WARD.ordinary, WARD.slow])
  expect([...wards.levels]).toEqual([WARD.ordinary, WARD.slow])
  expect(wards.isUsed(WARD.slow)).toBe(true)
  vi.advanceTimersByTime(60_000)
  expect(of('two')).toBe(WARD.ordinary)
  expect([...wards.levels]).toEqual([WARD.ordinary, WARD.ordinary])
  expect(wards.isUsed(WARD.slow)).toBe(false)
  expect(onChange).toHaveBeenCalledTimes(2)
})

test('what a slow sender sends runs apart, whatever it calls', () => {
  const { wards, of } = opened()
  wards.slowSender('ada')
  expect([of('one'), of('two'), of('one', 'bob')]).toEqual([WARD.slow, WARD.slow, WARD.ordinary])
  // Its calls within a request stay where they are.
  expect([...wards.levels]).toEqual([WARD.ordinary, WARD.ordinary])
})

test('one caller’s calls of a component are in quarantine, and others’ are not', () => {
  const { wards, of } = opened()
  wards.quarantineKey('one', 'ada')
  expect([of('one'), of('one', 'bob'), of('two')]).toEqual([
    WARD.quarantine,
    WARD.ordinary,
    WARD.ordinary,
  ])
  // A worker asks where a call goes as long as the caller's quarantine lasts, also one for guests that compute.
  vi.advanceTimersByTime(599_999)
  expect([...wards.levels]).toEqual([WARD.quarantine, WARD.ordinary])
  vi.advanceTimersByTime(1)
  expect(of('one')).toBe(WARD.ordinary)
  expect([...wards.levels]).toEqual([WARD.ordinary, WARD.ordinary])
})

test('a component in quarantine is so for all, and quarantine comes before slowness', () => {
  const { wards, of } = opened()
  wards.slowComponent('one')
  wards.quarantine('one')
  expect([of('one'), of('one', 'bob')]).toEqual([WARD.quarantine, WARD.quarantine])
  expect(wards.isQuarantined('one')).toBe(true)
  expect(wards.levels[0]).toBe(WARD.quarantine)
})

test('without a quarantine nobody is in one, and slow components run apart all the same', () => {
  const { wards, of } = opened(0)
  wards.quarantine('one')
  wards.quarantineKey('one', 'ada')
  expect(of('one')).toBe(WARD.ordinary)
  wards.slowComponent('one')
  expect(of('one')).toBe(WARD.slow)
})
