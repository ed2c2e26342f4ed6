import { expect, test, vi } from 'vitest'
import { Discarded, discarded } from './discarded.ts'

const MEGABYTE = 1024 * 1024
const turn = () => new Promise((resolve) => setImmediate(resolve))

test('the collector is called once for each 256 MB that were let go, after the turn', async () => {
  let collections = 0
  const memory = new Discarded(() => collections++)
  memory.add(255 * MEGABYTE)
  await turn()
  expect(collections).toBe(0)
  memory.add(MEGABYTE)
  expect(collections).toBe(0)
  await turn()
  expect(collections).toBe(1)
  memory.add(128 * MEGABYTE)
  await turn()
  expect(collections).toBe(1)
})

test('less is collected once nothing more was let go for a while', () => {
  vi.useFakeTimers()
  try {
    let collections = 0
    const memory = new Discarded(() => collections++)
    memory.add(40 * MEGABYTE)
    vi.advanceTimersByTime(2000)
    memory.add(40 * MEGABYTE)
    vi.advanceTimersByTime(2000)
    expect(collections).toBe(0)
    vi.advanceTimersByTime(2000)
    expect(collections).toBe(1)
    vi.advanceTimersByTime(60_000)
    expect(collections).toBe(1)
  } finally {
    vi.useRealTimers()
  }
})

const made = () => new WeakRef(new WebAssembly.Memory({ initial: 1 }))

test('what was let go is gone', async () => {
  const left = made()
  await turn()
  discarded.add(256 * MEGABYTE)
  await turn()
  await turn()
  expect(left.deref()).toBeUndefined()
})
