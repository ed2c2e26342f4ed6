import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Stays } from './stays.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function opened(milliseconds: number) {
  const onChange = vi.fn()
  return { stays: new Stays({ milliseconds, onChange }), onChange }
}

test('a component stays for its time after the last thread it took', () => {
  const { stays, onChange } = opened(1000)
  stays.add('looper')
  vi.advanceTimersByTime(900)
  stays.add('looper')
  vi.advanceTimersByTime(900)
  expect(stays.has('looper')).toBe(true)
  expect(onChange).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(100)
  expect(stays.has('looper')).toBe(false)
  expect(onChange).toHaveBeenCalledTimes(2)
})

test('each component has its own time', () => {
  const { stays } = opened(1000)
  stays.add('looper')
  vi.advanceTimersByTime(500)
  stays.add('other')
  vi.advanceTimersByTime(500)
  expect([stays.has('looper'), stays.has('other'), stays.size]).toEqual([false, true, 1])
})

test('0 milliseconds is no stay, and Infinity is no end', () => {
  const none = opened(0)
  none.stays.add('looper')
  expect(none.stays.has('looper')).toBe(false)
  expect(none.onChange).not.toHaveBeenCalled()
  const { stays } = opened(Infinity)
  stays.add('looper')
  vi.advanceTimersByTime(1_000_000)
  expect(stays.has('looper')).toBe(true)
})

test('a stay may be longer than a timer takes', () => {
  const days = 24 * 60 * 60 * 1000
  const { stays } = opened(30 * days)
  const forEver = opened(Infinity).stays
  stays.add('looper')
  forEver.add('looper')
  vi.advanceTimersByTime(29 * days)
  expect([stays.has('looper'), forEver.has('looper')]).toEqual([true, true])
  vi.advanceTimersByTime(2 * days)
  expect([stays.has('looper'), forEver.has('looper')]).toEqual([false, true])
})

test('after close, no component is let go or reported', () => {
  const { stays, onChange } = opened(1000)
  stays.add('looper')
  stays.close()
  vi.advanceTimersByTime(2000)
  expect(onChange).toHaveBeenCalledOnce()
})
