// What the Worker does before a stream begins, and how it treats its clients.
import { once } from 'node:events'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket as WsClient } from 'ws'
import { GatewayStandIn, listen } from './testing/gateway-stand-in.ts'
import { type Bridge, startBridge } from './local.ts'

let gateway: GatewayStandIn
let bridge: Bridge

beforeAll(async () => {
  gateway = await GatewayStandIn.start()
  bridge = await startBridge({
    gatewayUrl: gateway.url,
    port: 0,
    giveUpMs: 1500,
    allowedHosts: ['pictures.example'],
  })
})
afterAll(async () => {
  await bridge.close()
  await gateway.close()
})
beforeEach(() => gateway.healthy())

async function sourceFor(to: string, headers: Record<string, string>): Promise<string> {
  const job = gateway.working()
  gateway.complete(job)
  const socket = new WsClient(`${to.replace('http', 'ws')}/ws/stream/${job.id}`, { headers })
  const [data] = (await once(socket, 'message')) as [Buffer]
  socket.terminate()
  const { params } = JSON.parse(data.toString()) as {
    params: { result: { content: { source: string }[] } }
  }
  return params.result.content[0]?.source.replace(job.id, 'ID') ?? ''
}

describe('the address of an image', () => {
  it('begins with the origin the client came to', async () => {
    const headers = { host: 'pictures.example:8001', 'x-forwarded-proto': 'https' }
    expect(await sourceFor(bridge.url, headers)).toBe('http://pictures.example:8001/outputs/ID.png')
  })

  it('takes the scheme of a proxy only where it is trusted', async () => {
    const trusting = await startBridge({
      gatewayUrl: gateway.url,
      port: 0,
      trustForwardedProto: true,
      allowedHosts: ['*.example'],
    })
    const host = 'pictures.example'
    const source = (proto: string) => sourceFor(trusting.url, { host, 'x-forwarded-proto': proto })
    expect(await source('https')).toBe('https://pictures.example/outputs/ID.png')
    expect(await source('wss, http')).toBe('https://pictures.example/outputs/ID.png')
    expect(await source('javascript')).toBe('http://pictures.example/outputs/ID.png')
    await trusting.close()
  })

  it('is what the operator has set', async () => {
    const publicUrl = 'https://bridge.example/'
    const set = await startBridge({ gatewayUrl: gateway.url, port: 0, publicUrl })
    expect(await sourceFor(set.url, {})).toBe('https://bridge.example/outputs/ID.png')
    await set.close()
  })
})

describe('a client', () => {
  it('without a WebSocket is told what is wanted', async () => {
    const response = await fetch(`${bridge.url}/ws/stream/${crypto.randomUUID()}`)
    expect(response.status).toBe(426)
    expect(await response.json()).toMatchObject({
      error: {
        code: 'upgrade_required',
        message: expect.stringContaining('WebSocket') as string,
      },
    })
  })

  it('that keeps its connection awake is answered', async () => {
    const { id } = gateway.working()
    const socket = new WsClient(`${bridge.url.replace('http', 'ws')}/ws/stream/${id}`)
    await once(socket, 'open')
    socket.ping('frame')
    expect(String((await once(socket, 'pong'))[0])).toBe('frame')
    socket.send('ping')
    expect(String((await once(socket, 'message'))[0])).toBe('pong')
    socket.terminate()
  })

  it('that talks now and then gets its result all the same', async () => {
    const job = gateway.working()
    const { socket, messages, ended } = listen(bridge.url, job.id)
    await once(socket, 'open')
    for (const message of ['hello', '{', new Uint8Array(10)]) socket.send(message)
    gateway.complete(job)
    await ended
    expect(messages).toHaveLength(2)
  })

  it.each([
    ['never stops talking', Array.from({ length: 100 }, () => 'x')],
    ['sends a long text', ['x'.repeat(5000)]],
    ['sends many bytes', [new Uint8Array(5000)]],
  ])('that %s is cut off, and nobody else', async (_, sent) => {
    const job = gateway.working()
    const quiet = listen(bridge.url, job.id)
    const loud = listen(bridge.url, job.id)
    await Promise.all([once(quiet.socket, 'open'), once(loud.socket, 'open')])
    for (const message of sent) loud.socket.send(message)
    expect(await loud.closed).toBe(1008)
    gateway.complete(job)
    await quiet.ended
    expect(quiet.messages[0]?.params.result).toBeTruthy()
  })
})
