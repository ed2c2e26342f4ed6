import { expect, test } from 'vitest'
import { leftWords, timeLeft } from './time-left-words.ts'

const job = { state: 'working', startedAt: 0, progress: 5, total: 20 } as const

test('what is left takes as long as what is done', () => {
  expect(timeLeft(job, 10_000)).toBe(30_000)
})

test.each([
  ['it has just begun', { ...job }, 1000],
  ['nothing is done yet', { ...job, progress: 0 }, 10_000],
  ['the total is not known', { ...job, total: undefined }, 10_000],
  ['all is done', { ...job, progress: 20 }, 10_000],
  ['it is over', { ...job, state: 'completed' as const }, 10_000],
])('nothing is said while %s', (_, some, now) => {
  expect(timeLeft(some, now)).toBeUndefined()
})

test('in seconds, and in minutes when it is long', () => {
  expect(leftWords(1200)).toBe('about 2 s left')
  expect(leftWords(125_000)).toBe('about 3 min left')
})
