import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type WebSocket as Socket, WebSocketServer } from 'ws'
import { ConnectionError, RpcError, ViolationError } from '../errors.ts'
import { followStream } from './follow-stream.ts'

// The messages of the streaming guide, step 4 and 5.
const chunk = (params: object) => ({ jsonrpc: '2.0', method: 'stream/chunk', params })
const END = { jsonrpc: '2.0', method: 'stream/end', params: { stream_id: 's' } }
const RESULT = { content: [{ type: 'image', source: 'http://x/outputs/some-unique-id.png' }] }

let server: WebSocketServer
let started: { stream_id: string; ws_url: string }
/** What each connection in turn is sent; then it is closed, or left open for `undefined`. */
let connections: ((socket: Socket) => void)[]
let addresses: (string | undefined)[]
beforeEach(async () => {
  connections = []
  addresses = []
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  started = { stream_id: 's', ws_url: `ws://127.0.0.1:${port}/ws/stream/s` }
  server.on('connection', (socket, request) => {
    addresses.push(request.url)
    connections.shift()?.(socket)
  })
})
afterEach(async () => {
  for (const socket of server.clients) socket.terminate()
  await new Promise((resolve) => server.close(resolve))
})

const sending =
  (...messages: unknown[]) =>
  (socket: Socket) => {
    for (const message of messages) {
      socket.send(typeof message === 'string' ? message : JSON.stringify(message))
    }
  }

describe('a stream', () => {
  it('ends with the result of its chunk, and the socket is closed', async () => {
    connections = [sending(chunk({ stream_id: 's', result: RESULT }), END)]
    expect(await followStream(started)).toEqual(RESULT)
    await expect.poll(() => server.clients.size).toBe(0)
    expect(addresses).toEqual(['/ws/stream/s'])
  })

  it('that failed is the server’s error', async () => {
    const error = { code: -32000, message: 'Service error: No active ComfyUI server.' }
    connections = [sending(chunk({ stream_id: 's', error }), END)]
    const failure: unknown = await followStream(started).catch((reason: unknown) => reason)
    expect(failure).toBeInstanceOf(RpcError)
    expect(failure).toMatchObject(error)
  })

  it('tells its progress to who asks, and takes no harm from what it does not know', async () => {
    const told: unknown[] = []
    const progress = { jsonrpc: '2.0', method: 'stream/progress' }
    connections = [
      sending(
        'pong',
        { ...progress, params: { stream_id: 's', progress: 1, total: 3, message: 'Mixing' } },
        { method: 'stream/preview', params: 7 },
        chunk({ result: RESULT }),
        END,
      ),
    ]
    const onProgress = (each: unknown) => told.push(each)
    expect(await followStream(started, { onProgress })).toEqual(RESULT)
    expect(told).toEqual([{ progress: 1, total: 3, message: 'Mixing' }])
    expect(addresses).toEqual(['/ws/stream/s?progress=1'])
  })

  it('is connected to again when the connection breaks', async () => {
    connections = [
      (socket) => socket.terminate(),
      (socket) => socket.close(),
      sending(chunk({ result: RESULT }), END),
    ]
    expect(await followStream(started, { reconnectMs: 1 })).toEqual(RESULT)
  })

  it('that stays broken is given up', async () => {
    connections = Array<(socket: Socket) => void>(3).fill((socket) => socket.terminate())
    const call = followStream(started, { reconnects: 2, reconnectMs: 1 })
    await expect(call).rejects.toThrow(ConnectionError)
    expect(addresses).toHaveLength(3)
  })

  it('is connected to again many times once it was open', async () => {
    const breaks = Array<(socket: Socket) => void>(20).fill((socket) => socket.terminate())
    connections = [...breaks, sending(chunk({ result: RESULT }), END)]
    expect(await followStream(started, { reconnectMs: 0 })).toEqual(RESULT)
  })

  it('of a bridge that is not there is given up after nine attempts', async () => {
    const attempts: string[] = []
    const refusing = createServer((_, response) => response.destroy())
    refusing.on('upgrade', ({ url = '' }, socket) => {
      attempts.push(url)
      socket.destroy()
    })
    await new Promise<void>((resolve) => refusing.listen(0, '127.0.0.1', resolve))
    const { port } = refusing.address() as AddressInfo
    const call = followStream({ ws_url: `ws://127.0.0.1:${port}/` }, { reconnectMs: 0 })
    await expect(call).rejects.toThrow('cannot be reached')
    expect(attempts).toHaveLength(9)
    refusing.close()
  })

  it('that ends without a result is against the guide', async () => {
    connections = [sending(END)]
    await expect(followStream(started)).rejects.toThrow(ViolationError)
  })

  it('is left when its caller no longer waits', async () => {
    const stop = new AbortController()
    connections = [() => stop.abort(new Error('enough'))]
    await expect(followStream(started, { signal: stop.signal })).rejects.toThrow('enough')
    await expect.poll(() => server.clients.size).toBe(0)
  })

  it.each([undefined, 7, 'http://x/ws', 'file:///etc/passwd', 'ws://'])(
    'at %j is none',
    async (ws_url) => {
      await expect(followStream({ stream_id: 's', ws_url })).rejects.toThrow(ViolationError)
    },
  )
})
