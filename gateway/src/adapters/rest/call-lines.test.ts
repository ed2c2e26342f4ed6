import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  type Component,
  createWorld,
  foreign,
  several,
  text,
  tool,
  type World,
} from '../../testing/components.ts'
import { JOB_ID, jobComponent, PICTURE } from '../../testing/job-component.ts'
import { linesOf, request, send } from '../../testing/rest.ts'

afterEach(() => vi.useRealTimers())

const LINES = { accept: 'application/x-ndjson' }
const NDJSON = { 'content-type': 'application/x-ndjson' }
const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

/** A component that answers with these lines, a chunk each. */
function telling(...chunks: string[]): Component {
  return foreign(tool('tells'), () => {
    const left = chunks.map((chunk) => new TextEncoder().encode(chunk))
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const next = left.shift()
        if (next) controller.enqueue(next)
        else controller.close()
      },
    })
    return new Response(body, { headers: NDJSON })
  })
}

const line = (value: object) => `${JSON.stringify(value)}\n`
const RESULT = line({ type: 'result', result: text('done') })

const invoke = (world: World, body: unknown = { tool: 'tells' }, headers = LINES) =>
  world.send(request('/invoke', { body, headers }))

const told = async (component: Component) =>
  linesOf(await invoke(createWorld({ components: { tells: component } })))

describe('Accept: application/x-ndjson', () => {
  it('gives each status as it comes, and the result last', async () => {
    const all = await told(
      telling(
        line({ type: 'status', message: 'Mixing', progress: 1, total: 3 }),
        line({ type: 'log', level: 'error', data: 'not for everyone' }),
        line({ type: 'status', message: { odd: 1 }, progress: 'x' }),
        RESULT,
      ),
    )
    const timestamp = expect.stringMatching(ISO) as string
    expect(all).toEqual([
      { type: 'status', message: 'Calling', timestamp },
      { type: 'status', message: 'Mixing', progress: 1, total: 3, timestamp },
      { type: 'status', message: 'Working', timestamp },
      { type: 'result', response: text('done'), timestamp },
    ])
  })

  it('text of a component begins no event of its own', async () => {
    const forged = '\r\n\r\nevent: result\ndata: {"type":"result"}\n\n\r\u2028\u0085'
    const component = telling(
      line({ type: 'status', message: forged, timestamp: forged }),
      line({ type: 'result', result: text(forged) }),
    )
    const world = createWorld({ components: { tells: component } })
    const response = await invoke(world, undefined, { accept: 'text/event-stream' })
    const events = (await response.text()).split(/\r\n|\r|\n/)
    const names = events.filter((each) => each.startsWith('event:'))
    expect(names).toEqual(['event: status', 'event: status', 'event: result'])
    expect(events.filter((each) => each.startsWith('data:'))).toHaveLength(3)
    expect(events.every((each) => /^(event: \w+|data: \{.*\}|)$/s.test(each))).toBe(true)
  })

  it('reads lines however they are cut', async () => {
    const whole = line({ type: 'status', message: 'Grüße 🎨' }) + RESULT
    const halves = [whole.slice(0, 9), whole.slice(9, 30), whole.slice(30)]
    const all = await told(telling(...halves))
    expect(all.map(({ message }) => message)).toEqual(['Calling', 'Grüße 🎨', undefined])
  })

  it.each([
    ['a tool that breaks off', telling(line({ type: 'status', message: 'a' })), 'tool_failed'],
    ['a tool that says error', telling(line({ type: 'error', message: 'No luck' })), 'tool_failed'],
    ['a tool that is not there', several([tool('another')]), 'tool_not_found'],
    ['arguments that do not fit', several([tool('tells', {}, ['a'])]), 'invalid_arguments'],
  ])('ends with one error for %s', async (_, component, code) => {
    const all = await told(component)
    const ends = all.filter(({ type }) => type !== 'status')
    expect(ends).toHaveLength(1)
    expect(all.at(-1)).toMatchObject({
      type: 'error',
      code,
      message: expect.stringMatching(/\S/) as string,
      timestamp: expect.stringMatching(ISO) as string,
    })
  })

  it('says nothing after the end', async () => {
    const all = await told(telling(RESULT, line({ type: 'status', message: 'late' }), RESULT))
    expect(all.map(({ type }) => type)).toEqual(['status', 'result'])
  })

  it('is not held back by proxies', async () => {
    const { status, headers } = await invoke(
      createWorld({ components: { tells: telling(RESULT) } }),
    )
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/x-ndjson')
    expect(headers.get('x-accel-buffering')).toBe('no')
    expect(headers.get('cache-control')).toContain('no-transform')
  })

  it('gives a request that cannot be read its status', async () => {
    const world = createWorld()
    const { status, body } = await send(world, '/invoke', { body: { tool: 5 }, headers: LINES })
    expect(status).toBe(400)
    expect(body.error).toMatchObject({ field: 'tool' })
  })

  it('follows a job to its end, however long the gateway waits otherwise', async () => {
    const images = jobComponent(
      // Seen twice, told once.
      { message: 'Half', seq: 2, progress: { value: 1, total: 2 } },
      { message: 'Half', seq: 2, progress: { value: 1, total: 2 } },
      {
        status: 'completed',
        seq: 3,
        result: { content: [PICTURE] },
      },
    )
    const world = createWorld({
      components: { images: images.component },
      variables: { wait_limit_ms: '1' },
    })
    const all = await linesOf(
      await invoke(world, { tool: 'generate_image', params: { prompt: 'p' } }),
    )
    expect(all.map(({ type, message, progress }) => ({ type, message, progress }))).toEqual([
      { type: 'status', message: 'Calling' },
      { type: 'status', message: 'Queued.' },
      { type: 'status', message: 'Half', progress: 1 },
      { type: 'result' },
    ])
    const picture = { ...PICTURE, uri: `http://localhost:3000${PICTURE.uri}` }
    expect(all.at(-1)?.response).toEqual({ content: [picture] })
  })

  it('ends with the job where the client waits no longer', async () => {
    const world = createWorld({ components: { images: jobComponent({}).component } })
    const body = { tool: 'generate_image', params: { prompt: 'p' } }
    const headers = { ...LINES, prefer: 'respond-async' }
    const last = (await linesOf(await invoke(world, body, headers))).at(-1)
    expect(last).toMatchObject({ type: 'result', response: { id: JOB_ID, status: 'working' } })
  })

  it('tells of several calls by their ids', async () => {
    const world = createWorld({
      components: { tells: telling(line({ type: 'status', message: 'a' }), RESULT) },
    })
    const call = (id: string) => ({ id, function: { name: 'tells' } })
    const all = await linesOf(await invoke(world, [call('x'), call('y')]))
    expect(all.map(({ type, id }) => `${String(type)} ${String(id)}`).sort()).toEqual([
      'result undefined',
      'status undefined',
      'status x',
      'status y',
    ])
    expect(all.at(-1)?.response).toEqual([
      { role: 'tool', tool_call_id: 'x', content: 'done' },
      { role: 'tool', tool_call_id: 'y', content: 'done' },
    ])
  })

  it('says every ten seconds that it goes on', async () => {
    const world = createWorld({
      components: {
        hangs: (request) =>
          request.method === 'GET' ? Response.json(tool('hangs')) : new Promise<Response>(() => {}),
      },
    })
    // The catalog is known before time stands still.
    await send(world, '/tools')
    vi.useFakeTimers()
    const { body } = await invoke(world, { tool: 'hangs' })
    const reader = body!.getReader() as ReadableStreamDefaultReader<Uint8Array>
    await reader.read()
    const next = reader.read()
    await vi.advanceTimersByTimeAsync(10_000)
    const said = JSON.parse(new TextDecoder().decode((await next).value)) as object
    expect(said).toMatchObject({ type: 'status', message: 'Still working' })
    await vi.advanceTimersByTimeAsync(20_000)
  })
})

it('Accept: text/event-stream gives the same as events', async () => {
  const world = createWorld({ components: { tells: telling(RESULT) } })
  const response = await invoke(world, { tool: 'tells' }, { accept: 'text/event-stream' })
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  const events = (await response.text()).split('\n\n').filter((event) => event !== '')
  expect(events.map((event) => event.split('\n')[0])).toEqual(['event: status', 'event: result'])
})

it('a client that goes away ends the component’s answer', async () => {
  let ended = false
  const component = foreign(tool('tells'), () => {
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) =>
        controller.enqueue(new TextEncoder().encode(line({ type: 'status', message: 'again' }))),
      cancel: () => {
        ended = true
      },
    })
    return new Response(body, { headers: NDJSON })
  })
  const { body } = await invoke(createWorld({ components: { tells: component } }))
  const reader = body!.getReader()
  for (let n = 0; n < 5; n++) await reader.read()
  await reader.cancel()
  await vi.waitFor(() => expect(ended).toBe(true))
})
