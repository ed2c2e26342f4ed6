import { expect, test, vi } from 'vitest'
import { HttpError } from './http-error.ts'
import { Pipe, PIPE_CAPACITY } from './pipe.ts'
import { Timer } from '../instance/guest-timers.ts'

test('bytes come out in order, in pieces of the size asked for', () => {
  const pipe = new Pipe()
  pipe.write(new Uint8Array([1, 2, 3]))
  pipe.write(new Uint8Array([4]))
  pipe.end()
  expect([...(pipe.read(2) ?? [])]).toEqual([1, 2])
  expect([...(pipe.read(9) ?? [])]).toEqual([3])
  expect([...(pipe.read(9) ?? [])]).toEqual([4])
  expect(pipe.read(9)).toBeUndefined()
})

test('a full pipe gives no permit until someone reads', () => {
  const pipe = new Pipe()
  const wake = vi.fn()
  pipe.write(new Uint8Array(PIPE_CAPACITY))
  expect(pipe.permit()).toBe(0)
  pipe.writable.onReady(wake)
  pipe.read(1000)
  expect(wake).toHaveBeenCalledOnce()
  expect(pipe.permit()).toBe(1000)
})

test('a reader that has gone ends the permit', () => {
  const pipe = new Pipe()
  pipe.cancel()
  expect(pipe.permit()).toBeUndefined()
  expect(pipe.writable.ready()).toBe(true)
})

test('what was written before a failure is read before it', () => {
  const pipe = new Pipe()
  pipe.write(new Uint8Array([1]))
  pipe.fail(new HttpError('connection-terminated'))
  expect(pipe.read(9)).toHaveLength(1)
  expect(() => pipe.read(9)).toThrow(HttpError)
})

test('a timer nobody waits for any more is no timer', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const timer = new Timer(process.hrtime.bigint() + 1_000_000_000n)
  const unsubscribe = timer.onReady(() => {})
  expect(vi.getTimerCount()).toBe(1)
  unsubscribe()
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
})
