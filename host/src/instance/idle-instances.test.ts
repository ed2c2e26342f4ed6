import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Component } from './loaded-component.ts'
import type { GuestInstance } from './instance.ts'
import type { HttpResponse } from '../http/messages.ts'
import { Pipe } from '../http/pipe.ts'
import type { GuestRequest } from './services.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const request = (): GuestRequest => ({
  method: 'GET',
  scheme: 'http',
  authority: 'localhost',
  path: '/',
  headers: [],
  depth: 0,
  body: Pipe.empty(),
})

const MEGABYTE = 1024 * 1024

/** @param memory of an instance, in bytes: when it is made, and after a request. */
function component(memory = { first: 1024, used: 1024 }) {
  const counts = { created: 0, discarded: 0 }
  const loaded = new Component({
    create: (): GuestInstance => {
      const instance = {
        memoryBytes: memory.first,
        reset: () => {},
        abandon: () => {},
        wasAbandoned: () => false,
        run: (_: GuestRequest, respond: (response: HttpResponse) => void) => {
          instance.memoryBytes = memory.used
          respond({ status: 200, headers: [], body: Pipe.empty() })
          return new Promise<boolean>((resolve) => setTimeout(() => resolve(true), 10))
        },
      }
      return instance
    },
    maxInstances: 20,
    abandonedMs: 1000,
    onError: () => {},
    counters: {
      created: () => counts.created++,
      reset: () => {},
      discarded: () => counts.discarded++,
      holds: () => {},
    },
  })
  const serve = async (count: number) => {
    for (let nth = 0; nth < count; nth++) void loaded.handle(request())
    await vi.advanceTimersByTimeAsync(20)
  }
  return { counts, serve, close: () => loaded.close() }
}

test('a burst leaves one instance in the end', async () => {
  const { counts, serve, close } = component()
  await serve(10)
  expect(counts).toEqual({ created: 10, discarded: 0 })
  await vi.advanceTimersByTimeAsync(5000)
  expect(counts.discarded).toBe(9)
  await serve(1)
  expect(counts.created).toBe(10)
  close()
})

test('instances that are needed again and again are kept', async () => {
  const { counts, serve, close } = component()
  for (let second = 0; second < 10; second++) {
    await serve(10)
    await vi.advanceTimersByTimeAsync(980)
  }
  expect(counts).toEqual({ created: 10, discarded: 0 })
  close()
})

test('a large burst is let go bit by bit', async () => {
  const { counts, serve, close } = component()
  await serve(20)
  await vi.advanceTimersByTimeAsync(2500)
  expect(counts.discarded).toBeGreaterThan(0)
  expect(counts.discarded).toBeLessThan(10)
  await vi.advanceTimersByTimeAsync(8000)
  expect(counts.discarded).toBe(19)
  close()
})

test('an instance is used again however large it begins, unless a request made it grow', async () => {
  for (const first of [MEGABYTE, 33 * MEGABYTE, 200 * MEGABYTE]) {
    for (const [growth, created] of [
      [0, 1],
      [24 * MEGABYTE, 1],
      [25 * MEGABYTE, 3],
    ] as const) {
      const { counts, serve, close } = component({ first, used: first + growth })
      for (let nth = 0; nth < 3; nth++) await serve(1)
      expect(counts.created).toBe(created)
      close()
    }
  }
})
