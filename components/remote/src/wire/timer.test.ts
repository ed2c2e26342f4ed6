import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { startTimer } from './timer.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('a timer ends work that takes too long, and aborts its request', async () => {
  const timer = startTimer(50)
  const work = timer.race(new Promise(() => {}))
  const ended = expect(work).rejects.toMatchObject({ kind: 'timeout' })
  await vi.advanceTimersByTimeAsync(49)
  expect(timer.signal.aborted).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  await ended
  expect(timer.signal.reason).toMatchObject({ kind: 'timeout' })
})

it('work that begins after the time is up fails at once', async () => {
  const timer = startTimer(50)
  await vi.advanceTimersByTimeAsync(50)
  await expect(timer.race(new Promise(() => {}))).rejects.toMatchObject({ kind: 'timeout' })
})

it('a timer that was ended aborts nothing', async () => {
  const timer = startTimer(50)
  expect(await timer.race(Promise.resolve(7))).toBe(7)
  timer.end()
  await vi.advanceTimersByTimeAsync(100)
  expect(timer.signal.aborted).toBe(false)
})
