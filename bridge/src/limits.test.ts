// What one client can cost, on a real workerd with real sockets.
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { GatewayStandIn, listen, type Listening, sleep } from './testing/gateway-stand-in.ts'
import { ComfyStandIn } from './testing/comfyui-stand-in.ts'
import { type Bridge, startBridge } from './local.ts'

/** Longer than the default, so that its passing shows that the setting is read. */
const GRACE_MS = 2_400

let gateway: GatewayStandIn
let comfyui: ComfyStandIn
let bridge: Bridge

beforeAll(async () => {
  gateway = await GatewayStandIn.start()
  comfyui = await ComfyStandIn.start()
  bridge = await startBridge({
    gatewayUrl: gateway.url,
    port: 0,
    comfyuiUrls: { a: comfyui.url },
    limits: {
      maxSockets: 5,
      maxMessageBytes: 100,
      maxBufferedBytes: 20_000,
      closeGraceMs: GRACE_MS,
      heartbeatMs: 200,
    },
  })
})
afterAll(async () => {
  await bridge.close()
  await gateway.close()
  await comfyui.close()
})
beforeEach(() => gateway.healthy())

/** The room of a socket that was closed is free when the bridge has seen it. */
async function whereThereIsRoom(id: string): Promise<Listening> {
  for (;;) {
    const listener = listen(bridge.url, id)
    await once(listener.socket, 'open')
    const isRefused = await Promise.race([
      listener.closed.then((code) => code === 1013),
      sleep(100).then(() => false),
    ])
    if (!isRefused) return listener
  }
}

describe('the sockets of a stream', () => {
  it('are not more than so many, and one that leaves makes room', async () => {
    const job = gateway.working()
    const first = Array.from({ length: 5 }, () => listen(bridge.url, job.id))
    await Promise.all(first.map(({ socket }) => once(socket, 'open')))
    const more = listen(bridge.url, job.id)
    expect(await more.closed).toBe(1013)
    expect(more.reason()).toBe('too many listeners on this stream')
    expect(more.messages).toEqual([])
    // Another stream has room of its own.
    const other = gateway.working({ status: 'cancelled' })
    await listen(bridge.url, other.id).ended
    first[0]?.socket.close()
    await first[0]?.closed
    const again = await whereThereIsRoom(job.id)
    gateway.complete(job)
    await Promise.all([...first.slice(1), again].map(({ ended }) => ended))
    expect(again.messages).toEqual(first[1]?.messages)
  })

  it('are closed so long after the end', async () => {
    const { ended, closed } = listen(bridge.url, gateway.working({ status: 'cancelled' }).id)
    await ended
    const endedAt = Date.now()
    expect(await closed).toBe(1000)
    expect(Date.now() - endedAt).toBeGreaterThan(GRACE_MS - 200)
  })

  it('take messages of so many bytes', async () => {
    const { socket, closed, reason } = listen(bridge.url, gateway.working().id)
    await once(socket, 'open')
    socket.send('x'.repeat(100))
    await sleep(200)
    expect(socket.readyState).toBe(WebSocket.OPEN)
    socket.send('x'.repeat(101))
    expect(await closed).toBe(1008)
    expect(reason()).toBe('nothing is expected from a listener')
  })
})

describe('a keep-alive', () => {
  it('comes to who asks for it, until the end', async () => {
    const job = gateway.working({ pollIntervalMs: 30_000 })
    const asking = listen(bridge.url, `${job.id}?heartbeat=1`)
    await once(asking.socket, 'open')
    const other = listen(bridge.url, job.id)
    await expect.poll(() => asking.messages.length, { timeout: 2000 }).toBeGreaterThan(2)
    expect(asking.messages[0]).toEqual({
      jsonrpc: '2.0',
      method: 'stream/heartbeat',
      params: { stream_id: job.id },
    })
    // Not a look at the job for each.
    expect(gateway.looks).toHaveLength(1)
    expect(other.messages).toEqual([])
    for (const { socket } of [asking, other]) socket.close()
    await asking.closed
  })

  it('does not come after the end', async () => {
    const { ended, closed, messages } = listen(
      bridge.url,
      `${gateway.working({ status: 'cancelled' }).id}?heartbeat=1`,
    )
    await ended
    await closed
    expect(messages.at(-1)?.method).toBe('stream/end')
  })
})

describe('a client that does not read', () => {
  it('is left so many bytes, and the end', async () => {
    const job = gateway.working()
    const reading = listen(bridge.url, `${job.id}?previews=1`)
    const slow = connect(Number(new URL(bridge.url).port), '127.0.0.1')
    slow.write(
      `GET /ws/stream/${job.id}?previews=1&progress=1 HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n` +
        'Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n' +
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    )
    await once(slow, 'data')
    slow.pause()
    await expect.poll(() => comfyui.open.length).toBe(1)
    await expect.poll(() => comfyui.open[0]?.heard.length).toBe(1)
    for (let n = 0; n < 12; n++) {
      // 4 KB, so 5.3 as base64: one fits into half of the limit.
      comfyui.preview(Buffer.alloc(4000, n), job.id)
      await sleep(260)
      const seq = reading.messages.at(-1)?.params.seq
      if (seq !== undefined) reading.socket.send(`ack ${seq}`)
    }
    gateway.complete(job)
    await reading.ended
    let received = ''
    slow.setEncoding('latin1').on('data', (part: string) => (received += part))
    slow.resume()
    await expect.poll(() => received).toContain('stream/end')
    expect(received.length).toBeLessThan(20_000)
    expect(received.match(/stream\/preview/g)).toHaveLength(1)
    expect(received.match(/stream\/chunk/g)).toHaveLength(1)
    expect(received.match(/stream\/end/g)).toHaveLength(1)
    slow.destroy()
    // One that says what it has read goes on getting them.
    const previews = reading.messages.filter(({ method }) => method === 'stream/preview')
    expect(previews.length).toBeGreaterThan(8)
  })
})
