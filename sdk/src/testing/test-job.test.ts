import { describe, expect, it } from 'vitest'
import { createTool } from '../tool/create-tool.ts'
import { ToolResponse } from '../tool/answer-builders.ts'
import { testTool, textOf } from './index.ts'

const MINUTE = 60_000

/** Works for a minute of the test's time. */
const film = createTool({
  metadata: { name: 'film' },
  job: {
    pollIntervalMs: 10_000,
    lifetimeMs: 10 * MINUTE,
    start: (_, { platform }) => ({ begun: platform.now() }),
    poll: async (state, { platform }) => {
      const passed = platform.now() - (state?.begun ?? 0)
      if (passed >= MINUTE) return { result: ToolResponse.text('a film') }
      return { progress: { value: passed, total: MINUTE }, message: 'Rendering' }
    },
    cancel: async () => 'cancelled',
  },
})

describe('a job in a test', () => {
  it('is followed to its end by a call, at no cost of time', async () => {
    const t = testTool(film)
    const before = t.platform.now()
    expect(textOf(await t.call())).toBe('a film')
    expect(t.platform.now() - before).toBe(MINUTE)
  })

  it('is looked at when the test says so', async () => {
    const t = testTool(film)
    const job = await t.startJob()
    expect(job.record).toMatchObject({ status: 'working', tool: 'film', component: 'test' })
    expect((await job.poll(9_999)).progress).toBeUndefined()
    expect((await job.poll(1)).progress).toEqual({ value: 10_000, total: MINUTE })
    expect((await job.end()).status).toBe('completed')
    expect(t.kv.json(`job:${job.id}`)).toMatchObject({ status: 'completed' })
  })

  it('can be cancelled, and has then no result', async () => {
    const job = await testTool(film).startJob()
    expect((await job.cancel()).status).toBe('cancelled')
    expect((await job.cancel()).status).toBe('cancelled')
    await expect(job.result()).rejects.toThrow('job cancelled')
  })

  it('is gone once it has expired', async () => {
    const t = testTool(film)
    const job = await t.startJob()
    t.advance(10 * MINUTE)
    await expect(job.poll()).rejects.toThrow('is gone')
  })

  it('rejects with the reason why it failed', async () => {
    const broken = createTool({
      metadata: { name: 'broken' },
      job: { start: () => 1, poll: async () => ({ error: { message: 'no film left' } }) },
    })
    await expect(testTool(broken).call()).rejects.toThrow('job failed: no film left')
  })

  it('is asked for of tools that start one', async () => {
    const quick = createTool({ metadata: { name: 'quick' }, handler: () => 'now' })
    await expect(testTool(quick).startJob()).rejects.toThrow('answered at once')
  })
})
