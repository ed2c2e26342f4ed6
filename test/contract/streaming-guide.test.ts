// The streaming guide, word for word: what a plain client sends and gets when a tool takes its time.
import { inflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApplication, type TestApplication } from '../support/application.ts'
import { callTool, post, rpc } from '../support/rpc.ts'
import { embeddedOnly } from '../support/embedded-only.ts'

let application: TestApplication
beforeAll(async () => {
  application = await startApplication()
  // The fixtures have components that hang; the first look at all of them waits for these.
  await rpc(application.url, 'tools/list')
})
afterAll(() => application.close())

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const ARGUMENTS = {
  prompt: 'A majestic dragon flying over a medieval castle',
  style_names: ['Fantasy Art'],
}

interface StreamMessage {
  jsonrpc: string
  method: string
  id?: unknown
  params: {
    stream_id: string
    result?: { content: { type: string; source?: string }[] }
    error?: { code: number; message: string }
  }
}

/** Connects and reads until the stream ends, as the guide tells a client to. */
function follow(wsUrl: string): Promise<StreamMessage[]> {
  return new Promise((resolve, reject) => {
    const messages: StreamMessage[] = []
    const socket = new WebSocket(wsUrl)
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(String(data)) as StreamMessage
      messages.push(message)
      if (message.method !== 'stream/end') return
      socket.close()
      resolve(messages)
    }
    socket.onerror = () => reject(new Error(`cannot connect to ${wsUrl}`))
    socket.onclose = () => reject(new Error(`closed after ${JSON.stringify(messages)}`))
  })
}

async function start(args: unknown = ARGUMENTS): Promise<{ streamId: string; wsUrl: string }> {
  const { params } = await callTool(application.url, 'generate_image', args)
  return { streamId: String(params?.['stream_id']), wsUrl: String(params?.['ws_url']) }
}

/** Width and height of a PNG, after checking that its pixels can really be unpacked. */
function pngSize(bytes: Buffer): [width: number, height: number] {
  expect(bytes.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n')
  const size: [number, number] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
  const data: Buffer[] = []
  for (let at = 8; at < bytes.length;) {
    const length = bytes.readUInt32BE(at)
    if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT')
      data.push(bytes.subarray(at + 8, at + 8 + length))
    at += length + 12
  }
  expect(inflateSync(Buffer.concat(data)).length).toBeGreaterThanOrEqual(size[0] * size[1])
  return size
}

describe('a successful generation', () => {
  it('goes from stream/start to the picture', async () => {
    const response = await post(application.url, {
      jsonrpc: '2.0',
      method: 'tools/call',
      params: { name: 'generate_image', arguments: ARGUMENTS },
      id: 'req-client-123',
    })
    const answer = (await response.json()) as { params: { stream_id: string; ws_url: string } }
    const { stream_id: streamId, ws_url: wsUrl } = answer.params
    expect(answer).toEqual({
      jsonrpc: '2.0',
      method: 'stream/start',
      params: { stream_id: streamId, ws_url: wsUrl },
      id: 'req-client-123',
    })
    expect(streamId).toMatch(UUID)
    expect(wsUrl).toBe(`${application.bridgeUrl.replace('http', 'ws')}/ws/stream/${streamId}`)

    const messages = await follow(wsUrl)
    expect(messages).toHaveLength(2)
    const [chunk, end] = messages
    expect(chunk).toMatchObject({
      jsonrpc: '2.0',
      method: 'stream/chunk',
      params: { stream_id: streamId },
    })
    expect(chunk).not.toHaveProperty('id')
    expect(end).toEqual({
      jsonrpc: '2.0',
      method: 'stream/end',
      params: { stream_id: streamId },
    })

    const [picture] = chunk?.params.result?.content ?? []
    expect(picture?.type).toBe('image')
    const source = picture?.source ?? ''
    expect(source.startsWith(`${application.bridgeUrl}/outputs/`)).toBe(true)
    const image = await fetch(source)
    expect(image.headers.get('content-type')).toBe('image/png')
    expect(pngSize(Buffer.from(await image.arrayBuffer()))).toEqual([1024, 1024])
  })

  it('gives a picture of the size that was asked for', async () => {
    const { wsUrl } = await start({ ...ARGUMENTS, aspect_ratio: '16:9' })
    const [chunk] = await follow(wsUrl)
    const image = await fetch(chunk?.params.result?.content[0]?.source ?? '')
    expect(pngSize(Buffer.from(await image.arrayBuffer()))).toEqual([1344, 768])
  })

  it('gives a client that connects after the end the same messages', async () => {
    const { wsUrl } = await start()
    const first = await follow(wsUrl)
    expect(await follow(wsUrl)).toEqual(first)
  })

  it('survives a restart of the host', embeddedOnly('restarts the host'), async () => {
    const { wsUrl } = await start()
    await application.restartHost()
    const [chunk, end] = await follow(wsUrl)
    expect(end?.method).toBe('stream/end')
    const image = await fetch(chunk?.params.result?.content[0]?.source ?? '')
    expect(image.status).toBe(200)
  })
})

describe('a generation that fails', () => {
  it('gives the error chunk, then the end', async () => {
    const { streamId, wsUrl } = await start({ ...ARGUMENTS, render_type: 'Broken' })
    const [chunk, end] = await follow(wsUrl)
    expect(chunk?.params.stream_id).toBe(streamId)
    expect(chunk?.params.result).toBeUndefined()
    expect(chunk?.params.error?.code).toBe(-32000)
    expect(chunk?.params.error?.message).toMatch(/^Service error: ./)
    expect(JSON.stringify(chunk)).not.toMatch(/Traceback|\.py|\/home\//)
    expect(end).toEqual({ jsonrpc: '2.0', method: 'stream/end', params: { stream_id: streamId } })
  })

  it('is refused before any stream exists when the arguments do not fit', async () => {
    const { error } = await callTool(application.url, 'generate_image', { ...ARGUMENTS, seed: -1 })
    expect(error).toMatchObject({ code: -32602, data: { tool: 'generate_image', code: -32003 } })
    expect(JSON.stringify(error)).toContain('seed')
  })

  it(
    'is reported when no ComfyUI can be reached',
    embeddedOnly('starts an application without ComfyUI'),
    async () => {
      const alone = await startApplication({ withoutComfyui: true })
      try {
        const { params } = await callTool(alone.url, 'generate_image', ARGUMENTS)
        const [chunk, end] = await follow(String(params?.['ws_url']))
        expect(chunk?.params.error).toMatchObject({ code: -32000 })
        expect(chunk?.params.error?.message).toMatch(/^Service error: .*ComfyUI/)
        expect(end?.method).toBe('stream/end')
      } finally {
        await alone.close()
      }
    },
  )
})

describe('a stream that was never started', () => {
  it('ends with an error instead of silence', async () => {
    const id = crypto.randomUUID()
    const [chunk, end] = await follow(
      `${application.bridgeUrl.replace('http', 'ws')}/ws/stream/${id}`,
    )
    expect(chunk?.params.error?.message).toBeTruthy()
    expect(end?.params.stream_id).toBe(id)
  })
})

describe('a client that speaks a known MCP revision', () => {
  it('is not given stream/start but the result', async () => {
    const { result, method } = await callTool(application.url, 'generate_image', ARGUMENTS, {
      'mcp-protocol-version': '2025-06-18',
      accept: 'application/json, text/event-stream',
    })
    expect(method).toBeUndefined()
    const content = result?.['content'] as { type: string; uri?: string }[]
    const link = content.find(({ type }) => type === 'resource_link')
    const image = await fetch(link?.uri ?? '')
    expect(image.headers.get('content-type')).toBe('image/png')
  })
})
