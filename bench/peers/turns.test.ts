import { expect, it } from 'vitest'
import { turns } from './turns.ts'

it('gives each subject one turn in each round', () => {
  expect(turns(['a', 'b', 'c'], 2)).toEqual(['a', 'b', 'c', 'a', 'b', 'c'])
})

it('gives no turns without subjects or rounds', () => {
  expect(turns([], 3)).toEqual([])
  expect(turns(['a'], 0)).toEqual([])
})
