import { describe, expect, it } from 'vitest'
import { auditLog } from '../testing/audit-log.ts'
import { call, createWorld, text, type World } from '../testing/components.ts'
import { JOB_ID, jobComponent, type JobComponent, record, store } from '../testing/job-component.ts'
import { request } from '../testing/rest.ts'

const { printed, entries } = auditLog()

const ends = () => entries().filter(({ event }) => event === 'job')

async function working(
  answers: JobComponent['answers'],
  variables: Record<string, string> = {},
): Promise<World> {
  const world = createWorld({
    components: { images: jobComponent(...answers).component },
    variables: { call_settings: 'audit=on', ...variables },
  })
  // Old enough for its component to be asked.
  await store(world.platform, record({ owner: 'ada' }, Date.now() - 10_000))
  return world
}

const PROXY = { trust_forwarded_user: 'without-secret' }
const read = (world: World, path = `/jobs/${JOB_ID}`, method = 'GET') =>
  world.send(request(path, { method, headers: { 'x-forwarded-user': 'ada', 'x-request-id': 'r' } }))

describe('the end of a job', () => {
  it.each<[string, JobComponent['answers'][number], string, unknown]>([
    ['done', { status: 'completed', result: text('a secret result') }, 'ok', undefined],
    [
      'an error of the tool',
      { status: 'completed', result: { ...text('x'), isError: true } },
      'tool_error',
      undefined,
    ],
    [
      'failed',
      { status: 'failed', error: { code: -1, message: 'out of \u202e memory' } },
      'failed',
      'out of \u202e memory',
    ],
    ['cancelled', { status: 'cancelled' }, 'cancelled', undefined],
    ['gone', 'gone', 'failed', 'The component no longer has the job.'],
  ])('%s has one line, however often it is read', async (_, answer, outcome, reason) => {
    const world = await working([answer], PROXY)
    for (let i = 0; i < 3; i++) await read(world)
    await read(world, `/jobs/${JOB_ID}/events`)
    expect(ends()).toEqual([
      {
        ...{ audit: 1, event: 'job', time: expect.any(String) as string, request: 'r' },
        ...{ principal: 'ada', component: 'images', tool: 'generate_image', job: JOB_ID },
        ...{ outcome, ms: expect.any(Number) as number },
        ...(reason !== undefined && { reason }),
      },
    ])
    expect(printed.join()).not.toContain('a secret result')
    expect(printed.join()).not.toContain('\u202e')
  })

  it('by a cancel has one, too', async () => {
    const world = await working([{}], PROXY)
    await read(world, undefined, 'DELETE')
    await read(world, undefined, 'DELETE')
    expect(ends()).toMatchObject([{ outcome: 'cancelled' }])
  })

  it('has none while it goes on, or if its component is not there', async () => {
    const world = await working([{ seq: 7, message: 'Half.' }, 'broken'], PROXY)
    for (let i = 0; i < 2; i++) await read(world)
    expect(ends()).toEqual([])
  })

  it('in the answer that starts it has one after that of the call', async () => {
    const world = createWorld({
      components: {
        images: (incoming) =>
          incoming.method === 'GET'
            ? jobComponent().component(incoming)
            : Response.json(
                { job: record({ status: 'completed', result: text('x') }) },
                { status: 202 },
              ),
      },
      variables: { call_settings: 'audit=on' },
    })
    await world.rpc(call('generate_image', { prompt: 'x' }))
    expect(ends()).toMatchObject([{ outcome: 'ok', job: JOB_ID }])
  })

  it('has none where the log is off', async () => {
    await read(await working([{ status: 'completed' }], { ...PROXY, call_settings: 'audit=off' }))
    expect(printed).toEqual([])
  })
})
