import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createRates, ENTRY_RULES, shareOf, withEntryRules } from './entry-rules.ts'
import type { KeyValueStore } from './key-value.ts'

const written: string[] = []
const only: Partial<KeyValueStore> = { set: (key) => void written.push(key) }
const store = withEntryRules(only as KeyValueStore, ENTRY_RULES, createRates(ENTRY_RULES))
const MB = 1024 ** 2

test.each([
  ['a key of 1025 bytes', 'k'.repeat(1025), 0, 'longer than 1024 bytes'],
  ['a key of 513 letters of two bytes', 'ä'.repeat(513), 0, 'longer than 1024 bytes'],
  ['a value of more than 16 MiB', 'k', 16 * MB + 1, 'larger than 16777216 bytes'],
])('%s is refused', (_, key, size, problem) => {
  expect(() => store.set(key, new Uint8Array(size))).toThrow(problem)
})

test('the largest key and value are stored', async () => {
  await store.set('ä'.repeat(512), new Uint8Array(16 * MB))
  expect(written).toEqual(['ä'.repeat(512)])
})

describe('50 writes and 1000 reads a second, in each of two threads half of them', () => {
  const rules = shareOf({ ...ENTRY_RULES, writesPerSecond: 50, readsPerSecond: 1000 }, 2)
  let limited: KeyValueStore
  beforeEach(() => {
    vi.useFakeTimers()
    const nothing: Partial<KeyValueStore> = {
      get: () => undefined,
      set: () => {},
      delete: () => {},
    }
    limited = withEntryRules(nothing as KeyValueStore, rules, createRates(rules))
  })
  afterEach(() => void vi.useRealTimers())

  const times = (count: number, action: () => unknown) => {
    for (let time = 0; time < count; time++) action()
  }
  const write = () => limited.set('k', new Uint8Array())

  test('writes and deletions count together, and a refused one is an error of the store', () => {
    times(15, write)
    times(10, () => limited.delete('k'))
    expect(write).toThrow('too many writes: 25 a second are allowed')
    vi.advanceTimersByTime(200)
    times(5, write)
    expect(write).toThrow('too many writes')
  })

  test('reads have a rate of their own', () => {
    times(25, write)
    times(500, () => limited.get('k'))
    expect(() => limited.get('k')).toThrow('too many reads: 500 a second are allowed')
  })
})
