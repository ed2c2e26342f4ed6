/** Every switch, and every trap that needs none, so that a test elsewhere may rely on it. */
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { createComfyClient } from '../src/client/index.ts'
import { type Simulator, type SimulatorOptions, startSimulator } from './index.ts'
import { processorMs } from '../../test/support/processor-time.ts'

const ready = { timeout: 5000, interval: 10 }
const running: Simulator[] = []
afterEach(async () => void (await Promise.all(running.splice(0).map((each) => each.close()))))

async function begin(options: SimulatorOptions = {}) {
  const simulator = await startSimulator({ port: 0, renderSeconds: 0, ...options })
  running.push(simulator)
  const client = createComfyClient({ baseUrl: simulator.url, fetch })
  const get = (path: string, init?: RequestInit) => fetch(simulator.url + path, init)
  const submit = async (steps: number, seconds = 0, clientId?: string) => {
    const promptId = crypto.randomUUID()
    const seed = Math.floor(Math.random() * 1e9)
    const work = { class_type: 'SlowImage', inputs: { steps, seconds, seed, fail_at: -1 } }
    const save = { class_type: 'PreviewImage', inputs: { images: ['work', 0] } }
    await client.submit({ workflow: { work, save }, promptId, clientId })
    return promptId
  }
  const ended = () => expect.poll(() => client.queueRemaining(), ready).toBe(0)
  return { simulator, client, get, submit, ended }
}

async function connect({ url }: Simulator, clientId: string) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/ws?clientId=${clientId}`)
  const types: string[] = []
  socket.on('message', (data: Buffer, binary: boolean) =>
    types.push(
      binary
        ? `binary ${data.readUInt32BE(0)}`
        : (JSON.parse(data.toString()) as { type: string }).type,
    ),
  )
  await expect.poll(() => types, ready).toContain('status')
  types.length = 0
  return { socket, types }
}

describe('POST /simulator/faults', () => {
  it('switches trouble on and off, and says what is on', async () => {
    const { simulator, get, client } = await begin()
    const post = (body: unknown) =>
      get('/simulator/faults', { method: 'POST', body: JSON.stringify(body) })
    expect(await (await post({ badGateway: 1, delayMs: 5 })).json()).toMatchObject({
      badGateway: 1,
      delayMs: 5,
    })
    expect((await get('/api/prompt')).status).toBe(502)
    expect((await get('/api/prompt')).status).toBe(200)
    await simulator.set({ badGateway: 9 })
    expect(await (await post({ reset: true })).json()).toMatchObject({ badGateway: 0, delayMs: 0 })
    expect(await client.queueRemaining()).toBe(0)
  })

  it.each([{ nonsense: 1 }, { delayMs: -1 }, { delayMs: 'x' }, { auth: 'x' }])(
    'refuses %j, and changes nothing',
    async (body) => {
      const { get } = await begin()
      const init = { method: 'POST', body: JSON.stringify({ outOfMemory: 1, ...body }) }
      expect((await get('/simulator/faults', init)).status).toBe(400)
      expect(await (await get('/simulator/faults')).json()).toMatchObject({ outOfMemory: 0 })
    },
  )

  it('is not to be reached by a page of another site', async () => {
    const { get } = await begin()
    const headers = { origin: 'http://evil.example' }
    const init = { method: 'POST', headers, body: '{"restart":true}' }
    expect((await get('/simulator/faults', init)).status).toBe(403)
  })

  it('restarts: files stay, queue, history and sockets are gone', async () => {
    const { simulator, client, submit, get, ended } = await begin()
    const done = await submit(1)
    await ended()
    const [file] = (await client.job(done)).files
    const { socket } = await connect(simulator, 'c')
    const closed = new Promise((resolve) => socket.once('close', resolve))
    const ids = [await submit(100, 0.05), await submit(100, 0.05)]
    await get('/simulator/faults', { method: 'POST', body: '{"restart":true}' })
    await closed
    for (const id of [done, ...ids]) expect((await client.job(id)).status).toBe('unknown')
    expect(await client.queueRemaining()).toBe(0)
    if (!file) throw new Error('no file')
    expect((await client.view(file)).status).toBe(200)
    await submit(1)
    await ended()
  })
})

describe('the switch', () => {
  it('delayMs makes answers late', async () => {
    const { get } = await begin({ faults: { delayMs: 120 } })
    const start = performance.now()
    await get('/api/prompt')
    expect(performance.now() - start).toBeGreaterThanOrEqual(115)
  })

  it('historyDelayMs leaves history empty after the event of success', async () => {
    const { simulator, client, submit, get, ended } = await begin({
      faults: { historyDelayMs: 300 },
    })
    const { types } = await connect(simulator, 'c')
    const id = await submit(1, 0, 'c')
    await expect.poll(() => types, ready).toContain('execution_success')
    expect(await (await get(`/api/history/${id}`)).json()).toEqual({})
    await ended()
    expect((await client.job(id)).status).toBe('completed')
  })

  it('loseReplies accepts a submit and closes the connection', async () => {
    const { get, ended } = await begin({ faults: { loseReplies: 1 } })
    const prompt = { 1: { class_type: 'PreviewAny', inputs: { source: 'x' } } }
    const init = { method: 'POST', body: JSON.stringify({ prompt }) }
    await expect(get('/api/prompt', init)).rejects.toThrow('fetch failed')
    await ended()
    expect(Object.keys((await (await get('/api/history')).json()) as object)).toHaveLength(1)
    expect((await get('/api/prompt', init)).status).toBe(200)
  })

  it('maxBodyBytes refuses larger bodies', async () => {
    const { get } = await begin({ faults: { maxBodyBytes: 10 } })
    const answer = await get('/api/prompt', { method: 'POST', body: '{"prompt":{}}' })
    expect([answer.status, await answer.text()]).toEqual([
      413,
      'Maximum request body size 10 exceeded.',
    ])
    expect(await (await get('/api/features')).json()).toMatchObject({ max_upload_size: 10 })
  })

  it('foreignPrompts fills the queue with prompts of somebody else, and empties it', async () => {
    const { simulator, client, ended } = await begin({ faults: { foreignPrompts: 50 } })
    expect(await client.queueRemaining()).toBe(50)
    await simulator.set({ foreignPrompts: 2 })
    await expect.poll(() => client.queueRemaining(), ready).toBe(2)
    await simulator.set({ foreignPrompts: 0 })
    await ended()
  })
})

describe('a trap that needs no switch', () => {
  it('is the older of two sockets of one client: it stays open and hears no more', async () => {
    const { simulator, submit, ended } = await begin()
    const older = await connect(simulator, 'same')
    const newer = await connect(simulator, 'same')
    await submit(1, 0, 'same')
    await ended()
    await expect.poll(() => newer.types, ready).toContain('execution_success')
    newer.socket.close()
    await new Promise((resolve) => newer.socket.once('close', resolve))
    await submit(2, 0, 'same')
    await ended()
    expect(older.types).toEqual([])
    expect(older.socket.readyState).toBe(WebSocket.OPEN)
  })

  it('is the progress of prompts without a client, which everybody hears', async () => {
    const { simulator, submit, ended } = await begin()
    const stranger = await connect(simulator, 'stranger')
    await submit(2)
    await ended()
    await expect.poll(() => stranger.types, ready).toContain('progress')
    expect(new Set(stranger.types)).toEqual(new Set(['status', 'progress', 'binary 1']))
  })

  it('is a workflow of many nodes, each of which contains all before it', async () => {
    const { client, ended } = await begin()
    const workflow: Record<string, object> = {
      0: { class_type: 'EmptyImage', inputs: { width: 1, height: 1, batch_size: 1, color: 1 } },
      save: { class_type: 'PreviewImage', inputs: { images: ['100', 0] } },
    }
    for (let node = 1; node <= 100; node++) {
      const from = [String(node - 1), 0]
      const inputs = { image1: from, image2: from, blend_factor: 1, blend_mode: 'normal' }
      workflow[node] = { class_type: 'ImageBlend', inputs }
    }
    const promptId = crypto.randomUUID()
    await client.submit({ workflow, promptId })
    await ended()
    expect((await client.job(promptId)).status).toBe('completed')
  })
})

it('renders two hundred small pictures with a few seconds of the processor', async () => {
  const { client } = await begin()
  const start = processorMs()
  const ids = await Promise.all(
    Array.from({ length: 200 }, async (_, seed) => {
      const promptId = crypto.randomUUID()
      await client.submit({ workflow: textToImage(seed), promptId })
      return promptId
    }),
  )
  await expect.poll(() => client.queueRemaining(), { timeout: 25_000, interval: 50 }).toBe(0)
  expect(processorMs() - start).toBeLessThan(8_000)
  expect((await client.job(ids[199] ?? '')).files).toHaveLength(1)
})

function textToImage(seed: number): Record<string, object> {
  const text = (words: string) => ({
    class_type: 'CLIPTextEncode',
    inputs: { text: words, clip: ['4', 1] },
  })
  const sampler = {
    seed,
    steps: 20,
    cfg: 7,
    denoise: 1,
    sampler_name: 'euler',
    scheduler: 'normal',
    model: ['4', 0],
    positive: ['6', 0],
    negative: ['7', 0],
    latent_image: ['5', 0],
  }
  const model = { ckpt_name: 'sd_xl_base_1.0.safetensors' }
  return {
    3: { class_type: 'KSampler', inputs: sampler },
    4: { class_type: 'CheckpointLoaderSimple', inputs: model },
    5: { class_type: 'EmptyLatentImage', inputs: { width: 64, height: 64, batch_size: 1 } },
    6: text(`a castle, number ${seed}`),
    7: text('blurry'),
    8: { class_type: 'VAEDecode', inputs: { samples: ['3', 0], vae: ['4', 2] } },
    9: { class_type: 'SaveImage', inputs: { images: ['8', 0], filename_prefix: 'small' } },
  }
}
