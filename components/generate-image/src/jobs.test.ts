import { startSimulator, type Simulator } from 'ftl-comfyui/simulator'
import { jobKey, type JobRecord } from 'ftl-contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, look, machine, start, type Machine } from './testing/machine.ts'

describe('a job', () => {
  let comfyui: Simulator
  beforeAll(async () => void (comfyui = await startSimulator({ port: 0, renderSeconds: 0.4 })))
  afterAll(() => comfyui.close())

  it('is sent once, however often its idempotency key is', async () => {
    const on = machine(comfyui.url)
    const headers = { 'idempotency-key': 'order 1/ä', 'ftl-principal': 'alice' }
    const first = await start(on, { prompt: 'one' }, headers)
    const second = await start(on, { prompt: 'one' }, headers)
    const other = await start(on, { prompt: 'one' }, { ...headers, 'ftl-principal': 'bob' })
    expect(second.id).toBe(first.id)
    expect(other.id).not.toBe(first.id)
    expect(on.requests.filter((request) => request === 'POST /api/prompt')).toHaveLength(2)
  })

  it('costs ComfyUI a look at its queue and a submit, and nothing to read before it is due', async () => {
    const on = machine(comfyui.url)
    const job = await start(on, { prompt: 'one' })
    for (let read = 0; read < 5; read++) await call(on, `/jobs/${job.id}`)
    expect(on.requests).toEqual(['GET /api/prompt', 'POST /api/prompt'])
    await look(on, job.id)
    expect(on.requests.slice(2)).toEqual([`GET /api/jobs/${job.id}`])
  })

  it('is written down before it is sent', async () => {
    let stored: JobRecord | undefined
    const on: Machine = machine(comfyui.url, {
      fetch: async (input: string, init?: RequestInit) => {
        if (init?.method !== 'POST') return fetch(input, init)
        const { prompt_id } = JSON.parse(init.body as string) as { prompt_id: string }
        const bytes = await (await on.platform.openKeyValue('default')).get(jobKey(prompt_id))
        stored = JSON.parse(new TextDecoder().decode(bytes)) as JobRecord
        return fetch(input, init)
      },
    })
    const job = await start(on, { prompt: 'one' })
    expect(stored).toMatchObject({
      id: job.id,
      status: 'working',
      upstream: { phase: 'submitting', state: { server: comfyui.url, promptId: job.id } },
    })
  })

  it('is answered by its end to a caller that does not take a job', async () => {
    const response = await call(machine(comfyui.url), '/generate_image', {
      method: 'POST',
      body: { prompt: 'a quiet pond' },
    })
    expect(response.status).toBe(200)
    const result = (await response.json()) as { content: { type: string }[]; isError?: boolean }
    expect(result.isError).toBeUndefined()
    expect(result.content.map(({ type }) => type)).toEqual(['text', 'resource_link'])
  })

  it('is lost, and not awaited for ever, when ComfyUI has forgotten it', async () => {
    const first = await startSimulator({ port: 0, renderSeconds: 60 })
    const on = machine(first.url)
    const job = await start(on, { prompt: 'one' })
    await first.close()
    expect(await look(on, job.id)).toMatchObject({
      status: 'working',
      message: 'The ComfyUI server does not answer; asking again',
    })
    const port = Number(new URL(first.url).port)
    const second = await startSimulator({ port })
    expect(await look(on, job.id)).toMatchObject({
      status: 'failed',
      error: {
        code: -32000,
        data: { kind: 'server_lost' },
        message:
          'Service error: The job was lost: ComfyUI no longer knows it, because it was restarted or the job was removed from its queue.',
      },
    })
    await second.close()
  })

  it.each([
    [
      'was accepted',
      'The job was lost: ComfyUI no longer knows it, because it was restarted',
      false,
    ],
    ['may have been accepted', 'The job was lost before ComfyUI accepted it', true],
  ])('that %s is lost when two polls do not find it', async (_, words, silent) => {
    const looks: string[] = []
    const on = machine('http://comfyui', {
      fetch: async (url: string, init?: RequestInit) => {
        if (url.includes('/jobs/')) {
          looks.push(url)
          return Response.json({ error: 'not found' }, { status: 404 })
        }
        if (init?.method !== 'POST') return Response.json({ exec_info: { queue_remaining: 0 } })
        if (silent) throw new TypeError('connection closed')
        return Response.json({ prompt_id: 'p', number: 1, node_errors: {} })
      },
    })
    const job = await start(on, { prompt: 'one' })
    expect(job.status).toBe('working')
    looks.length = 0
    expect(await look(on, job.id)).toMatchObject({
      status: 'failed',
      error: { message: expect.stringContaining(words) as string, data: { kind: 'server_lost' } },
    })
    expect(looks).toHaveLength(2)
  })

  it('fails when ComfyUI stays silent', async () => {
    const gone = await startSimulator({ port: 0, renderSeconds: 60 })
    const on = machine(gone.url)
    const job = await start(on, { prompt: 'one' })
    await gone.close()
    await look(on, job.id)
    on.pass(121_000)
    expect((await look(on, job.id)).error?.message).toBe(
      'Service error: The ComfyUI server has not answered for two minutes.',
    )
  })

  it('expires after a day', async () => {
    const on = machine(comfyui.url)
    const job = await start(on, { prompt: 'one' })
    on.pass(24 * 60 * 60 * 1000)
    expect((await call(on, `/jobs/${job.id}`)).status).toBe(404)
  })

  it('fails at once where no ComfyUI listens', async () => {
    const job = await start(machine('http://127.0.0.1:9'), { prompt: 'x' })
    expect(job.status).toBe('failed')
    expect(job.error?.message).toBe(
      'Service error: Could not connect to any compatible ComfyUI servers.',
    )
  })
})

describe('a server that wants a key', () => {
  it('gets it with every request', async () => {
    const seen: (string | null)[] = []
    const on = machine('http://comfy/prefix', {
      variables: { comfyui_auth: 'X-API-Key: secret 1' },
      fetch: async (_: string, init?: RequestInit) => {
        seen.push(new Headers(init?.headers).get('x-api-key'))
        return Response.json({ prompt_id: crypto.randomUUID(), node_errors: {} })
      },
    })
    const job = await start(on, { prompt: 'x' })
    await look(on, job.id)
    expect(on.requests).toContain('POST /prefix/api/prompt')
    expect(new Set(seen)).toEqual(new Set(['secret 1']))
    expect(JSON.stringify(job)).not.toContain('secret')
  })
})

describe('several servers', () => {
  it('are used by their load, and one that is down is passed over', async () => {
    const [busy, idle] = await Promise.all([
      startSimulator({ port: 0, renderSeconds: 60 }),
      startSimulator({ port: 0, renderSeconds: 60 }),
    ])
    await start(machine(busy.url), { prompt: 'long' })
    const on = machine(`${busy.url}, ${idle.url} ,http://127.0.0.1:9`)
    const job = await start(on, { prompt: 'x' })
    expect(job.upstream).toMatchObject({ state: { server: idle.url } })
    await Promise.all([busy.close(), idle.close()])
  })
})
