import type { JobRecord } from 'ftl-contract'
import { describe, expect, it } from 'vitest'
import { createWorld } from '../../testing/components.ts'
import { JOB_ID, jobComponent, PICTURE, record, store } from '../../testing/job-component.ts'

const URL_OF_EVENTS = `http://localhost:3000/jobs/${JOB_ID}/events`
const DONE: Partial<JobRecord> = { status: 'completed', seq: 3, result: { content: [PICTURE] } }
const RESULT = { content: [{ ...PICTURE, uri: `http://localhost:3000${PICTURE.uri}` }] }

async function events(
  stored: Parameters<typeof record>[0],
  answers: Parameters<typeof jobComponent>,
  accept = '',
) {
  const { component } = jobComponent(...answers)
  const world = createWorld({ components: { images: component } })
  await store(world.platform, record(stored))
  return world.send(new Request(URL_OF_EVENTS, { headers: { accept } }))
}

describe('the events of a job', () => {
  it('are its states, then one result', async () => {
    const half = { message: 'Half way.', seq: 2, progress: { value: 1, total: 2 } }
    // Young enough, on the busiest machine, not to be asked about before the first event.
    const response = await events({ pollIntervalMs: 500 }, [half, half, DONE])
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    const read = (await response.text())
      .trim()
      .split('\n\n')
      .map((event) => event.split('\n').map((line) => line.replace(/^(event|data): /, '')))
      .map(([name, data]) => [name, JSON.parse(data ?? '') as unknown])
    expect(read).toMatchObject([
      ['status', { type: 'status', id: JOB_ID, status: 'working', message: 'Queued.' }],
      ['status', { message: 'Half way.', progress: 1, total: 2 }],
      ['result', { type: 'result', status: 'completed', result: RESULT }],
    ])
  })

  it('come as lines to whoever asks for lines', async () => {
    const response = await events({ pollIntervalMs: 500 }, [DONE], 'application/x-ndjson')
    expect(response.headers.get('content-type')).toBe('application/x-ndjson')
    const lines = (await response.text()).trim().split('\n')
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { type: 'status' },
      { type: 'result', result: RESULT },
    ])
  })

  it('are the end alone for whoever comes late', async () => {
    const text = await (await events(DONE, [], 'application/x-ndjson')).text()
    expect(text.trim().split('\n')).toHaveLength(1)
    expect(JSON.parse(text)).toMatchObject({ type: 'result', result: RESULT })
  })

  it('end with an error when the job does', async () => {
    const error = { code: -32000, message: 'No model.' }
    const text = await (
      await events({ status: 'failed', error }, [], 'application/x-ndjson')
    ).text()
    expect(JSON.parse(text)).toMatchObject({ type: 'error', message: 'No model.', code: -32000 })
    expect(text).not.toContain('secret')
  })

  it('of an unknown job are 404', async () => {
    const response = await createWorld().send(new Request(URL_OF_EVENTS))
    expect(response.status).toBe(404)
  })
})
