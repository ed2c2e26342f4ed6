import { describe, expect, it } from 'vitest'
import { createWorld, type World } from '../../testing/components.ts'
import {
  JOB_ID,
  jobComponent,
  type JobComponent,
  PICTURE,
  record,
  store,
} from '../../testing/job-component.ts'

const NOW = Date.parse('2026-01-01T12:00:00Z')

function worldWith(job: JobComponent): World {
  return createWorld({ components: { images: job.component }, now: () => NOW })
}

async function get(world: World, id = JOB_ID, method = 'GET') {
  const url = `http://localhost:3000/jobs/${id}`
  const response = await world.send(new Request(url, { method }))
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

const NOT_FOUND = { status: 404, body: { error: { code: 'job_not_found' } } }
const old = new Date(NOW - 10_000).toISOString()

describe('GET /jobs/{id}', () => {
  it('shows a young record without asking its owner', async () => {
    const world = worldWith(jobComponent())
    await store(world.platform, record({}, NOW))
    expect(await get(world)).toMatchObject({ status: 200, body: { id: JOB_ID, seq: 1 } })
    expect(world.log).toEqual([])
  })

  it('has the owner refresh an old working record, once', async () => {
    const world = worldWith(jobComponent({ status: 'completed', result: { content: [PICTURE] } }))
    await store(world.platform, record({ updatedAt: old }, NOW))
    expect(await get(world)).toMatchObject({ body: { status: 'completed', seq: 2 } })
    expect(world.log).toEqual([`GET http://images.spin.internal/jobs/${JOB_ID}`])
  })

  it('leaves the addresses of files relative, for the bridge to put its own in front', async () => {
    const world = worldWith(jobComponent())
    const job = record({ status: 'completed', result: { content: [PICTURE] } }, NOW)
    await store(world.platform, job)
    expect(await get(world)).toMatchObject({ body: { result: { content: [PICTURE] } } })
  })

  it('does not ask about a job that has ended', async () => {
    const world = worldWith(jobComponent())
    await store(world.platform, record({ updatedAt: old, status: 'failed' }, NOW))
    expect(await get(world)).toMatchObject({ body: { status: 'failed' } })
    expect(world.log).toEqual([])
  })

  it('shows what is stored when the owner does not answer', async () => {
    const world = worldWith(jobComponent('broken'))
    await store(world.platform, record({ updatedAt: old }, NOW))
    expect(await get(world)).toMatchObject({ status: 200, body: { status: 'working', seq: 1 } })
  })

  it('never shows where the work runs or whose it is', async () => {
    const world = worldWith(jobComponent({ status: 'completed' }))
    await store(world.platform, record({ updatedAt: old }, NOW))
    const { body } = await get(world)
    expect(body).not.toHaveProperty('upstream')
    expect(body).not.toHaveProperty('owner')
    expect(JSON.stringify(body)).not.toContain('secret')
  })

  it('does not find a job that has expired', async () => {
    const world = worldWith(jobComponent())
    await store(world.platform, record({ expiresAt: old }, NOW))
    expect(await get(world)).toMatchObject(NOT_FOUND)
  })

  it('does not find a job its owner no longer has', async () => {
    const world = worldWith(jobComponent('gone'))
    await store(world.platform, record({ updatedAt: old }, NOW))
    expect(await get(world)).toMatchObject(NOT_FOUND)
  })

  it.each([
    '00000000-0000-4000-8000-000000000000',
    'nonsense',
    'x'.repeat(300),
    '..%2Fcatalog',
    JOB_ID.toUpperCase(),
  ])('does not find %s', async (id) => {
    expect(await get(worldWith(jobComponent()), id)).toMatchObject(NOT_FOUND)
  })

  it('does not follow a record to an address outside the application', async () => {
    const world = worldWith(jobComponent())
    await store(world.platform, record({ component: 'evil.example/', updatedAt: old }, NOW))
    expect(await get(world)).toMatchObject(NOT_FOUND)
    expect(world.log).toEqual([])
  })

  it('does not believe an owner that answers with another job', async () => {
    const other = '11111111-1111-4111-8111-111111111111'
    const world = worldWith(jobComponent({ id: other, status: 'completed' }))
    await store(world.platform, record({ updatedAt: old }, NOW))
    expect(await get(world)).toMatchObject({ body: { id: JOB_ID, status: 'working' } })
  })
})

describe('DELETE /jobs/{id}', () => {
  it('has the owner cancel it', async () => {
    const world = worldWith(jobComponent())
    await store(world.platform, record({}, NOW))
    const answer = await get(world, JOB_ID, 'DELETE')
    expect(answer).toMatchObject({ status: 200, body: { status: 'cancelled' } })
    expect(answer.body).not.toHaveProperty('upstream')
    expect(world.log).toEqual([`DELETE http://images.spin.internal/jobs/${JOB_ID}`])
  })

  it('leaves a job that has ended as it is', async () => {
    const world = worldWith(jobComponent())
    await store(world.platform, record({ status: 'completed' }, NOW))
    expect(await get(world, JOB_ID, 'DELETE')).toMatchObject({ body: { status: 'completed' } })
    expect(world.log).toEqual([])
  })

  it('says so when the owner does not answer', async () => {
    const world = worldWith(jobComponent())
    world.components['images'] = () => new Response('secret', { status: 500 })
    await store(world.platform, record({}, NOW))
    const { status, body } = await get(world, JOB_ID, 'DELETE')
    expect(status).toBe(502)
    expect(body).toMatchObject({ error: { code: 'component_unavailable' } })
  })

  it('does not find an unknown job', async () => {
    expect(await get(worldWith(jobComponent()), JOB_ID, 'DELETE')).toMatchObject(NOT_FOUND)
  })
})

it('refuses other methods', async () => {
  expect((await get(worldWith(jobComponent()), JOB_ID, 'POST')).status).toBe(405)
})
