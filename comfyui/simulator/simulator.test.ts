import { mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { createComfyClient } from '../src/client/index.ts'
import { drawPicture } from './drawing/draw.ts'
import { encodePng } from './drawing/png.ts'
import { startSimulator } from './index.ts'

const ready = { timeout: 5000, interval: 20 }
const workflow = (seconds: number) => ({
  1: { class_type: 'SlowImage', inputs: { steps: 2, seconds, seed: 1, fail_at: -1 } },
  2: { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'keep/a' } },
})

describe('a simulator with a state folder', () => {
  let stateDir: string
  beforeEach(async () => void (stateDir = await mkdtemp(join(tmpdir(), 'simulator-'))))
  afterEach(() => rm(stateDir, { recursive: true, force: true }))

  it('knows finished jobs and their files after a restart, and starts the others again', async () => {
    const first = await startSimulator({ port: 0, stateDir })
    const client = createComfyClient({ baseUrl: first.url, fetch })
    const [done, running, waiting] = [0, 1, 2].map(() => crypto.randomUUID()) as [
      string,
      string,
      string,
    ]
    await client.submit({ workflow: workflow(0), promptId: done })
    await expect.poll(async () => (await client.job(done)).status, ready).toBe('completed')
    await client.submit({ workflow: workflow(0.3), promptId: running })
    await client.submit({ workflow: workflow(0.1), promptId: waiting })
    await expect.poll(async () => (await client.job(running)).status, ready).toBe('running')
    await first.close()

    const second = await startSimulator({ port: 0, stateDir })
    const again = createComfyClient({ baseUrl: second.url, fetch })
    const [file] = (await again.job(done)).files
    if (!file) throw new Error('the finished job has no file')
    expect((await again.view(file)).status).toBe(200)
    expect((await again.job(waiting)).status).toBe('pending')
    await expect.poll(async () => (await again.job(running)).status, ready).toBe('completed')
    await expect.poll(async () => (await again.job(waiting)).status, ready).toBe('completed')
    await second.close()
  })
})

describe('a simulator without a state folder', () => {
  it('forgets everything, as ComfyUI does', async () => {
    const first = await startSimulator({ port: 0 })
    const promptId = crypto.randomUUID()
    await createComfyClient({ baseUrl: first.url, fetch }).submit({
      workflow: workflow(0),
      promptId,
    })
    await first.close()
    const second = await startSimulator({ port: Number(new URL(first.url).port) })
    const client = createComfyClient({ baseUrl: second.url, fetch })
    expect((await client.job(promptId)).status).toBe('unknown')
    await second.close()
  })

  it('rejects when its port is taken', async () => {
    const first = await startSimulator({ port: 0 })
    const port = Number(new URL(first.url).port)
    await expect(startSimulator({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
    await first.close()
  })

  it('answers the same without /api, and refuses sockets of other sites', async () => {
    const simulator = await startSimulator({ port: 0 })
    expect((await fetch(`${simulator.url}/system_stats`)).status).toBe(200)
    const socket = new WebSocket(simulator.url.replace('http', 'ws') + '/ws?clientId=a', {
      headers: { origin: 'http://evil.example' },
    })
    await expect(new Promise((_, reject) => socket.once('error', reject))).rejects.toThrow('403')
    await simulator.close()
  })

  it('takes only a body it can hold', async () => {
    const simulator = await startSimulator({ port: 0 })
    const status = await new Promise((resolve, reject) => {
      const headers = { 'content-length': 104_857_601 }
      const sent = request(`${simulator.url}/api/prompt`, { method: 'POST', headers }, (answer) => {
        resolve(answer.statusCode)
        sent.destroy()
      })
      sent.on('error', reject)
      sent.flushHeaders()
    })
    expect(status).toBe(413)
    expect((await fetch(`${simulator.url}/api/prompt`)).status).toBe(200)
    await simulator.close()
  })
})

describe('a drawing', () => {
  const options = { width: 160, height: 120, prompt: 'a fox', seed: 1 }

  it('depends on prompt and seed alone', async () => {
    const png = await encodePng(drawPicture(options))
    expect(await encodePng(drawPicture(options))).toEqual(png)
    expect(await encodePng(drawPicture({ ...options, seed: 2 }))).not.toEqual(png)
    expect(await encodePng(drawPicture({ ...options, prompt: 'a dog' }))).not.toEqual(png)
  })

  it.each([
    ['nothing', { prompt: '' }],
    ['a word without end', { prompt: 'x'.repeat(10_000) }],
    ['a long text', { prompt: 'word '.repeat(2_000), negative: 'no '.repeat(500) }],
    ['signs the font lacks', { prompt: '狐狸 🦊 éß — …' }],
    ['hardly any room', { prompt: 'a fox', width: 1, height: 9 }],
  ])('is made of %s too', (_, more) => {
    const { pixels, width, height } = drawPicture({ ...options, ...more })
    expect(pixels).toHaveLength(width * height * 3)
  })
})
