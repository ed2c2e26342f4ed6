import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Quarantine } from './quarantine.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function opened(milliseconds: number) {
  const onChange = vi.fn<(components: readonly string[]) => void>()
  return { quarantine: new Quarantine({ milliseconds, onChange }), onChange }
}

test('a component stays for its time after the last thread it took', () => {
  const { quarantine, onChange } = opened(1000)
  quarantine.add('looper')
  vi.advanceTimersByTime(900)
  quarantine.add('looper')
  vi.advanceTimersByTime(900)
  expect(quarantine.has('looper')).toBe(true)
  expect(onChange.mock.calls).toEqual([[['looper']]])
  vi.advanceTimersByTime(100)
  expect(quarantine.has('looper')).toBe(false)
  expect(onChange.mock.calls).toEqual([[['looper']], [[]]])
})

test('each component has its own time', () => {
  const { quarantine, onChange } = opened(1000)
  quarantine.add('looper')
  vi.advanceTimersByTime(500)
  quarantine.add('other')
  vi.advanceTimersByTime(500)
  expect(quarantine.components).toEqual(['other'])
  expect(onChange).toHaveBeenLastCalledWith(['other'])
})

test('0 milliseconds is no quarantine, and Infinity is no end', () => {
  const none = opened(0)
  none.quarantine.add('looper')
  expect(none.quarantine.has('looper')).toBe(false)
  expect(none.onChange).not.toHaveBeenCalled()
  const { quarantine } = opened(Infinity)
  quarantine.add('looper')
  vi.advanceTimersByTime(1_000_000)
  expect(quarantine.has('looper')).toBe(true)
})

test('after close, no component is let go or reported', () => {
  const { quarantine, onChange } = opened(1000)
  quarantine.add('looper')
  quarantine.close()
  vi.advanceTimersByTime(2000)
  expect(onChange).toHaveBeenCalledOnce()
})
