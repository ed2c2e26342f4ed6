import { startSimulator, type Simulator } from 'ftl-comfyui/simulator'
import { parseWorkflow, type Workflow } from 'ftl-comfyui/workflow'
import { ToolError } from 'ftl-sdk'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recordDuration } from './server-memory.ts'
import { loadServers } from 'ftl-comfyui/servers'
import { submitToOne } from './submit-to-one.ts'
import { testCall, type TestCall } from './testing/call.ts'

const workflow = parseWorkflow(
  readFileSync(new URL('../workflows/sdxl-txt2img.json', import.meta.url), 'utf8'),
)

function callWith(servers: unknown[], variables: Record<string, string> = {}): TestCall {
  const files = { '/config/servers.json': JSON.stringify({ servers }) }
  return testCall({ files, variables })
}

async function submit(call: TestCall, what: Workflow = workflow): Promise<string> {
  const job = { id: crypto.randomUUID(), renderType: 'Standard' }
  const servers = await loadServers(call.platform)
  return (await submitToOne(what, job, servers, call, async () => {})).server
}

const failure = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => (error instanceof ToolError ? error : Promise.reject(error as Error)),
  )

describe('a job', () => {
  let one: Simulator
  let two: Simulator
  beforeAll(async () => {
    ;[one, two] = await Promise.all([
      startSimulator({ port: 0, renderSeconds: 60 }),
      startSimulator({ port: 0, renderSeconds: 60, version: '0.3.64' }),
    ])
  })
  afterAll(() => Promise.all([one.close(), two.close()]))
  const both = (more: object = {}) => [
    { name: 'one', url: one.url, ...more },
    { name: 'two', url: two.url, ...more },
    { name: 'down', url: 'http://127.0.0.1:9' },
  ]

  it('goes nowhere when all servers are switched off', async () => {
    const call = callWith([{ name: 'a', url: 'http://a', enabled: false }], {
      comfyui_url: 'http://b',
    })
    expect((await failure(submit(call)))?.message).toBe('No active ComfyUI servers configured.')
    expect(call.requests).toEqual([])
  })

  it('goes to the least busy server that is up', async () => {
    const call = callWith(both())
    const first = await submit(call)
    const second = await submit(call)
    expect([first, second].sort()).toEqual([one.url, two.url].sort())
  })

  it('goes to a server that has the nodes, even if it is the busier one', async () => {
    // Only the newer generation has this sampler class.
    const call = callWith(both())
    const fetchOld = call.platform.fetch.bind(call.platform)
    call.platform.fetch = (input, init) =>
      new Request(input).url === `${two.url}/api/object_info/VAEDecode`
        ? Promise.resolve(Response.json({}))
        : fetchOld(input, init)
    await submit(callWith([{ name: 'one', url: one.url }]))
    await submit(callWith([{ name: 'one', url: one.url }]))
    expect(await submit(call)).toBe(one.url)
  })

  it('goes to a server whose nodes seem to take other values only if no other server has room', async () => {
    const call = callWith([both()[0], both()[1]].map((server) => ({ ...server, maxQueue: 10_000 })))
    const network = call.platform.fetch.bind(call.platform)
    // The idle server says that its sampler takes no model.
    call.platform.fetch = async (input, init) => {
      const { url } = new Request(input)
      if (url === `${one.url}/api/prompt` && !init?.method)
        return Response.json({ exec_info: { queue_remaining: 0 } })
      const response = await network(input, init)
      if (!url.startsWith(one.url) || !url.endsWith('/KSampler')) return response
      return Response.json(JSON.parse((await response.text()).replaceAll('"MODEL"', '"CURVE"')))
    }
    expect(await submit(call)).toBe(two.url)
    const alone = callWith([{ name: 'down', url: 'http://127.0.0.1:9' }, both()[0]])
    alone.platform.fetch = (input, init) => call.platform.fetch(input, init)
    // ComfyUI itself decides: a node may have a check of its own.
    expect(await submit(alone)).toBe(one.url)
  })

  it('measures a server once in some minutes, whatever the prompt', async () => {
    const call = callWith([both()[0], both()[2]])
    await submit(call)
    const asked = () => call.requests.filter((request) => request.includes('object_info')).length
    // One request per class of the workflow: two of its seven nodes have the same class.
    expect(asked()).toBe(6)
    const other = structuredClone(workflow)
    other['6']!.inputs.text = 'something else'
    await submit(call, other)
    expect(asked()).toBe(6)
    call.pass(11 * 60_000)
    await submit(call, other)
    expect(asked()).toBe(12)
  })

  it('is told what no server has', async () => {
    const odd = {
      ...workflow,
      '4': { ...workflow['4']!, inputs: { ckpt_name: 'dir/nobody.safetensors' } },
    }
    const call = callWith(both())
    const error = await failure(submit(call, odd))
    expect(error?.message).toBe(
      'No active ComfyUI server is compatible with render type \'Standard\'. The ComfyUI server does not have the model file "nobody.safetensors". It has "sd_xl_base_1.0.safetensors".',
    )
    expect(error?.data).toEqual({
      kind: 'missing_model',
      field: 'render_type',
      reason:
        'The ComfyUI server does not have the model file "nobody.safetensors". It has "sd_xl_base_1.0.safetensors".',
    })
    expect(call.requests).not.toContain('POST /api/prompt')
  })

  it('is told when no server answers', async () => {
    const down = callWith([
      { name: 'down', url: 'http://127.0.0.1:9' },
      { name: 'too', url: 'http://127.0.0.1:10' },
    ])
    expect((await failure(submit(down)))?.message).toBe(
      'Could not connect to any compatible ComfyUI servers.',
    )
  })

  it('goes to the next server when the first turns out to lack a node, and is not offered to it again', async () => {
    const call = callWith([both()[0], both()[1]].map((server) => ({ ...server, maxQueue: 10_000 })))
    const network = call.platform.fetch.bind(call.platform)
    // The error of ComfyUI 0.33; until the workflow is submitted, the server seems to have every node.
    const error = {
      type: 'missing_node_type',
      message: "Node 'x' not found. The custom node may not be installed.",
      details: "Node ID '#8'",
      extra_info: { node_id: '8', class_type: 'VAEDecode', node_title: 'x' },
    }
    let refusals = 0
    call.platform.fetch = async (input, init) => {
      if (init?.method !== 'POST' || !new Request(input).url.startsWith(two.url)) {
        // Make the first server look idle, so that it is always tried first.
        const idle = new Request(input).url === `${two.url}/api/prompt`
        return idle ? Response.json({ exec_info: { queue_remaining: 0 } }) : network(input, init)
      }
      refusals += 1
      return Response.json({ error, node_errors: {} }, { status: 400 })
    }
    expect(await submit(call)).toBe(one.url)
    expect(await submit(call)).toBe(one.url)
    expect(refusals).toBe(1)
  })

  it('goes to no other server when the first may have taken it', async () => {
    const call = callWith([both()[0], both()[1]].map((server) => ({ ...server, maxQueue: 10_000 })))
    const network = call.platform.fetch.bind(call.platform)
    const asked: string[] = []
    call.platform.fetch = async (input, init) => {
      const { url } = new Request(input)
      if (init?.method !== 'POST' && !url.includes('/jobs/')) return network(input, init)
      asked.push(new URL(url).host)
      throw new TypeError('connection closed')
    }
    // Whether the server took the job is unknown until the next poll.
    const server = await submit(call)
    expect(new Set(asked)).toEqual(new Set([new URL(server).host]))
  })

  it('leaves nothing of its prompt in what is remembered of a server', async () => {
    const call = callWith(both())
    const servers = await loadServers(call.platform)
    const targets = { prompt: [{ node: '6', input: 'text' }] }
    for (const text of ['one.bin', 'two.bin', 'three.bin']) {
      const job = { id: crypto.randomUUID(), renderType: 'Standard' }
      const prompt = { ...workflow['6']!, inputs: { ...workflow['6']!.inputs, text } }
      const filled = { ...workflow, '6': prompt }
      await submitToOne(filled, job, servers, call, async () => {}, { targets })
    }
    const keys = await (await call.platform.openKeyValue('default')).keys()
    expect(keys.filter((key) => key.startsWith('comfy:info:')).length).toBeLessThanOrEqual(2)
  })

  it('is refused where too many wait already, with a time to come back', async () => {
    const full = await startSimulator({ port: 0, renderSeconds: 60 })
    const call = callWith([{ name: 'full', url: full.url, maxQueue: 2 }])
    await submit(call)
    await submit(call)
    const first = await failure(submit(call))
    expect(first?.data).toMatchObject({ kind: 'queue_full', position: 3 })
    // One prompt must end before there is room: wait for the median duration of the last prompts.
    for (const seconds of [10, 900, 12]) await recordDuration(full.url, seconds * 1000, call)
    const second = await failure(submit(call))
    expect(second?.data).toEqual({ kind: 'queue_full', position: 3, retryAfterSeconds: 12 })
    expect(second?.message).toMatch(/try again in about 12 s/)
    await full.close()
  })

  it('goes to another server when the first is full', async () => {
    const full = await startSimulator({ port: 0, renderSeconds: 60 })
    await submit(callWith([{ name: 'full', url: full.url }]))
    const call = callWith([
      { name: 'full', url: full.url, maxQueue: 1 },
      { name: 'one', url: one.url, maxQueue: 10_000 },
    ])
    expect(await submit(call)).toBe(one.url)
    await full.close()
  })

  it('goes to another server when the first answers 429', async () => {
    const call = callWith([both()[0], both()[1]].map((server) => ({ ...server, maxQueue: 10_000 })))
    const network = call.platform.fetch.bind(call.platform)
    call.platform.fetch = async (input, init) => {
      const { url } = new Request(input)
      if (!url.startsWith(two.url)) return network(input, init)
      if (init?.method === 'POST') return new Response('', { status: 429 })
      // Make it look idle, so that it is tried first.
      const idle = url === `${two.url}/api/prompt`
      return idle ? Response.json({ exec_info: { queue_remaining: 0 } }) : network(input, init)
    }
    expect(await submit(call)).toBe(one.url)
    expect(call.requests.filter((request) => request === 'POST /api/prompt')).toHaveLength(1)
  })

  it('waits for a single server that is slow', async () => {
    const call = callWith([{ name: 'one', url: one.url, maxQueue: 10_000 }])
    const network = call.platform.fetch.bind(call.platform)
    call.platform.fetch = async (input, init) => {
      // Longer than one of several servers may take.
      if (init?.method !== 'POST') await new Promise((resolve) => setTimeout(resolve, 3_200))
      return network(input, init)
    }
    expect(await submit(call)).toBe(one.url)
  })

  it('is told which argument ComfyUI does not take, without the ids of nodes', async () => {
    const odd = structuredClone(workflow)
    odd['5']!.inputs.width = 1
    odd['3']!.inputs.steps = 0
    const call = callWith([{ name: 'one', url: one.url }])
    const servers = await loadServers(call.platform)
    const job = { id: crypto.randomUUID(), renderType: 'Standard' }
    const send = (what: Workflow) =>
      failure(
        submitToOne(what, job, servers, call, async () => {}, {
          targets: { width: [{ node: '5', input: 'width' }] },
        }),
      )
    const both = await send(odd)
    expect(both?.message).not.toMatch(/node|KSampler/)
    odd['3']!.inputs.steps = 20
    expect(await send(odd)).toMatchObject({
      message: 'aspect_ratio: Value 1 smaller than min of 16.',
      data: { kind: 'invalid_value', field: 'aspect_ratio' },
    })
    odd['5']!.inputs.width = 512
    odd['3']!.inputs.steps = 0
    expect(await send(odd)).toMatchObject({
      message:
        'render_type: the workflow of \'Standard\' does not fit the ComfyUI server: "steps": Value 0 smaller than min of 1.',
      data: { kind: 'invalid_value', field: 'render_type' },
    })
  })
})
