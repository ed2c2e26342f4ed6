import { beforeEach, describe, expect, it, vi } from 'vitest'
import { InvalidArguments, ToolError } from '../tool/errors.ts'
import { ToolResponse } from '../tool/answer-builders.ts'
import { setting } from './testing/setting.ts'
import { ask, read, start, startCall } from './testing/works.ts'

const log = vi.spyOn(console, 'error').mockImplementation(() => {})
beforeEach(() => void log.mockClear())

describe('a tool made with a job', () => {
  it('is offered as one that starts jobs', async () => {
    const { by, entry } = setting()
    expect(await (await ask(entry, by, '/')).json()).toMatchObject({
      tools: [{ name: 'slow' }],
      jobs: true,
    })
  })

  it('answers with a record that is already stored', async () => {
    const { on, by, entry } = setting()
    const job = await start(entry, by, { 'ftl-principal': 'ada' })
    expect(job).toMatchObject({
      component: 'works',
      tool: 'slow',
      owner: 'ada',
      status: 'working',
      pollIntervalMs: 1000,
      upstream: { phase: 'accepted', state: { ticket: job.id } },
    })
    expect(Date.parse(job.expiresAt) - Date.parse(job.createdAt)).toBe(24 * 3_600_000)
    const stored = await ask(entry, by, `/jobs/${job.id}`, { headers: { 'ftl-principal': 'ada' } })
    expect(await stored.json()).toEqual(job)
    expect(on.begun).toEqual([job.id])
  })

  it('is waited for by a caller that takes no job', async () => {
    const { by, entry } = setting({ pollIntervalMs: 5 })
    const response = await ask(entry, by, '/slow', { method: 'POST', body: {} })
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ content: [{ type: 'text', text: 'made' }] })
  })

  it('is not waited for when it has expired', async () => {
    const { by, entry } = setting({ pollIntervalMs: 5, lifetimeMs: 1, poll: async () => ({}) })
    const response = await ask(entry, by, '/slow', { method: 'POST', body: {} })
    expect(await response.json()).toEqual(ToolResponse.error('The job has expired.'))
  })

  it('is looked at when it is due and somebody asks', async () => {
    let looks = 0
    const poll = async () => ({ message: `look ${++looks}`, pollIntervalMs: 3000 })
    const { by, entry, later } = setting({ poll })
    const { id } = await start(entry, by)
    await read(entry, by, id)
    expect(looks).toBe(0)
    expect(await later(id)).toMatchObject({ message: 'look 1', pollIntervalMs: 3000 })
    expect((await later(id, 2900)).message).toBe('look 1')
    expect((await later(id, 100)).message).toBe('look 2')
  })

  it('stores nothing for a call that is refused', async () => {
    const { on, by, entry } = setting({
      prepare: (input) => {
        throw input['bad'] ? new InvalidArguments('bad: not here') : new ToolError('closed')
      },
    })
    expect((await startCall(entry, by, {}, { bad: true })).status).toBe(400)
    const closed = await startCall(entry, by)
    expect([closed.status, await closed.json()]).toEqual([200, ToolResponse.error('closed')])
    expect(on.values.size).toBe(0)
  })

  it('fails in the words of a ToolError, and keeps all others for the log', async () => {
    const broken = (error: Error) =>
      setting({
        errorPrefix: 'Oven: ',
        start: () => {
          throw error
        },
      })
    const full = broken(new ToolError('full', { kind: 'queue_full', position: 3 }))
    expect(await start(full.entry, full.by)).toMatchObject({
      status: 'failed',
      message: 'Oven: full',
      error: { code: -32000, message: 'Oven: full', data: { kind: 'queue_full', position: 3 } },
    })
    const secret = broken(new Error('password=1234'))
    const job = await start(secret.entry, secret.by)
    expect(job.status).toBe('failed')
    expect(JSON.stringify(job)).not.toContain('1234')
    expect(log.mock.calls.join()).toContain('1234')
  })

  it('passes the kind of a failure on', async () => {
    const error = { message: 'No memory left.', kind: 'out_of_memory', data: { node: 'x' } }
    const { by, entry, later } = setting({ poll: async () => ({ error }) })
    const { id } = await start(entry, by)
    expect((await later(id)).error).toEqual({
      code: -32000,
      message: 'No memory left.',
      data: { kind: 'out_of_memory', node: 'x' },
    })
  })

  it('fails with a word when its result cannot be kept', async () => {
    const { by, entry, later } = setting({
      poll: async () => ({ result: ToolResponse.text('ä'.repeat(500_000)) }),
    })
    const { id } = await start(entry, by)
    const job = await later(id)
    expect(job).toMatchObject({
      status: 'failed',
      error: { data: { kind: 'result_too_large' } },
    })
    expect(job.result).toBeUndefined()
    expect(await later(id)).toEqual(job)
  })

  it('begins nothing when its state cannot be kept', async () => {
    const { on, by, entry } = setting({
      start: async (_, { job }) => {
        await job.update({ state: 'x'.repeat(1_000_000) })
        await by.begin(job.id)
        return { ticket: '' }
      },
    })
    expect(await start(entry, by)).toMatchObject({
      status: 'failed',
      error: { data: { kind: 'state_too_large' } },
    })
    expect(on.begun).toEqual([])
  })
})

describe('silence', () => {
  it('is reported, and fails the job after a while', async () => {
    const { by, entry, later } = setting({
      upstream: 'the oven',
      poll: async () => {
        throw new Error('ECONNREFUSED 10.0.0.1')
      },
    })
    const { id } = await start(entry, by)
    const silent = { status: 'working', message: 'The oven does not answer; asking again' }
    expect(await later(id)).toMatchObject(silent)
    expect(await later(id, 119_000)).toMatchObject(silent)
    expect(await later(id, 2000)).toMatchObject({
      status: 'failed',
      error: {
        message: 'The oven has not answered for two minutes.',
        data: { kind: 'unreachable' },
      },
    })
  })

  it('fails the job with the text that poll gave for it', async () => {
    const { by, entry, later } = setting({
      upstream: 'the oven',
      poll: async () => ({ unreachable: 'the door is open' }),
    })
    const { id } = await start(entry, by)
    expect(await later(id)).toMatchObject({ status: 'working', message: 'the door is open' })
    expect((await later(id, 121_000)).error?.message).toBe(
      'The oven has not answered for two minutes: the door is open',
    )
  })

  it('is forgotten when there is an answer', async () => {
    let silent = true
    const { by, entry, later } = setting({ poll: async () => (silent ? 'unreachable' : {}) })
    const { id } = await start(entry, by)
    await later(id)
    silent = false
    await later(id, 100_000)
    silent = true
    expect((await later(id, 100_000)).status).toBe('working')
  })
})
