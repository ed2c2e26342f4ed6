import { describe, expect, it } from 'vitest'
import type { JobRecord } from 'ftl-contract'
import { createWorld } from '../../testing/components.ts'
import { JOB_ID, jobComponent, type JobComponent, PICTURE } from '../../testing/job-component.ts'
import { send } from '../../testing/rest.ts'

const BODY = { tool: 'generate_image', params: { prompt: 'a dragon' } }
const DONE: Partial<JobRecord> = { status: 'completed', result: { content: [PICTURE] } }

function starting(...answers: JobComponent['answers']) {
  const images = jobComponent(...answers)
  const world = createWorld({
    components: { images: images.component },
    variables: { wait_limit_ms: '150' },
  })
  return { images, world }
}

const failing = (error: JobRecord['error']) => starting({ status: 'failed', error })

describe('a tool that starts a job', () => {
  it('is waited for', async () => {
    const { status, body } = await send(starting({}, DONE).world, '/invoke', { body: BODY })
    expect(status).toBe(200)
    expect(body).toEqual({
      content: [{ ...PICTURE, uri: `http://localhost:3000${PICTURE.uri}` }],
    })
  })

  it('is a job where that takes too long', async () => {
    const { status, headers, body } = await send(starting({}).world, '/invoke', { body: BODY })
    expect(status).toBe(202)
    expect(headers.get('location')).toBe(`/jobs/${JOB_ID}`)
    // Its poll interval of 50 ms, in whole seconds.
    expect(headers.get('retry-after')).toBe('1')
    expect(body).toMatchObject({ id: JOB_ID, status: 'working', tool: 'generate_image' })
    expect(JSON.stringify(body)).not.toContain('secret')
  })

  it.each([
    ['Prefer: respond-async', { prefer: 'respond-async' }, ''],
    ['Prefer in any case', { prefer: 'Respond-Async' }, ''],
    ['Prefer: wait=0', { prefer: 'wait=0' }, ''],
    ['?wait=0', {}, '?wait=0'],
    ['several preferences', { prefer: 'handling=lenient, wait="0"; x=y, respond-async' }, ''],
  ])('is not waited for with %s', async (_, headers, query) => {
    const { world } = starting(DONE)
    const { status } = await send(world, `/invoke${query}`, { body: BODY, headers })
    expect(status).toBe(202)
    expect(world.log.filter((line) => line.includes('/jobs/'))).toEqual([])
  })

  it.each([
    ['?wait=5', '?wait=5', {}],
    ['?wait=0.4', '?wait=0.4', {}],
    ['Prefer: respond-async, wait=5', '', { prefer: 'respond-async, wait=5' }],
    ['a preference without sense', '', { prefer: 'wait=soon' }],
    ['another preference', '', { prefer: 'return=minimal' }],
  ])('is waited for with %s', async (_, query, headers) => {
    const { world } = starting(DONE)
    const { status } = await send(world, `/invoke${query}`, { body: BODY, headers })
    expect(status).toBe(200)
  })

  it.each(['-1', 'soon', '', '1e9', 'Infinity'])('refuses ?wait=%s', async (wait) => {
    const { status, body } = await send(starting(DONE).world, `/invoke?wait=${wait}`, {
      body: BODY,
    })
    expect(status).toBe(400)
    expect(body.error).toMatchObject({ code: 'invalid_request', field: 'wait' })
  })

  it('is waited for with a number in any notation of JSON', async () => {
    const { status } = await send(starting({}).world, '/invoke?wait=1e-3', { body: BODY })
    expect(status).toBe(202)
  })

  it('is waited for no longer than the gateway waits', async () => {
    const { status } = await send(starting({}).world, '/invoke?wait=3600', { body: BODY })
    expect(status).toBe(202)
  })

  it('answers with how it ended when it ended at once', async () => {
    const component = jobComponent().component
    const ended = createWorld({
      components: {
        images: async (request) => {
          const response = await component(request)
          if (response.status !== 202) return response
          const { job } = (await response.json()) as { job: object }
          return Response.json({ job: { ...job, ...DONE } }, { status: 202 })
        },
      },
    })
    const headers = { prefer: 'respond-async' }
    expect((await send(ended, '/invoke', { body: BODY, headers })).status).toBe(200)
  })

  it('hands on the idempotency key', async () => {
    const { images, world } = starting(DONE)
    await send(world, '/invoke', { body: BODY, headers: { 'idempotency-key': 'order-1' } })
    expect(images.started[0]?.get('idempotency-key')).toBe('order-1')
  })

  it('hands on one for each call of a list', async () => {
    const { images, world } = starting(DONE)
    const call = (id: string) => ({
      id,
      function: { name: 'generate_image', arguments: '{"prompt":"p"}' },
    })
    const body = [call('a'), call('b')]
    await send(world, '/invoke', { body, headers: { 'idempotency-key': 'order-1' } })
    const keys = images.started.map((headers) => headers.get('idempotency-key'))
    expect(new Set(keys).size).toBe(2)
    expect(keys.every((key) => key?.startsWith('order-1'))).toBe(true)
  })

  it('tells a model how to ask for the rest', async () => {
    const body = [{ id: 'a', function: { name: 'generate_image', arguments: '{"prompt":"p"}' } }]
    const seen = await send(starting({}).world, '/invoke?wait=0', { body })
    const [{ content }] = seen.body as unknown as [{ content: string }]
    expect(content).toContain('get_job')
    expect(content).toContain(JOB_ID)
  })
})

describe('a job that fails', () => {
  it('for a full queue is 429', async () => {
    const data = { kind: 'queue_full', position: 9, retryAfterSeconds: 42 }
    const { world } = failing({ code: -32000, message: 'Service error: full', data })
    const { status, headers, body } = await send(world, '/invoke', { body: BODY })
    expect(status).toBe(429)
    expect(headers.get('retry-after')).toBe('42')
    expect(body.error).toMatchObject({
      code: 'queue_full',
      message: 'Service error: full',
      retryAfterSeconds: 42,
      tool: 'generate_image',
    })
  })

  it('for anything else is 502 and says what kind', async () => {
    const data = { kind: 'out_of_memory' }
    const { world } = failing({ code: -32000, message: 'Too large', data })
    const { status, body } = await send(world, '/invoke', { body: BODY })
    expect(status).toBe(502)
    expect(body.error).toMatchObject({
      code: 'tool_failed',
      message: 'Too large',
      kind: 'out_of_memory',
    })
  })

  it('because it was cancelled says so', async () => {
    const { status, body } = await send(starting({ status: 'cancelled' }).world, '/invoke', {
      body: BODY,
    })
    expect(status).toBe(502)
    expect(body.error).toMatchObject({ code: 'job_cancelled' })
  })
})
