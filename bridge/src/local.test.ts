// The worker on a real workerd, real sockets, and a small HTTP server that has jobs as the gateway has them.
import { execFile } from 'node:child_process'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import type { PublicJob } from 'ftl-sdk/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Bridge, startBridge } from './local.ts'

interface Message {
  method: string
  params: {
    stream_id: string
    seq?: number
    progress?: number
    total?: number
    result?: { content: unknown[]; structuredContent?: unknown }
    error?: { code: number; message: string }
  }
}

const IMAGE = Buffer.from('89504e470d0a1a0a00112233', 'hex')
const jobs = new Map<string, PublicJob>()
let looks: string[] = []
let healthy = true
let gateway: Server
let bridge: Bridge

function answer(request: IncomingMessage, response: ServerResponse): void {
  const path = request.url ?? ''
  looks.push(path)
  if (!healthy) {
    response.writeHead(503).end()
    return
  }
  if (path.startsWith('/outputs/')) {
    const { range, 'if-none-match': etag, cookie } = request.headers
    if (etag === '"e1"') response.writeHead(304, { etag: '"e1"' }).end()
    else if (range === 'bytes=0-3') {
      response
        .writeHead(206, {
          'content-type': 'image/png',
          'content-range': `bytes 0-3/${IMAGE.length}`,
        })
        .end(IMAGE.subarray(0, 4))
    } else {
      const headers = { 'content-type': 'image/png', etag: '"e1"', 'accept-ranges': 'bytes' }
      response
        .writeHead(200, { ...headers, 'set-cookie': 'a=b', 'x-seen-cookie': cookie ?? '' })
        .end(IMAGE)
    }
    return
  }
  const job = jobs.get(path.slice('/jobs/'.length))
  response.writeHead(job ? 200 : 404, { 'content-type': 'application/json' })
  response.end(JSON.stringify(job ?? { error: { code: 'job_not_found', message: 'none' } }))
}

beforeAll(async () => {
  gateway = createServer(answer)
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve))
  bridge = await startBridge({ gatewayUrl: gatewayUrl(), port: 0, giveUpMs: 1500 })
})
afterAll(async () => {
  await bridge.close()
  await new Promise((resolve) => gateway.close(resolve))
})
beforeEach(() => {
  looks = []
  healthy = true
})

const gatewayUrl = () => `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`

function working(change: Partial<PublicJob> = {}): PublicJob {
  const job: PublicJob = {
    id: crypto.randomUUID(),
    component: 'generate-image',
    tool: 'generate_image',
    status: 'working',
    seq: 1,
    createdAt: '2026-01-01T00:00:00Z',
    updatedAt: '2026-01-01T00:00:00Z',
    expiresAt: '2026-01-02T00:00:00Z',
    pollIntervalMs: 100,
    ...change,
  }
  jobs.set(job.id, job)
  return job
}

function complete(job: PublicJob): void {
  jobs.set(job.id, {
    ...job,
    status: 'completed',
    seq: job.seq + 1,
    result: {
      content: [
        { type: 'text', text: 'seed 7' },
        { type: 'resource_link', uri: `/outputs/${job.id}.png`, name: 'a', mimeType: 'image/png' },
      ],
      structuredContent: { seed: 7 },
    },
  })
}

interface Listening {
  messages: Message[]
  /** Settles with the close code. */
  closed: Promise<number>
  ended: Promise<void>
  socket: WebSocket
}

function listen(id: string, query = '', to = bridge): Listening {
  const socket = new WebSocket(`${to.url.replace('http', 'ws')}/ws/stream/${id}${query}`)
  const messages: Message[] = []
  let end = () => {}
  const ended = new Promise<void>((resolve) => (end = resolve))
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(String(data)) as Message
    messages.push(message)
    if (message.method === 'stream/end') end()
  }
  const closed = new Promise<number>((resolve) => (socket.onclose = ({ code }) => resolve(code)))
  return { messages, closed, ended, socket }
}

describe('a stream', () => {
  it('sends the chunk, then the end, in the words of the guide', async () => {
    const job = working()
    const { messages, ended, closed } = listen(job.id)
    await expect.poll(() => looks.length).toBeGreaterThan(1)
    expect(messages).toEqual([])
    complete(job)
    await ended
    expect(messages).toEqual([
      {
        jsonrpc: '2.0',
        method: 'stream/chunk',
        params: {
          stream_id: job.id,
          result: {
            content: [
              { type: 'image', source: `${bridge.url}/outputs/${job.id}.png` },
              { type: 'text', text: 'seed 7' },
            ],
            structuredContent: { seed: 7 },
          },
        },
      },
      { jsonrpc: '2.0', method: 'stream/end', params: { stream_id: job.id } },
    ])
    // A client that does not close is closed.
    expect(await closed).toBe(1000)
    expect(messages).toHaveLength(2)
  })

  it('gives every listener the same, the late one too', async () => {
    const job = working()
    const both = [listen(job.id), listen(job.id)]
    await expect.poll(() => looks.length).toBeGreaterThan(1)
    complete(job)
    await Promise.all(both.map(({ ended }) => ended))
    const late = listen(job.id)
    await late.ended
    expect(both[0]?.messages).toHaveLength(2)
    expect(both[1]?.messages).toEqual(both[0]?.messages)
    expect(late.messages).toEqual(both[0]?.messages)
  })

  it('asks the gateway once for all listeners, and not at all when nobody listens', async () => {
    const job = working()
    const listeners = [listen(job.id), listen(job.id), listen(job.id)]
    await expect.poll(() => looks.length).toBeGreaterThan(3)
    looks = []
    await new Promise((resolve) => setTimeout(resolve, 1000))
    // One look in 100 ms, and not one a listener.
    expect(looks.length).toBeLessThan(15)
    for (const { socket } of listeners) socket.close()
    await Promise.all(listeners.map(({ closed }) => closed))
    await new Promise((resolve) => setTimeout(resolve, 300))
    looks = []
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(looks).toEqual([])
  })

  it.each([
    [
      { status: 'failed', error: { code: -32000, message: 'Service error: no GPU' } },
      'Service error: no GPU',
    ],
    [{ status: 'cancelled' }, 'The job was cancelled.'],
  ] as const)('sends the error of a job that is %j', async (change, message) => {
    const job = working(change)
    const { messages, ended } = listen(job.id)
    await ended
    expect(messages[0]?.params).toEqual({ stream_id: job.id, error: { code: -32000, message } })
    expect(messages).toHaveLength(2)
  })

  it.each([crypto.randomUUID(), 'not-an-id', '..%2fhealth'])(
    'ends with an error and closes when there is none: %s',
    async (id) => {
      const { messages, closed } = listen(id)
      expect(await closed).toBe(1000)
      expect(messages.map(({ method }) => method)).toEqual(['stream/chunk', 'stream/end'])
      expect(messages[0]?.params.error?.message).toMatch(/does not exist or has expired/)
    },
  )

  it('sends progress only where it was asked for, each change once', async () => {
    const job = working({ progress: { value: 1, total: 20 } })
    const asked = listen(job.id, '?progress=1')
    const plain = listen(job.id)
    await expect.poll(() => asked.messages.length).toBe(1)
    jobs.set(job.id, { ...job, seq: 2, progress: { value: 9, total: 20 }, message: 'sampling' })
    await expect.poll(() => asked.messages.length).toBe(2)
    complete({ ...job, seq: 2 })
    await Promise.all([asked.ended, plain.ended])
    expect(asked.messages.slice(0, 2).map(({ params }) => params)).toEqual([
      { stream_id: job.id, seq: 1, progress: 1, total: 20 },
      { stream_id: job.id, seq: 2, progress: 9, total: 20, message: 'sampling' },
    ])
    expect(plain.messages.map(({ method }) => method)).toEqual(['stream/chunk', 'stream/end'])
  })
})

describe('a gateway that is away', () => {
  it('is waited for', async () => {
    const job = working()
    healthy = false
    const { messages, ended } = listen(job.id)
    await expect.poll(() => looks.length).toBeGreaterThan(1)
    complete(job)
    healthy = true
    await ended
    expect(messages[0]?.params.result?.content).toHaveLength(2)
  })

  it('for good is told, so that no client waits for ever', async () => {
    const job = working()
    healthy = false
    const { messages, ended } = listen(job.id)
    await ended
    expect(messages[0]?.params.error?.message).toMatch(/gateway cannot be reached/)
    // The stream itself is not over: once the gateway is back, so is the result.
    healthy = true
    complete(job)
    const again = listen(job.id)
    await again.ended
    expect(again.messages[0]?.params.result).toBeTruthy()
  })
})

describe('the files of a job', () => {
  const file = () => `${bridge.url}/outputs/${crypto.randomUUID()}.png`

  it('come through byte by byte, with what a cache needs', async () => {
    const response = await fetch(file(), { headers: { cookie: 'secret' } })
    expect(response.headers.get('content-type')).toBe('image/png')
    expect(response.headers.get('etag')).toBe('"e1"')
    expect(response.headers.get('set-cookie')).toBeNull()
    expect(response.headers.get('x-seen-cookie')).toBeNull()
    expect(Buffer.from(await response.arrayBuffer())).toEqual(IMAGE)
  })

  it('in part, or not again', async () => {
    const part = await fetch(file(), { headers: { range: 'bytes=0-3' } })
    expect(part.status).toBe(206)
    expect(part.headers.get('content-range')).toBe('bytes 0-3/12')
    expect((await part.arrayBuffer()).byteLength).toBe(4)
    expect((await fetch(file(), { headers: { 'if-none-match': '"e1"' } })).status).toBe(304)
  })

  it('without the gateway are an error that says so', async () => {
    healthy = false
    const response = await fetch(file())
    expect(response.status).toBe(502)
    expect(await response.json()).toMatchObject({ error: { code: 'gateway_unreachable' } })
  })

  it.each(['x.png', '..%2fjobs', '%2e%2e%2fhealth'])('do not include %s', async (name) => {
    expect((await fetch(`${bridge.url}/outputs/${name}`)).status).toBe(404)
    expect(looks).toEqual([])
  })
})

describe('the bridge itself', () => {
  it('says that a stream wants a WebSocket', async () => {
    const response = await fetch(`${bridge.url}/ws/stream/${crypto.randomUUID()}`)
    expect(response.status).toBe(426)
    expect(await response.text()).toContain('WebSocket')
  })

  it('names a port that is taken', async () => {
    const { port } = new URL(bridge.url)
    await expect(
      startBridge({ gatewayUrl: gatewayUrl(), port: Number(port) }),
    ).rejects.toMatchObject({
      code: 'EADDRINUSE',
      message: expect.stringContaining(`127.0.0.1:${port}`) as string,
    })
  })

  it('leaves no process behind and no stream lost when it is restarted', async () => {
    const job = working()
    const first = await startBridge({ gatewayUrl: gatewayUrl(), port: 0 })
    const cut = listen(job.id, '', first)
    await expect.poll(() => looks.length).toBeGreaterThan(0)
    const before = await workerdProcesses()
    await first.close()
    await cut.closed
    await expect.poll(workerdProcesses).toBe(before - 1)
    complete(job)
    const second = await startBridge({ gatewayUrl: gatewayUrl(), port: 0 })
    const again = listen(job.id, '', second)
    await again.ended
    expect(again.messages[0]?.params.result).toBeTruthy()
    await second.close()
  })
})

async function workerdProcesses(): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'comm='])
  return stdout.split('\n').filter((name) => name.startsWith('workerd')).length
}
