import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Simulator, startSimulator } from '../../simulator/index.ts'
import { type ComfyClient, createComfyClient } from './client.ts'
import { type ComfyError, mapToFields } from './errors.ts'
import type { Fetch } from './http.ts'

const ready = { timeout: 5000, interval: 20 }
const workflow = () => ({
  1: { class_type: 'SlowImage', inputs: { steps: 1, seconds: 0, seed: 1, fail_at: -1 } },
  2: { class_type: 'PreviewImage', inputs: { images: ['1', 0] } },
})

describe.each(['0.33.0', '0.3.64'] as const)('submitting to ComfyUI %s', (version) => {
  let simulator: Simulator
  let client: ComfyClient
  const posts: string[] = []
  const counting: Fetch = (url, init) => {
    if (init?.method === 'POST' && url.endsWith('/api/prompt')) posts.push(init.body as string)
    return fetch(url, init)
  }
  beforeAll(async () => {
    simulator = await startSimulator({ port: 0, version })
    client = createComfyClient({ baseUrl: simulator.url, fetch: counting })
  })
  afterAll(() => simulator.close())

  /** How often the server has run something in all: the number the next prompt would get. */
  async function runs(): Promise<number> {
    const history = (await (await fetch(`${simulator.url}/api/history`)).json()) as Record<
      string,
      { prompt: [number] }
    >
    return Math.max(-1, ...Object.values(history).map(({ prompt }) => prompt[0])) + 1
  }

  it('takes a prompt for accepted whose answer was lost, and does not send it again', async () => {
    const before = await runs()
    posts.length = 0
    await simulator.set({ loseReplies: 1 })
    const promptId = crypto.randomUUID()
    expect(await client.submit({ workflow: workflow(), promptId })).toEqual({
      promptId,
      warnings: [],
    })
    expect(posts).toHaveLength(1)
    await expect.poll(async () => (await client.job(promptId)).status, ready).toBe('completed')
    expect(await runs()).toBe(before + 1)
  })

  it('sends a prompt again that the server never read', async () => {
    const before = await runs()
    await simulator.set({ loseRequests: 1 })
    const promptId = crypto.randomUUID()
    posts.length = 0
    await client.submit({ workflow: workflow(), promptId })
    expect(posts).toHaveLength(2)
    await expect.poll(async () => (await client.job(promptId)).status, ready).toBe('completed')
    expect(await runs()).toBe(before + 1)
  })

  it('sends nothing for a prompt another process has sent already', async () => {
    const promptId = crypto.randomUUID()
    await client.submitOnce({ workflow: workflow(), promptId })
    posts.length = 0
    expect((await client.submitOnce({ workflow: workflow(), promptId })).promptId).toBe(promptId)
    expect(posts).toEqual([])
  })

  it('tells the branches that were left out of a prompt that runs', async () => {
    const partly = {
      ...workflow(),
      3: { class_type: 'EmptyImage', inputs: { width: 0, height: 8, batch_size: 1, color: 0 } },
      4: { class_type: 'PreviewImage', inputs: { images: ['3', 0] } },
    }
    const { warnings } = await client.submit({ workflow: partly, promptId: crypto.randomUUID() })
    expect(warnings.map(({ kind, details }) => [kind, details.nodeId, details.inputName])).toEqual([
      ['invalid_value', '3', 'width'],
    ])
  })
})

describe('a link that ComfyUI cannot follow', () => {
  /** As real servers answer; the input belongs to the node that led to this one. */
  const refused = (type: string, exception: string, details: string) => {
    const problem = {
      type,
      message: 'Exception when validating inner node',
      details,
      extra_info: {
        input_name: 'images',
        exception_message: details,
        exception_type: exception,
        traceback: ['  File "/ComfyUI/execution.py", line 955, in validate_inputs\n'],
        linked_node: ['57:3', 0],
      },
    }
    const node_errors = { '57:3': { class_type: 'ImageScale', errors: [problem] } }
    const body = { error: { type: 'prompt_outputs_failed_validation' }, node_errors }
    const answer: Fetch = async () => Response.json(body, { status: 400 })
    const client = createComfyClient({ baseUrl: 'http://c', fetch: answer })
    const submission = { workflow: workflow(), promptId: crypto.randomUUID() }
    return client.submit(submission).then(
      () => undefined,
      (error: unknown) => error as ComfyError,
    )
  }
  const link = 'a link leads to a node or an output that does not exist: '
  const said = 'Exception when validating inner node'

  it.each([
    ['exception_during_inner_validation', 'IndexError', 'tuple index out of range', link],
    ['exception_during_inner_validation', 'KeyError', "'99'", link],
    ['exception_during_validation', 'TypeError', 'cannot open /home/me/secret.py', ''],
  ])('names the node and says what ComfyUI says: %s, %s', async (type, exception, words, hint) => {
    const error = await refused(type, exception, words)
    const shown = words.replace('/home/me/', '')
    expect(error?.message).toBe(`Node 57:3 (ImageScale): ${hint}${said}: ${shown}.`)
    // No field of the caller is to blame.
    const mappings = [{ field: 'size', nodeId: '57:3', inputName: 'width' }]
    expect(error && mapToFields(error, mappings)).toBe(error)
  })
})

describe('an answer that does not say what became of a prompt', () => {
  const submission = { workflow: workflow(), promptId: crypto.randomUUID() }
  /** Answers posts one after the other; a look finds nothing. */
  function server(...answers: (() => Response)[]): { posts: () => number; client: ComfyClient } {
    let posts = 0
    const answer: Fetch = async (_, init) =>
      init?.method === 'POST'
        ? (answers[posts++]?.() ?? Response.error())
        : Response.json({ error: 'Job not found' }, { status: 404 })
    return { posts: () => posts, client: createComfyClient({ baseUrl: 'http://c', fetch: answer }) }
  }
  const taken = () => Response.json({ prompt_id: 'theirs', number: 1, node_errors: {} })

  it.each([
    ['half an answer', () => new Response('{"prompt_id": "4c8')],
    ['a proxy that gave up', () => new Response('<html>', { status: 504 })],
  ])('is %s: the prompt is looked for, and sent once more', async (_, first) => {
    const { posts, client } = server(first, taken)
    // An old server chooses its own id.
    expect(await client.submit(submission)).toMatchObject({ promptId: 'theirs' })
    expect(posts()).toBe(2)
  })

  it('is no answer twice: then it stays unknown, and is not tried for ever', async () => {
    const { posts, client } = server(
      () => new Response('', { status: 502 }),
      () => new Response('', { status: 502 }),
    )
    await expect(client.submit(submission)).rejects.toMatchObject({ kind: 'unreachable' })
    expect(posts()).toBe(2)
  })

  it.each([
    [500, 'rejected', {}],
    [413, 'rejected', {}],
    [401, 'unauthorized', {}],
    [402, 'unauthorized', {}],
    [403, 'unauthorized', {}],
    [302, 'rejected', { location: 'http://login' }],
    [429, 'queue_full', { 'retry-after': '7' }],
  ])('is not status %i, which is a refusal', async (status, kind, headers) => {
    const { posts, client } = server(() => new Response('', { status, headers }))
    const retryAfterMs = status === 429 ? { retryAfterMs: 7000 } : {}
    await expect(client.submit(submission)).rejects.toMatchObject({
      kind,
      details: { status, ...retryAfterMs },
    })
    expect(posts()).toBe(1)
  })
})
