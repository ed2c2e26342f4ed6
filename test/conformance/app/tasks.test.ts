// The fixtures hold what the suite takes for granted; else a mistake of theirs would look like one of the gateway.
import { memoryPlatform } from 'ftl-platform/memory'
import type { JobRecord } from 'ftl-contract'
import { beforeEach, describe, expect, it } from 'vitest'
import tasks from './tasks.ts'

let now: number
let platform: ReturnType<typeof memoryPlatform>
beforeEach(() => {
  now = Date.parse('2026-01-01T00:00:00Z')
  platform = memoryPlatform({ now: () => now })
})

const CLIENT = {
  prefer: 'respond-async',
  'ftl-tasks': '1',
  'ftl-client-capabilities': '{"elicitation":{"form":{}}}',
}

function ask(method: string, path: string, body?: object, headers = {}): Promise<Response> {
  const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) }
  return tasks.fetch(new Request(`http://tasks.spin.internal${path}`, init), platform)
}

async function start(tool: string, args: object = {}): Promise<JobRecord> {
  const response = await ask('POST', `/${tool}`, args, CLIENT)
  expect(response.status).toBe(202)
  const { job } = (await response.json()) as { job: JobRecord }
  expect(response.headers.get('location')).toBe(`/jobs/${job.id}`)
  return job
}

async function tell(method: string, { id }: JobRecord, body?: object): Promise<JobRecord> {
  return (await (await ask(method, `/jobs/${id}`, body)).json()) as JobRecord
}

const accept = (content: object) => ({ action: 'accept', content })

describe('slow_compute', () => {
  it('works until its time is over', async () => {
    const job = await start('slow_compute', { seconds: 2, label: 'a' })
    expect(job).toMatchObject({ component: 'tasks', status: 'working' })
    now += 1999
    expect(await tell('GET', job)).toMatchObject({
      status: 'working',
      progress: { value: 1999, total: 2000 },
    })
    now += 1
    const { status, result, seq } = await tell('GET', job)
    expect(status).toBe('completed')
    expect(result?.content).toEqual([{ type: 'text', text: 'Computed for 2 s: a' }])
    expect(seq).toBe(3)
  })

  it('answers at once where there is nothing to wait for', async () => {
    const response = await ask('POST', '/slow_compute', { seconds: 0 }, CLIENT)
    expect(response.status).toBe(200)
  })

  it('stays cancelled when its time is over', async () => {
    const job = await start('slow_compute', { seconds: 2 })
    expect((await tell('DELETE', job)).status).toBe('cancelled')
    now += 5000
    expect((await tell('GET', job)).status).toBe('cancelled')
  })

  it('is not cancelled any more when its time is over and nobody has looked', async () => {
    const job = await start('slow_compute', { seconds: 2 })
    now += 5000
    expect((await tell('DELETE', job)).status).toBe('completed')
  })
})

describe('a job that asks', () => {
  it('waits for every answer, each taken once', async () => {
    const job = await start('multi_input')
    expect(Object.keys(job.inputRequests ?? {})).toEqual(['who', 'sure'])
    const partly = { who: accept({ name: 'Ada' }), other: accept({}) }
    const half = await tell('POST', job, { inputResponses: partly })
    expect(half.status).toBe('input_required')
    expect(Object.keys(half.inputRequests ?? {})).toEqual(['sure'])
    now += 5000
    expect(await tell('GET', job)).toEqual(half)
    const rest = { sure: accept({ confirm: true }), who: accept({ name: 'Eve' }) }
    const resumed = await tell('POST', job, { inputResponses: rest })
    expect(resumed.status).toBe('working')
    expect(resumed).not.toHaveProperty('inputRequests')
    now += 500
    expect(await tell('GET', job)).toMatchObject({
      status: 'completed',
      result: { content: [{ text: 'Ada is sure.' }] },
    })
  })

  it('takes a refusal for a no', async () => {
    const job = await start('confirm_delete', { filename: 'a.txt' })
    expect(
      await tell('POST', job, { inputResponses: { sure: { action: 'decline' } } }),
    ).toMatchObject({ status: 'completed', result: { content: [{ text: 'a.txt is kept.' }] } })
  })

  it('shows no question once it is cancelled', async () => {
    const job = await tell('DELETE', await start('confirm_delete', { filename: 'a.txt' }))
    expect(job.status).toBe('cancelled')
    expect(job).not.toHaveProperty('inputRequests')
  })
})

it.each([
  ['failing_job', 'ftl-tasks', { extensions: { 'io.modelcontextprotocol/tasks': {} } }],
  ['confirm_delete', 'ftl-client-capabilities', { elicitation: {} }],
])('%s says what it needs where %s does not', async (tool, header, requiredCapabilities) => {
  const headers = Object.fromEntries(Object.entries(CLIENT).filter(([name]) => name !== header))
  const response = await ask('POST', `/${tool}`, {}, headers)
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({
    error: { code: 'missing_capability', requiredCapabilities },
  })
})

it('protocol_error_job ends with an error and no result', async () => {
  const job = await start('protocol_error_job')
  now += 500
  const ended = await tell('GET', job)
  expect(ended).toMatchObject({ status: 'failed', error: { code: -32603 } })
  expect(ended).not.toHaveProperty('result')
})

it('a job nobody started is not found', async () => {
  expect((await ask('GET', '/jobs/0b8ec6b4-7f6e-4a39-9a3b-0f9a2d9d6f10')).status).toBe(404)
  expect((await ask('GET', '/jobs/other')).status).toBe(404)
})
