import { readFile } from 'node:fs/promises'
import type { JobRecord } from 'ftl-contract'
import { describe, expect, it } from 'vitest'
import { createWorld, post, type World } from './testing/components.ts'
import { JOB_ID, jobComponent, type JobComponent, PICTURE } from './testing/job-component.ts'

const guide = await readFile(
  new URL('../../test/fixtures/seeds/streaming-guide.md', import.meta.url),
  'utf8',
)

const [request, start, , failureChunk] = [...guide.matchAll(/```json\n(.*?)```/gs)].map(
  ([, json = '']) => JSON.parse(json) as unknown,
)

const REVISION = { 'mcp-protocol-version': '2025-06-18' }
const DONE: Partial<JobRecord> = { status: 'completed', result: { content: [PICTURE] } }

function worldWith(job: JobComponent, variables: Record<string, string> = {}): World {
  return createWorld({ components: { images: job.component }, variables })
}

describe('the streaming guide', () => {
  it('answers the documented request with the documented stream/start', async () => {
    const world = worldWith(jobComponent(), { bridge_url: 'http://your_server_url:8001' })
    const answer = await world.rpc(request)
    expect(JSON.stringify(answer)).toBe(JSON.stringify(start))
  })

  it('answers at once, without asking for the job', async () => {
    const world = worldWith(jobComponent())
    await world.rpc(request)
    expect(world.log.filter((line) => line.includes('/jobs/'))).toEqual([])
  })

  it('lets the component start a job', async () => {
    const job = jobComponent()
    await worldWith(job).rpc(request)
    expect(job.started.map((headers) => headers.get('prefer'))).toEqual(['respond-async'])
  })

  it.each([
    ['http://192.168.1.5:3000/mcp', 'ws://192.168.1.5:8001'],
    ['http://[::1]:3000/mcp', 'ws://[::1]:8001'],
    ['https://tools.example/mcp', 'wss://tools.example:8001'],
  ])('for a client at %s the bridge is at %s unless it is configured', async (url, bridge) => {
    const response = await worldWith(jobComponent(), { allowed_hosts: 'tools.example' }).send(
      new Request(url, post(request)),
    )
    expect(await response.json()).toMatchObject({
      params: { ws_url: `${bridge}/ws/stream/${JOB_ID}` },
    })
  })

  it('names the variable when the address of the bridge is unusable', async () => {
    const world = worldWith(jobComponent(), { bridge_url: 'nowhere' })
    expect(await world.rpc(request)).toMatchObject({
      error: { code: -32603, data: { reason: expect.stringContaining('"bridge_url"') as string } },
    })
  })
})

describe('who gets the stream', () => {
  const STREAM = { method: 'stream/start' }
  const RESULT = { result: { content: [{ type: 'resource_link' }] } }
  const events = { accept: 'application/json, text/event-stream' }

  it.each([
    ['plain', {}, STREAM],
    ['plain', { accept: 'application/json' }, STREAM],
    ['plain', REVISION, RESULT],
    ['plain', events, RESULT],
    ['always', REVISION, STREAM],
    ['never', {}, RESULT],
  ])('with stream_start %s and %j', async (stream_start, headers, expected) => {
    const world = worldWith(jobComponent(DONE), { stream_start })
    expect(await world.rpc(request, headers)).toMatchObject(expected)
  })

  it.each(['off', 'down'])(
    'with bridge_url %s no client is sent to the bridge',
    async (bridge_url) => {
      for (const stream_start of ['plain', 'always']) {
        const world = worldWith(jobComponent(DONE), { stream_start, bridge_url })
        expect(await world.rpc(request, {})).toMatchObject(RESULT)
      }
    },
  )
})

describe('a client that waits', () => {
  it('gets the result, its files at the address the client used', async () => {
    const world = worldWith(jobComponent({}, {}, DONE))
    expect(await world.rpc(request, REVISION)).toEqual({
      jsonrpc: '2.0',
      result: {
        content: [{ ...PICTURE, uri: `http://localhost:3000/outputs/${JOB_ID}.png` }],
      },
      id: 'req-client-123',
    })
    expect(world.log.filter((line) => line.includes('/jobs/'))).toHaveLength(3)
  })

  it('gets a handle at the limit', async () => {
    const world = worldWith(jobComponent({ message: 'Half way.' }), { wait_limit_ms: '120' })
    const { result } = (await world.rpc(request, REVISION)) as { result: Record<string, unknown> }
    const url = `http://localhost:3000/jobs/${JOB_ID}`
    expect(result).toMatchObject({
      content: [{ type: 'text', text: expect.stringContaining(`GET ${url}`) as string }],
      structuredContent: { job_id: JOB_ID, status: 'working', status_url: url },
    })
    expect(JSON.stringify(result)).not.toContain('secret')
  })

  const plain = request as { params: object }
  const withProgress = { ...plain, params: { ...plain.params, _meta: { progressToken: 7 } } }
  const EVENTS = { ...REVISION, accept: 'application/json, text/event-stream' }

  it('gets the result after the limit if it asked for progress', async () => {
    const answers = Array.from({ length: 8 }, (_, nth) => ({
      seq: nth + 2,
      message: `Step ${nth}`,
    }))
    const world = worldWith(jobComponent(...answers, { ...DONE, seq: 10 }), {
      wait_limit_ms: '120',
    })
    const text = await (await world.send(post(withProgress, EVENTS))).text()
    expect(text).toContain('notifications/progress')
    expect(text).toContain('"resource_link"')
    expect(text).not.toContain('job_id')
  })

  it('gets a handle before the host ends the request, also if it asked for progress', async () => {
    const world = worldWith(jobComponent({ message: 'Half way.' }), {
      wait_limit_ms: '1',
      stream_limit_ms: '120',
    })
    const text = await (await world.send(post(withProgress, EVENTS))).text()
    expect(text).toContain(`"job_id":"${JOB_ID}"`)
  })

  it('does not mind an owner that fails for a while', async () => {
    const world = worldWith(jobComponent('broken', DONE))
    expect(await world.rpc(request, REVISION)).toMatchObject({
      result: { content: [{ type: 'resource_link' }] },
    })
  })

  const documented = failureChunk as { params: { error: { code: number; message: string } } }
  const failed = { status: 'failed', error: documented.params.error } as const

  it('gets a failed job as the documented error, when it is a plain one', async () => {
    const world = worldWith(jobComponent(failed), { stream_start: 'never' })
    expect(await world.rpc(request)).toEqual({
      jsonrpc: '2.0',
      error: { ...documented.params.error, data: { tool: 'generate_image' } },
      id: 'req-client-123',
    })
  })

  it('gets a failed job as a result with isError, when it names a revision', async () => {
    const world = worldWith(jobComponent(failed))
    expect(await world.rpc(request, REVISION)).toMatchObject({
      result: {
        isError: true,
        content: [{ type: 'text', text: documented.params.error.message }],
      },
    })
  })

  it.each([
    ['cancelled', { status: 'cancelled', message: 'Cancelled.' } as const],
    ['forgotten by its owner', 'gone' as const],
  ])('gets a job that was %s as a failure', async (_how, answer) => {
    expect(await worldWith(jobComponent(answer)).rpc(request, REVISION)).toMatchObject({
      result: { isError: true },
    })
  })
})

it('refuses arguments that do not fit before any job exists', async () => {
  const job = jobComponent()
  const params = { name: 'generate_image', arguments: { prompt: 5 } }
  const answer = await worldWith(job).rpc({ jsonrpc: '2.0', method: 'tools/call', params, id: 1 })
  expect(answer).toMatchObject({ error: { code: -32602, data: { code: -32003 } } })
  expect(job.started).toEqual([])
})
