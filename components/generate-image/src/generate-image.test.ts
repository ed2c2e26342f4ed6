import { startSimulator, type Simulator } from 'ftl-comfyui/simulator'
import { isJobId, type JobRecord } from 'ftl-contract'
import { decode } from 'fast-png'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, FIXTURES, look, machine, mounts, ready, start, statusOf } from './testing/machine.ts'

describe.each(['0.33.0', '0.3.64'] as const)('with ComfyUI %s', (version) => {
  let comfyui: Simulator
  beforeAll(
    async () => void (comfyui = await startSimulator({ port: 0, version, renderSeconds: 0.4 })),
  )
  afterAll(() => comfyui.close())

  it('makes the image that was asked for', async () => {
    const on = machine(comfyui.url)
    const job = await start(
      on,
      {
        prompt: 'A majestic dragon flying over a medieval castle',
        style_names: ['Fantasy Art'],
        aspect_ratio: '16:9',
        seed: 42,
      },
      { 'ftl-principal': 'alice' },
    )
    const headers = { 'ftl-principal': 'alice' }
    expect(isJobId(job.id)).toBe(true)
    expect(job).toMatchObject({
      status: 'working',
      owner: 'alice',
      component: 'generate-image',
      tool: 'generate_image',
    })
    expect(job.upstream).toMatchObject({
      phase: 'accepted',
      state: { server: comfyui.url, promptId: job.id },
    })

    const read = async () => {
      on.pass(1001)
      return (await (await call(on, `/jobs/${job.id}`, { headers })).json()) as JobRecord
    }
    await expect.poll(async () => (await read()).status, ready).toBe('completed')
    const done = await read()
    expect(done.seq).toBeGreaterThan(job.seq)
    // The text first, with the address: some clients read nothing else.
    expect(done.result?.content).toEqual([
      {
        type: 'text',
        text: expect.stringMatching(`^Made an image .*\n/outputs/${job.id}.png$`) as string,
      },
      {
        type: 'resource_link',
        uri: `/outputs/${job.id}.png`,
        name: `${job.id}.png`,
        mimeType: 'image/png',
      },
    ])
    expect(done.result?.structuredContent).toMatchObject({
      seed: 42,
      width: 1344,
      height: 768,
      render_type: 'Standard',
      images: [`/outputs/${job.id}.png`],
    })

    const image = await call(on, `/outputs/${job.id}.png`, { headers })
    expect(image.headers.get('content-type')).toBe('image/png')
    const png = decode(await image.bytes())
    expect([png.width, png.height]).toEqual([1344, 768])
    const workflow = JSON.parse(png.text?.prompt ?? '{}') as Record<
      string,
      { inputs: Record<string, unknown> }
    >
    expect(workflow['3']?.inputs.seed).toBe(42)
    expect(workflow['6']?.inputs.text).toMatch(
      /^A majestic dragon flying over a medieval castle, epic fantasy art/,
    )
    expect(workflow['7']?.inputs.text).toMatch(/modern objects/)
  })

  it('gives a part of a file, and says when a client has it already', async () => {
    const on = machine(comfyui.url)
    const job = await start(on, { prompt: 'a lighthouse' })
    await expect.poll(statusOf(on, job.id), ready).toBe('completed')
    const part = await call(on, `/outputs/${job.id}.png`, { headers: { range: 'bytes=0-99' } })
    expect([part.status, (await part.bytes()).length]).toEqual([206, 100])
    const whole = await call(on, `/outputs/${job.id}.png`, { method: 'HEAD' })
    expect(await whole.text()).toBe('')
    const headers = { 'if-none-match': whole.headers.get('etag') ?? '' }
    expect((await call(on, `/outputs/${job.id}.png`, { headers })).status).toBe(304)
    for (const name of [
      `${job.id}-2.png`,
      `${job.id}.jpg`,
      `${crypto.randomUUID()}.png`,
      'x.png',
    ]) {
      expect((await call(on, `/outputs/${name}`)).status).toBe(404)
    }
  })

  it('ends a failing render as a failed job', async () => {
    const on = machine(comfyui.url)
    const job = await start(on, { prompt: 'x', render_type: 'Broken' })
    await expect.poll(statusOf(on, job.id), ready).toBe('failed')
    const { error, result } = await look(on, job.id)
    expect(error).toEqual({
      code: -32000,
      message: 'Service error: SlowImage failed: boom at 2',
      data: { kind: 'execution_failed' },
    })
    expect(result).toBeUndefined()
  })

  it('says that no server can run a render type, and why', async () => {
    const job = await start(machine(comfyui.url), { prompt: 'x', render_type: 'SomeType' })
    expect(job.status).toBe('failed')
    expect(job.error).toEqual({
      code: -32000,
      message:
        'Service error: No active ComfyUI server is compatible with render type \'SomeType\'. The ComfyUI server does not have the node "NodeNobodyHas".',
      data: {
        kind: 'missing_node',
        field: 'render_type',
        reason: 'The ComfyUI server does not have the node "NodeNobodyHas".',
      },
    })
  })

  it('cancels its job and no other', async () => {
    const on = machine(comfyui.url)
    const [first, second] = [await start(on, { prompt: 'one' }), await start(on, { prompt: 'two' })]
    const response = await call(on, `/jobs/${first.id}`, { method: 'DELETE' })
    expect(((await response.json()) as JobRecord).status).toBe('cancelled')
    await expect.poll(statusOf(on, second.id), ready).toBe('completed')
    expect((await look(on, first.id)).status).toBe('cancelled')
    const again = await call(on, `/jobs/${second.id}`, { method: 'DELETE' })
    expect(((await again.json()) as JobRecord).status).toBe('completed')
  })
})

describe('a finished job', () => {
  let comfyui: Simulator
  beforeAll(async () => void (comfyui = await startSimulator({ port: 0, renderSeconds: 0.1 })))
  afterAll(() => comfyui.close())

  it('gives every image of a batch its own address', async () => {
    const files = mounts(FIXTURES)
    const name = '/workflows/sdxl-txt2img.json'
    files[name] = (files[name] ?? '').replace('"batch_size": 1', '"batch_size": 2')
    const on = machine(comfyui.url, { files })
    const { id } = await start(on, { prompt: 'a pair' })
    await expect.poll(statusOf(on, id), ready).toBe('completed')
    expect((await look(on, id)).result?.structuredContent).toMatchObject({
      images: [`/outputs/${id}.png`, `/outputs/${id}-2.png`],
    })
    const [one, two] = await Promise.all(
      [`${id}.png`, `${id}-2.png`].map(async (file) =>
        (await call(on, `/outputs/${file}`)).bytes(),
      ),
    )
    expect(two).not.toEqual(one)
  })

  it('stays cancelled when a look at ComfyUI was under way', async () => {
    const gate = Promise.withResolvers<void>()
    const on = machine(comfyui.url, {
      fetch: async (input: string, init?: RequestInit) => {
        const response = await fetch(input, init)
        if (input.includes('/jobs/') && init?.method !== 'POST') await gate.promise
        return response
      },
    })
    const { id } = await start(on, { prompt: 'one', render_type: 'Broken' })
    const looking = look(on, id)
    await expect.poll(() => on.requests.length, ready).toBe(2)
    await call(on, `/jobs/${id}`, { method: 'DELETE' })
    gate.resolve()
    expect((await looking).status).toBe('cancelled')
  })
})
