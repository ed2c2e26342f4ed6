import { expect, test } from 'vitest'
import { InstanceCounters, InstanceTotals } from './instance-counters.ts'

test('all threads together, those that ended with what they had done and nothing that lives', () => {
  const totals = new InstanceTotals(['a', 'b'])
  const first = totals.open()
  const second = totals.open()
  const used = new InstanceCounters(first, 1)
  used.created()
  used.created()
  used.reset()
  used.discarded()
  used.holds(3 * 65_536)
  used.holds(-65_536)
  new InstanceCounters(second, 1).created()
  expect(totals.read()).toEqual([
    { component: 'a', created: 0, resets: 0, live: 0, memory: 0 },
    { component: 'b', created: 3, resets: 1, live: 2, memory: 131_072 },
  ])
  totals.close(first)
  totals.close(first)
  expect(totals.read()[1]).toEqual({ component: 'b', created: 3, resets: 1, live: 1, memory: 0 })
})
