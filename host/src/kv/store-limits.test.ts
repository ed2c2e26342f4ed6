import { expect, test } from 'vitest'
import type { KeyValueStore } from './key-value.ts'
import { withEntryLimits } from './store-limits.ts'

const written: string[] = []
const store = withEntryLimits({
  set: (key: string) => void written.push(key),
} as unknown as KeyValueStore)
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
