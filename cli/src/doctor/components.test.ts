import { expect, test } from 'vitest'
import { firstStartFinding } from './components.ts'

test.each([
  // On a real Spin and two busy cores, these eight took 60 to 150 s.
  [8, 104_000_000, '8 components at its first start, which takes up to 150 s'],
  [1, 13_000_000, '1 component at its first start, which takes up to 20 s'],
  [1, 2_000, '1 component at its first start, which takes up to 10 s'],
])('%d components of %d bytes: how long the first start on Spin takes', (count, bytes, words) => {
  expect(firstStartFinding(count, bytes)).toMatchObject({
    level: 'ok',
    about: 'spin',
    message: expect.stringContaining(words) as string,
  })
})
