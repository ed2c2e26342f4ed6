import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Simulator, startSimulator } from '../../simulator/index.ts'
import { createComfyClient } from './client.ts'
import { ComfyError } from './errors.ts'
import type { Fetch } from './http.ts'

const slow = (steps: number, seconds: number, failAt = -1) => ({
  1: { class_type: 'SlowImage', inputs: { steps, seconds, seed: steps, fail_at: failAt } },
  2: { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'client/slow' } },
})
const ready = { timeout: 5000, interval: 20 }
const kindOf = (work: Promise<unknown>) =>
  work.then(
    () => 'no error',
    (error: unknown) => (error instanceof ComfyError ? error.kind : error),
  )

describe.each(['0.33.0', '0.3.64'] as const)('on ComfyUI %s', (version) => {
  let simulator: Simulator
  let client: ReturnType<typeof createComfyClient>
  beforeAll(async () => {
    simulator = await startSimulator({ port: 0, version })
    client = createComfyClient({ baseUrl: `${simulator.url}/`, fetch })
  })
  afterAll(() => simulator.close())
  const statusOf = async (id: string) => (await client.job(id)).status

  it('follows a job from unknown to completed and fetches its file', async () => {
    const promptId = crypto.randomUUID()
    expect(await statusOf(promptId)).toBe('unknown')
    expect(await client.submit({ workflow: slow(3, 0.05), promptId })).toEqual({
      promptId,
      warnings: [],
    })
    await expect.poll(() => statusOf(promptId), ready).toBe('running')
    await expect.poll(() => statusOf(promptId), ready).toBe('completed')
    const { files } = await client.job(promptId)
    expect(files).toEqual([
      {
        filename: 'slow_00001_.png',
        subfolder: 'client',
        type: 'output',
        nodeId: '2',
        mediaKey: 'images',
      },
    ])
    const [file] = files
    if (!file) throw new Error('no file')
    const whole = await client.view(file)
    expect([...(await whole.bytes()).subarray(1, 4)]).toEqual([...Buffer.from('PNG')])
    const part = await client.view(file, { range: 'bytes=0-7' })
    expect([part.status, (await part.bytes()).length]).toEqual([206, 8])
  })

  it('cancels the running job and leaves the one behind it alone', async () => {
    const [running, waiting] = [crypto.randomUUID(), crypto.randomUUID()]
    await client.submit({ workflow: slow(100, 0.05), promptId: running })
    await client.submit({ workflow: slow(2, 0.05), promptId: waiting })
    await expect.poll(() => statusOf(running), ready).toBe('running')
    expect(await statusOf(waiting)).toBe('pending')
    expect(await client.queueRemaining()).toBe(2)
    expect(await client.cancel(running)).toBe(true)
    await expect.poll(() => statusOf(running), ready).toBe('cancelled')
    await expect.poll(() => statusOf(waiting), ready).toBe('completed')
    expect(await client.cancel(running)).toBe(false)
  })

  it('cancels a waiting job without touching the running one', async () => {
    const [running, waiting] = [crypto.randomUUID(), crypto.randomUUID()]
    await client.submit({ workflow: slow(9, 0.05), promptId: running })
    await client.submit({ workflow: slow(8, 0.05), promptId: waiting })
    expect(await client.cancel(waiting)).toBe(true)
    expect(await statusOf(waiting)).toBe('unknown')
    await expect.poll(() => statusOf(running), ready).toBe('completed')
  })

  it('tells of a failed node without traceback and path', async () => {
    const promptId = crypto.randomUUID()
    await client.submit({ workflow: slow(4, 0.01, 2), promptId })
    await expect.poll(() => statusOf(promptId), ready).toBe('failed')
    const { error } = await client.job(promptId)
    expect(error?.kind).toBe('execution_failed')
    expect(error?.message).toBe('Node 1 (SlowImage) failed: boom at 2')
    expect(error?.details).toEqual({
      nodeId: '1',
      nodeType: 'SlowImage',
      problem: 'boom at 2',
    })
  })

  it('names the missing node class', async () => {
    const workflow = { 5: { class_type: 'Nope', inputs: {} } }
    const submitted = client.submit({ workflow, promptId: crypto.randomUUID() })
    await expect(submitted).rejects.toMatchObject({
      kind: 'missing_node',
      message: 'The ComfyUI server does not have the node "Nope".',
      details: { nodeId: '5', nodeType: 'Nope', status: 400 },
    })
  })

  it('names the missing model file', async () => {
    const workflow = {
      4: { class_type: 'CheckpointLoaderSimple', inputs: { ckpt_name: 'sd15/x.safetensors' } },
      5: { class_type: 'EmptyLatentImage', inputs: { width: 64, height: 64, batch_size: 1 } },
      8: { class_type: 'VAEDecode', inputs: { samples: ['5', 0], vae: ['4', 2] } },
      9: { class_type: 'SaveImage', inputs: { images: ['8', 0], filename_prefix: 'x' } },
    }
    const submitted = client.submit({ workflow, promptId: crypto.randomUUID() })
    await expect(submitted).rejects.toMatchObject({
      kind: 'missing_model',
      message:
        'The ComfyUI server does not have the model file "x.safetensors" ("ckpt_name" of node 4 (CheckpointLoaderSimple)). It has "sd_xl_base_1.0.safetensors".',
      details: { nodeId: '4', inputName: 'ckpt_name' },
    })
  })

  it('leads a refused value back to node and input', async () => {
    const workflow = slow(0, 0.1)
    const submitted = client.submit({ workflow, promptId: crypto.randomUUID() })
    await expect(submitted).rejects.toMatchObject({
      kind: 'invalid_value',
      message: '"steps" of node 1 (SlowImage): Value 0 smaller than min of 1.',
      details: { nodeId: '1', inputName: 'steps', received: 0 },
    })
  })

  it('does not show the traceback of a link to nowhere', async () => {
    const workflow = {
      2: { class_type: 'SaveImage', inputs: { images: ['99', 0], filename_prefix: 'x' } },
    }
    const error: unknown = await client
      .submit({ workflow, promptId: crypto.randomUUID() })
      .catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ComfyError)
    expect(`${(error as Error).message} ${JSON.stringify(error)}`).not.toMatch(
      /File|\.py|execution/,
    )
  })

  it('describes node classes and the server', async () => {
    expect(await client.version()).toBe(version)
    expect(await client.objectInfo('Nope')).toEqual({})
    expect(Object.keys(await client.objectInfo('KSampler'))).toEqual(['KSampler'])
  })
})

describe('when the network fails', () => {
  let simulator: Simulator
  beforeAll(async () => void (simulator = await startSimulator({ port: 0 })))
  afterAll(() => simulator.close())

  it('does not send a prompt twice when only the answer was lost', async () => {
    let posts = 0
    const losesAnswers: Fetch = async (url, init) => {
      const response = await fetch(url, init)
      if (init?.method === 'POST' && ++posts === 1) throw new TypeError('connection reset')
      return response
    }
    const client = createComfyClient({ baseUrl: simulator.url, fetch: losesAnswers })
    const promptId = crypto.randomUUID()
    await client.submit({ workflow: slow(1, 0), promptId })
    expect(posts).toBe(1)
    await expect.poll(async () => (await client.job(promptId)).status, ready).toBe('completed')
  })

  it('sends a prompt again when the server never got it', async () => {
    let posts = 0
    const losesRequests: Fetch = async (url, init) => {
      if (init?.method === 'POST' && ++posts === 1) throw new TypeError('connection reset')
      return fetch(url, init)
    }
    const client = createComfyClient({ baseUrl: simulator.url, fetch: losesRequests })
    const promptId = crypto.randomUUID()
    await client.submit({ workflow: slow(1, 0), promptId })
    expect(posts).toBe(2)
    expect((await client.job(promptId)).status).not.toBe('unknown')
  })

  it('says timeout, and after how long, when the aborted request ends first', async () => {
    const hanging: Fetch = (_, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(new TypeError('aborted')))
      })
    const client = createComfyClient({ baseUrl: 'http://comfyui', fetch: hanging, timeoutMs: 50 })
    await expect(client.queueRemaining()).rejects.toMatchObject({
      kind: 'timeout',
      message: 'The ComfyUI server did not answer within 0.05 s.',
    })
  })

  it('says unreachable where nobody listens, and timeout where nobody answers', async () => {
    const nobody = createComfyClient({ baseUrl: 'http://127.0.0.1:9', fetch })
    expect(await kindOf(nobody.job(crypto.randomUUID()))).toBe('unreachable')
    const silent = createServer(() => {})
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as AddressInfo
    const baseUrl = `http://127.0.0.1:${port}`
    const waiting = createComfyClient({ baseUrl, fetch, timeoutMs: 50 })
    expect(await kindOf(waiting.queueRemaining())).toBe('timeout')
    silent.closeAllConnections()
    silent.close()
  })

  it('passes on a key for the server, and nothing a browser said of itself', async () => {
    let seen: IncomingHttpHeaders = {}
    const server = createServer((request, response) => {
      seen = request.headers
      response.end('{"exec_info":{"queue_remaining":0}}')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const headers = {
      authorization: 'Bearer k',
      origin: 'http://evil.example',
      'sec-fetch-site': 'cross-site',
    }
    const client = createComfyClient({ baseUrl: `http://127.0.0.1:${port}/comfy`, fetch, headers })
    await client.queueRemaining()
    expect(seen.authorization).toBe('Bearer k')
    expect(seen.origin).toBeUndefined()
    expect(seen['sec-fetch-site']).toBeUndefined()
    server.close()
  })

  it('takes a proxy’s error page for what it is', async () => {
    const page: Fetch = async () => new Response('<html>bad gateway', { status: 502 })
    const client = createComfyClient({ baseUrl: 'http://comfy', fetch: page })
    expect(await kindOf(client.job(crypto.randomUUID()))).toBe('unreachable')
    const login: Fetch = async () => new Response('<html>log in', { status: 200 })
    const other = createComfyClient({ baseUrl: 'http://comfy', fetch: login })
    expect(await kindOf(other.queueRemaining())).toBe('rejected')
  })

  it('repeats a read that a proxy refused, twice, and nothing else', async () => {
    let asked = 0
    const sometimes: Fetch = async () =>
      ++asked % 3 !== 0
        ? new Response('<html>', { status: 502 })
        : Response.json({ exec_info: { queue_remaining: 3 } })
    const client = createComfyClient({ baseUrl: 'http://comfy', fetch: sometimes })
    expect(await client.queueRemaining()).toBe(3)
    expect(asked).toBe(3)
    await expect(client.freeMemory()).rejects.toMatchObject({ kind: 'unreachable' })
    expect(asked).toBe(4)
  })

  it('reads no endless answer, and none that announces more than it may have', async () => {
    let sent = 0
    const chunk = new Uint8Array(1024 ** 2).fill(0x20)
    const endless = () =>
      new ReadableStream<Uint8Array>({
        pull(controller) {
          sent += chunk.length
          controller.enqueue(chunk)
        },
      })
    for (const headers of [new Headers(), new Headers({ 'content-length': '99999999999' })]) {
      sent = 0
      const answer: Fetch = async () => new Response(endless(), { headers })
      const client = createComfyClient({ baseUrl: 'http://comfy', fetch: answer })
      await expect(client.queueRemaining()).rejects.toMatchObject({
        kind: 'rejected',
        message: 'The ComfyUI server sent more than 32 MB.',
      })
      expect(sent).toBeLessThan(40 * 1024 ** 2)
    }
  })
})
