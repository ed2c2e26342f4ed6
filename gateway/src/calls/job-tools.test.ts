import type { JobRecord } from 'ftl-contract'
import { describe, expect, it } from 'vitest'
import { call, createWorld, post, several, text, tool } from '../testing/components.ts'
import { modern } from '../testing/modern.ts'
import { send } from '../testing/rest.ts'
import { JOB_ID, jobComponent, PICTURE, record, store } from '../testing/job-component.ts'

const LIST = { jsonrpc: '2.0', method: 'tools/list', id: 1 }
const REVISION = { 'mcp-protocol-version': '2025-11-25' }
const DONE: Partial<JobRecord> = { status: 'completed', result: { content: [PICTURE] } }

async function worldWith(...answers: Parameters<typeof jobComponent>) {
  const { component } = jobComponent(...answers)
  const offers = { ...tool('generate_image') }
  const world = createWorld({
    components: {
      images: (request) =>
        new URL(request.url).pathname === '/' && request.method === 'GET'
          ? Response.json({ tools: [offers], jobs: true })
          : component(request),
    },
    variables: { wait_limit_ms: '60' },
  })
  await world.rpc(LIST)
  return world
}

const names = (answer: unknown) =>
  (answer as { result: { tools: { name: string }[] } }).result.tools.map(({ name }) => name)

describe('get_job and cancel_job', () => {
  it('are listed where some component starts jobs', async () => {
    expect(names(await (await worldWith()).rpc(LIST))).toEqual([
      ...['generate_image', 'get_job', 'cancel_job'],
    ])
    expect(
      names(await createWorld({ components: { one: several([tool('a')]) } }).rpc(LIST)),
    ).toEqual(['a'])
  })

  it('keep their names; a component that has such a tool gets another for it', async () => {
    const one = () => Response.json({ tools: [tool('get_job')], jobs: true })
    const world = createWorld({
      components: {
        one: (request) => (request.method === 'GET' ? one() : Response.json(text('mine'))),
      },
    })
    expect(names(await world.rpc(LIST))).toEqual(['one__get_job', 'get_job', 'cancel_job'])
    expect(await world.rpc(call('one__get_job', {}))).toMatchObject({ result: text('mine') })
    expect(await world.rpc(call('get_job', { job_id: JOB_ID }), REVISION)).toMatchObject({
      result: { isError: true },
    })
  })

  it.each(['get_job', 'cancel_job'])(
    '%s of a job that does not exist is 404 over HTTP',
    async (name) => {
      const body = { job_id: 'e3e70682-c209-4cac-a29f-6fbed82c07cd' }
      const answer = await send(await worldWith(), `/tools/${name}`, { body })
      expect(answer.status).toBe(404)
      expect(answer.body).toMatchObject({ error: { code: 'job_not_found', tool: name } })
    },
  )

  it.each(['get_job', 'cancel_job'])(
    '%s without a job_id says that it is required',
    async (name) => {
      const answer = await send(await worldWith(), `/tools/${name}`, { body: {} })
      expect(JSON.stringify(answer.body)).toMatch(/job_id.*is required/)
    },
  )

  it.each(['forged', '', 'eyJ0ZXh0IjoiIn0.AAAA'])(
    'get_job of 2026-07-28 rejects the requestState %j, which the gateway has not sealed',
    async (requestState) => {
      const world = await worldWith()
      const params = { name: 'get_job', arguments: { job_id: JOB_ID }, requestState }
      const answer: unknown = await (await world.send(modern('tools/call', params))).json()
      expect(answer).toMatchObject({ error: { code: -32602 } })
      expect(answer).not.toHaveProperty('result')
    },
  )

  it('lead from the handle of a long call to its result', async () => {
    const world = await worldWith({ message: 'Half way.' })
    const first = (await world.rpc(call('generate_image', { prompt: 'x' }), REVISION)) as {
      result: { structuredContent: { job_id: string; status: string } }
    }
    const { job_id } = first.result.structuredContent
    expect(job_id).toBe(JOB_ID)
    expect(JSON.stringify(first)).toContain('get_job')
    await store(world.platform, record())
    expect(await world.rpc(call('get_job', { job_id }), REVISION)).toMatchObject({
      result: { structuredContent: { job_id, status: 'working' } },
    })
    await store(world.platform, record(DONE))
    expect(await world.rpc(call('get_job', { job_id }), REVISION)).toMatchObject({
      result: { content: [{ uri: `http://localhost:3000${PICTURE.uri}` }] },
    })
  })

  it('cancel the job at its component', async () => {
    const world = await worldWith()
    await store(world.platform, record())
    expect(await world.rpc(call('cancel_job', { job_id: JOB_ID }), REVISION)).toMatchObject({
      result: { structuredContent: { job_id: JOB_ID, status: 'cancelled' } },
    })
    expect(world.log).toContain(`DELETE http://images.spin.internal/jobs/${JOB_ID}`)
  })

  it.each([
    [{}, 'job_id: is required'],
    [{ job_id: 5 }, 'job_id: must be string'],
    [{ job_id: '../x' }, 'There is no such job'],
    [{ job_id: JOB_ID }, 'There is no such job'],
  ])('fail in words with %j', async (args, words) => {
    const response = await (await worldWith()).send(post(call('get_job', args), REVISION))
    const answer = (await response.json()) as { result: { isError: boolean } }
    expect(answer.result.isError).toBe(true)
    expect(JSON.stringify(answer)).toContain(words)
  })
})
