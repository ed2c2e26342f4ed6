import { beforeEach, describe, expect, it, vi } from 'vitest'
import { ToolResponse } from '../tool/answer-builders.ts'
import { setting } from './testing/setting.ts'
import { read, start, storedJobs } from './testing/works.ts'

const log = vi.spyOn(console, 'error').mockImplementation(() => {})
beforeEach(() => void log.mockClear())

describe('a job that is being submitted', () => {
  function submitting() {
    const gate = Promise.withResolvers<void>()
    const all = setting({
      start: async (_, { job }) => {
        await job.update({ state: { ticket: job.id } })
        await gate.promise
        await all.by.begin(job.id)
        return { ticket: job.id }
      },
    })
    const started = start(all.entry, all.by)
    const stored = () => expect.poll(() => storedJobs(all.on)).toHaveLength(1)
    return { ...all, gate, started, stored }
  }

  it('is not lost while the service does not know it yet, but is in the end', async () => {
    const { on, stored, later } = submitting()
    await stored()
    const [id = ''] = storedJobs(on)
    expect((await later(id, 29_000)).status).toBe('working')
    expect(await later(id, 1100)).toMatchObject({
      status: 'failed',
      message: 'The job was lost before the service behind it accepted it.',
    })
  })

  it('is accepted when somebody knows it, whether the start lives or not', async () => {
    const { on, stored, later } = submitting()
    await stored()
    const [id = ''] = storedJobs(on)
    on.begun.push(id)
    on.progress = 'running'
    expect(await later(id)).toMatchObject({ status: 'working', upstream: { phase: 'accepted' } })
  })

  it('is stopped where it runs when it was cancelled meanwhile', async () => {
    const { on, by, entry, gate, started, stored } = submitting()
    await stored()
    const [id = ''] = storedJobs(on)
    expect((await read(entry, by, id, { method: 'DELETE' })).status).toBe('cancelled')
    gate.resolve()
    expect((await started).status).toBe('cancelled')
    expect([on.begun, on.stopped]).toEqual([[id], [id]])
  })

  it('is not begun at all when it was cancelled before', async () => {
    const gate = Promise.withResolvers<void>()
    const all = setting({
      start: async (_, { job }) => {
        await gate.promise
        await job.update({ message: 'Sending' })
        await all.by.begin(job.id)
        return { ticket: job.id }
      },
    })
    const started = start(all.entry, all.by)
    await expect.poll(() => storedJobs(all.on)).toHaveLength(1)
    const [id = ''] = storedJobs(all.on)
    await read(all.entry, all.by, id, { method: 'DELETE' })
    gate.resolve()
    expect((await started).status).toBe('cancelled')
    expect(all.on.begun).toEqual([])
    // Stopping at `JobEnded` is not logged as a failure.
    expect(log).not.toHaveBeenCalled()
  })

  it('is not lost by a look that began before it was there', async () => {
    const gate = Promise.withResolvers<void>()
    const looked = Promise.withResolvers<void>()
    const all = setting({
      start: async (_, { job }) => {
        await gate.promise
        return { ticket: job.id }
      },
      poll: async () => {
        await looked.promise
        return 'lost'
      },
    })
    const started = start(all.entry, all.by)
    await expect.poll(() => storedJobs(all.on)).toHaveLength(1)
    const [id = ''] = storedJobs(all.on)
    const looking = all.later(id, 31_000)
    gate.resolve()
    await started
    looked.resolve()
    expect(await looking).toMatchObject({ status: 'working', upstream: { phase: 'accepted' } })
  })
})

describe('cancelling', () => {
  it.each([
    ['cancelled', 'cancelled', 'Cancelled'],
    ['unreachable', 'working', 'Not cancelled: the service behind it could not be reached'],
    ['ended', 'completed', 'Done'],
  ] as const)('%s leaves the job %s', async (outcome, status, message) => {
    const { by, entry } = setting({ cancel: async () => outcome })
    const { id } = await start(entry, by)
    expect(await read(entry, by, id, { method: 'DELETE' })).toMatchObject({ status, message })
  })

  it('needs no function of the tool', async () => {
    const { by, entry, later } = setting({ cancel: undefined })
    const { id } = await start(entry, by)
    await read(entry, by, id, { method: 'DELETE' })
    expect((await later(id)).status).toBe('cancelled')
  })

  it('is not taken back by a look that was under way', async () => {
    const gate = Promise.withResolvers<void>()
    const { by, entry, later } = setting({
      poll: async () => {
        await gate.promise
        return { result: ToolResponse.text('too late') }
      },
    })
    const { id } = await start(entry, by)
    const looking = later(id)
    const cancelled = await read(entry, by, id, { method: 'DELETE' })
    gate.resolve()
    expect(await looking).toEqual(cancelled)
  })
})
