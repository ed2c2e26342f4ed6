import { describe, expect, it, vi } from 'vitest'
import { LIST_LIMIT, SWEEP_LIMIT } from './due-index.ts'
import { instance, keysOf, start, storedJobs, tool, world } from './testing/works.ts'

const DAY_MS = 24 * 3_600_000

describe('expired jobs', () => {
  it('are deleted by later starts, so many at a time, without a look at all keys', async () => {
    const on = world()
    const by = instance(on)
    const entry = tool(by)
    const old = 2 * SWEEP_LIMIT + 5
    for (let n = 0; n < old; n++) await start(entry, by, { 'idempotency-key': `old ${n}` })
    await Promise.all(on.background)
    on.pass(DAY_MS + 3_600_000)
    for (const [index, left] of [old - SWEEP_LIMIT, old - 2 * SWEEP_LIMIT, 0, 0].entries()) {
      const before = by.steps()
      await start(entry, by)
      await Promise.all(on.background)
      expect(storedJobs(on)).toHaveLength(left + index + 1)
      expect(keysOf(on, 'idem:')).toHaveLength(left)
      // A bound on the calls of the host: three for each job, and the lists.
      expect(by.steps() - before).toBeLessThan(3 * SWEEP_LIMIT + 45)
    }
    const lists = keysOf(on, 'due:')
    const hour = Math.floor((on.now() + DAY_MS) / 3_600_000)
    expect(lists.filter((key) => key !== 'due:works')).toEqual(
      lists.filter((key) => key.startsWith(`due:works:${hour}:`)),
    )
  })

  it('take nothing along that lives', async () => {
    const on = world()
    const by = instance(on)
    const key = { 'idempotency-key': 'again' }
    const brief = tool(by, { lifetimeMs: 1000 })
    await start(brief, by, key)
    on.pass(1001)
    const living = await start(tool(by), by, key)
    on.pass(2 * 3_600_000)
    await start(tool(by), by)
    await Promise.all(on.background)
    expect((await start(tool(by), by, key)).id).toBe(living.id)
  })

  it('cost a start nothing when the index cannot be written', async () => {
    const on = world()
    const by = instance(on)
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const values = await by.platform.openKeyValue('default')
    const set: typeof values.set = (key, value) =>
      key.startsWith('due:') ? Promise.reject(new Error('full')) : values.set(key, value)
    by.platform.openKeyValue = async () => ({ ...values, set })
    expect((await start(tool(by), by)).status).toBe('working')
    expect(log.mock.calls.join()).toContain('was not stored: Error: full')
    log.mockRestore()
  })

  it('are reported in the log when the list of their hour is full', async () => {
    const on = world()
    const by = instance(on)
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const values = await by.platform.openKeyValue('default')
    const hour = Math.floor((on.now() + DAY_MS) / 3_600_000)
    const full = JSON.stringify(Array.from({ length: LIST_LIMIT }, (_, n) => [`old ${n}`]))
    for (let shard = 0; shard < 8; shard++) await values.set(`due:works:${hour}:${shard}`, full)
    expect((await start(tool(by), by)).status).toBe('working')
    expect(log.mock.calls.join()).toMatch(
      /was not stored: Error: due:works:\d+:\d is full: 4000 jobs/,
    )
    log.mockRestore()
  })
})
