import type { JobRecord } from 'ftl-contract'
import { describe, expect, it } from 'vitest'
import { createWorld } from '../../../testing/components.ts'
import { JOB_ID, jobComponent, PICTURE, record, store } from '../../../testing/job-component.ts'
import { modern, type ModernOptions } from '../../../testing/modern.ts'

const EXTENSION = { extensions: { 'io.modelcontextprotocol/tasks': {} } }
const FOLLOWS: ModernOptions = { capabilities: EXTENSION }
const DONE: Partial<JobRecord> = { status: 'completed', result: { content: [PICTURE] } }

function worldWith(...answers: Parameters<typeof jobComponent>) {
  const job = jobComponent(...answers)
  return { job, world: createWorld({ components: { images: job.component } }) }
}
type World = ReturnType<typeof worldWith>['world']

async function ask(
  world: World,
  method: string,
  params: Record<string, unknown>,
  options: ModernOptions = FOLLOWS,
) {
  const headers = { ...(typeof params['taskId'] === 'string' && { 'mcp-name': params['taskId'] }) }
  const response = await world.send(modern(method, params, { ...options, headers }))
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

const CALL = { name: 'generate_image', arguments: { prompt: 'a dragon' } }
const TASK = { taskId: JOB_ID }

describe('the header Mcp-Name of a request about a task', () => {
  it.each(['tasks/get', 'tasks/cancel'])('of %s may be absent, and not another', async (method) => {
    const { world } = worldWith({})
    await store(world.platform, record())
    const send = async (headers: Record<string, string>) =>
      (await world.send(modern(method, TASK, { ...FOLLOWS, headers }))).json() as Promise<unknown>
    expect(await send({ 'mcp-name': 'another' })).toMatchObject({ error: { code: -32020 } })
    expect(await send({})).toMatchObject({ result: { resultType: 'complete' } })
  })
})

describe('a job, to a client that follows tasks', () => {
  it('is a task, at once', async () => {
    const { job, world } = worldWith()
    const { status, body } = await ask(world, 'tools/call', CALL)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      result: {
        resultType: 'task',
        taskId: JOB_ID,
        status: 'working',
        statusMessage: 'Queued.',
        ttlMs: 3_600_000,
        pollIntervalMs: 50,
        _meta: { 'io.modelcontextprotocol/serverInfo': {} },
      },
    })
    expect(JSON.stringify(body)).not.toContain('secret')
    expect(job.started[0]?.get('ftl-tasks')).toBe('1')
  })

  it('is asked for until it ends, with the result in it', async () => {
    const { world } = worldWith(DONE)
    await store(world.platform, record({}, Date.now() - 1000))
    const { body } = await ask(world, 'tasks/get', TASK)
    expect(body).toMatchObject({
      result: {
        resultType: 'complete',
        taskId: JOB_ID,
        status: 'completed',
        result: {
          resultType: 'complete',
          content: [{ type: 'resource_link', uri: `http://localhost:3000${PICTURE.uri}` }],
        },
      },
    })
  })

  it('has the numbers of its progress under a key of the gateway', async () => {
    const { world } = worldWith()
    await store(world.platform, record({ progress: { value: 4, total: 9 } }))
    expect((await ask(world, 'tasks/get', TASK)).body).toMatchObject({
      result: { status: 'working', _meta: { 'ftl/progress': { progress: 4, total: 9 } } },
    })
  })

  it('tells its error when it fails, and what it asks while it waits', async () => {
    const { world } = worldWith()
    const error = { code: -32000, message: 'No model.' }
    await store(world.platform, record({ status: 'failed', error }))
    expect((await ask(world, 'tasks/get', TASK)).body).toMatchObject({
      result: { status: 'failed', error },
    })
    const inputRequests = { who: { method: 'elicitation/create', params: {} } } as const
    await store(world.platform, record({ status: 'input_required', inputRequests }))
    expect((await ask(world, 'tasks/get', TASK)).body).toMatchObject({
      result: { status: 'input_required', inputRequests },
    })
  })

  it('is cancelled by its component', async () => {
    const { world } = worldWith()
    await store(world.platform, record())
    expect((await ask(world, 'tasks/cancel', TASK)).body).toMatchObject({
      result: { resultType: 'complete' },
    })
    expect(world.log).toEqual([`DELETE http://images.spin.internal/jobs/${JOB_ID}`])
  })
})

describe('a task, whose component does not answer', () => {
  it('is cancelled at the limit of how long a client waits: the answer names what did not confirm it, and the request goes on', async () => {
    let end: (response: Response) => void = () => undefined
    const images = () => new Promise<Response>((resolve) => (end = resolve))
    const world = createWorld({ components: { images } })
    await store(world.platform, record())
    const { body } = await ask(world, 'tasks/cancel', TASK)
    expect(body).toMatchObject({ error: { code: -32603 } })
    expect(JSON.stringify(body)).toMatch(/images.*has not confirmed it within 2 s/)
    end(Response.json(record({ status: 'cancelled', seq: 2 })))
    await world.platform.settled()
    expect((await ask(world, 'tasks/get', TASK)).body).toMatchObject({
      result: { status: 'cancelled' },
    })
  })
})

describe('a task', () => {
  it.each(['tasks/get', 'tasks/update', 'tasks/cancel'])(
    '%s needs the client to follow tasks, and the task to be there',
    async (method) => {
      const { world } = worldWith()
      const unable = await ask(world, method, TASK, {})
      expect(unable.status).toBe(400)
      expect(unable.body).toMatchObject({
        error: { code: -32021, data: { requiredCapabilities: EXTENSION } },
      })
      const gone = await ask(world, method, TASK)
      expect(gone).toMatchObject({ status: 200, body: { error: { code: -32602 } } })
      const odd = await ask(world, method, { taskId: 5 })
      expect(odd.body).toMatchObject({ error: { code: -32602 } })
    },
  )

  it('that ended without a usable end has failed, whatever it says', async () => {
    const { world } = worldWith()
    for (const odd of [{ status: 'completed' }, { status: 'failed' }] as const) {
      await store(world.platform, record(odd))
      expect((await ask(world, 'tasks/get', TASK)).body).toMatchObject({
        result: { status: 'failed', error: { code: -32603 } },
      })
    }
  })

  it.each([{}, { inputResponses: null }, { inputResponses: [] }])(
    'is not answered by %j',
    async (answers) => {
      const { world } = worldWith()
      await store(world.platform, record())
      const { body } = await ask(world, 'tasks/update', { ...TASK, ...answers })
      expect(body).toMatchObject({ error: { code: -32602 } })
      expect(world.log).toEqual([])
    },
  )

  it('of one component is unknown at another’s address', async () => {
    const job = jobComponent()
    const world = createWorld({ components: { images: job.component, other: job.component } })
    await store(world.platform, record())
    const at = async (component: string) => {
      const request = modern('tasks/get', TASK, { ...FOLLOWS, headers: { 'mcp-name': JOB_ID } })
      const url = `http://localhost:3000/mcp/x/${component}`
      return (await world.send(new Request(url, request))).json() as Promise<unknown>
    }
    expect(await at('images')).toMatchObject({ result: { taskId: JOB_ID } })
    expect(await at('other')).toMatchObject({ error: { code: -32602 } })
  })

  it('is nobody’s business but its owner’s', async () => {
    const job = jobComponent()
    const variables = { trust_forwarded_user: 'without-secret' }
    const world = createWorld({ components: { images: job.component }, variables })
    await store(world.platform, record({ owner: 'ada' }))
    const as = async (user?: string) => {
      const headers = { 'mcp-name': JOB_ID, 'x-forwarded-user': user }
      const response = await world.send(modern('tasks/get', TASK, { ...FOLLOWS, headers }))
      return (await response.json()) as unknown
    }
    expect(await as('ada')).toMatchObject({ result: { taskId: JOB_ID } })
    expect(await as('bob')).toMatchObject({ error: { code: -32602 } })
    expect(await as()).toMatchObject({ error: { code: -32600 } })
  })
})

it('who calls is believed only where a proxy is trusted to say so', async () => {
  const { job, world } = worldWith()
  await ask(world, 'tools/call', CALL)
  expect(job.started[0]?.get('ftl-principal')).toBeNull()
  const headers = { 'x-forwarded-user': 'ada' }
  await world.send(modern('tools/call', CALL, { ...FOLLOWS, headers }))
  expect(job.started[1]?.get('ftl-principal')).toBeNull()
  const trusting = createWorld({
    components: { images: job.component },
    variables: { trust_forwarded_user: 'without-secret' },
  })
  await trusting.send(modern('tools/call', CALL, { ...FOLLOWS, headers }))
  expect(job.started[2]?.get('ftl-principal')).toBe('ada')
})

it('a tool that needs what the client cannot do is refused in its words', async () => {
  const required = EXTENSION
  const world = createWorld({
    components: {
      one: (request) =>
        request.method === 'GET'
          ? Response.json({ name: 'a', inputSchema: { type: 'object' } })
          : Response.json(
              { error: { message: 'It takes an hour.', requiredCapabilities: required } },
              { status: 400 },
            ),
    },
  })
  const { status, body } = await ask(world, 'tools/call', { name: 'a' }, {})
  expect(status).toBe(400)
  expect(body).toMatchObject({
    error: { code: -32021, data: { requiredCapabilities: required } },
  })
})
