import { expect, it } from 'vitest'
import { sharesOf } from './shares.ts'

const shares = (limit: number, ...sizes: number[]) => {
  const lists = new Map(sizes.map((bytes, index) => [`s${index}`, { bytes }]))
  const found = sharesOf(lists, limit)
  return [...lists.keys()].map((name) => found.get(name))
}

it('what fits together is not cut', () => {
  expect(shares(100, 90, 8, 2)).toEqual([90, 8, 2])
})

it('what small servers leave goes to large ones, in equal parts', () => {
  expect(shares(100, 500, 10, 60, 0)).toEqual([45, 10, 45, 0])
  expect(shares(100, 500, 10, 30)).toEqual([60, 10, 30])
})

it('a huge server takes nothing from the others', () => {
  expect(shares(90, 1e9, 1e9, 29)).toEqual([30, 31, 29])
})
