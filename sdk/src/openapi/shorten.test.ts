import fc from 'fast-check'
import { expect, it } from 'vitest'
import { shortened } from './shorten.ts'

it('the longest list keeps its first items, and all else stays', () => {
  const data = Array.from({ length: 50 }, (_, id) => ({ id, text: 'x'.repeat(50) }))
  const value = { total: 50, tags: ['a', 'b'], page: { data }, next: 'c' }
  const cut = shortened(value, 1_000)
  expect(cut).toMatchObject({ path: ['page', 'data'], of: 50 })
  expect(cut?.value).toEqual({ ...value, page: { data: data.slice(0, cut?.shown) } })
  expect(cut?.shown).toBeGreaterThan(8)
})

it('there is nothing to cut without a list, or if its first item is too long', () => {
  expect(shortened({ text: 'x'.repeat(500) }, 100)).toBeUndefined()
  expect(shortened(['x'.repeat(500)], 100)).toBeUndefined()
})

it('what is shortened fits, and is the beginning', () => {
  fc.assert(
    fc.property(
      fc.array(fc.jsonValue(), { minLength: 1 }),
      fc.integer({ min: 10, max: 300 }),
      (list, limit) => {
        const cut = shortened(list, limit)
        if (!cut) return
        expect(JSON.stringify(cut.value).length).toBeLessThanOrEqual(limit)
        expect(cut.value).toEqual(list.slice(0, cut.shown))
      },
    ),
  )
})
