import { expect, it } from 'vitest'
import { isOverdue } from './overdue-end.ts'

it.each([
  ['it computes on an idle machine', { clock: 2000, processor: 2000 }, true],
  ['it has had no time to end', { clock: 300, processor: 2400 }, false],
  // Three hosts of a test closed at once beside other tests, and one end was waited for in vain.
  ['the machine is busy with other things', { clock: 9000, processor: 500 }, false],
  ['something blocks it', { clock: 20_000, processor: 10 }, true],
])('a terminated thread is overdue or not: %s', (_, elapsed, overdue) => {
  expect(isOverdue(elapsed)).toBe(overdue)
})
