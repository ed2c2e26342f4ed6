import { describe, expect, it } from 'vitest'
import { tokensOf } from '../catalog/list-settings.ts'
import { listOf } from './testing/context-list.ts'

describe('what a list costs in the context of a model', () => {
  it.each([10, 100, 1_000])(
    'is at most 600 estimated tokens beside %i tools, always the same',
    async (count) => {
      const short = await listOf(count, 'tools=search')
      expect(tokensOf(short.length)).toBeLessThanOrEqual(600)
      expect(short).toBe(await listOf(1, 'tools=search'))
    },
  )

  it.each([
    [10, true],
    [100, true],
    [500, false],
  ])('is that of all of %i tools while they stay within the budget: %s', async (count, isFull) => {
    const list = await listOf(count, '')
    expect(list === (await listOf(count, 'tools=all'))).toBe(isFull)
  })
})
