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

test('a shorter stay does not end a longer one', () => {
  const { stays } = opened(1000)
  stays.add('looper', 5000)
  stays.add('looper')
  vi.advanceTimersByTime(4999)
  expect(stays.has('looper')).toBe(true)
  vi.advanceTimersByTime(1)
  expect(stays.has('looper')).toBe(false)
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

test('after close, no component is let go or reported', () => {
  const { stays, onChange } = opened(1000)
  stays.add('looper')
  stays.close()
  vi.advanceTimersByTime(2000)
  expect(onChange).toHaveBeenCalledOnce()
})
