// The worker on a real workerd, real sockets, and a small HTTP server in place of the gateway.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { GatewayStandIn, listen, sleep } from './testing/gateway-stand-in.ts'
import { type Bridge, startBridge } from './local.ts'

let gateway: GatewayStandIn
let bridge: Bridge
/** It leaves a stream that has ended open for longer than a test lasts, so only others close one. */
let patient: Bridge

beforeAll(async () => {
  gateway = await GatewayStandIn.start()
  const options = { gatewayUrl: gateway.url, port: 0, giveUpMs: 1500 }
  bridge = await startBridge(options)
  patient = await startBridge({ ...options, limits: { closeGraceMs: 600_000 } })
})
afterAll(async () => {
  await Promise.all([bridge.close(), patient.close()])
  await gateway.close()
})
beforeEach(() => gateway.healthy())

/**
 * Milliseconds between each of `count` looks at a job and the look before. A look begins only after the answer to the one
 * before, so a busy machine makes them longer and never shorter.
 */
async function gapsOf({ id }: { id: string }, count: number): Promise<number[]> {
  const times: number[] = []
  gateway.onLook = (path) => void (path.endsWith(id) && times.push(performance.now()))
  await expect.poll(() => times.length, { timeout: 15_000 }).toBeGreaterThan(count)
  gateway.onLook = () => undefined
  return times.slice(1).map((time, nth) => time - (times[nth] ?? 0))
}

describe('a stream', () => {
  it('sends the chunk, then the end, in the words of the guide', async () => {
    const job = gateway.working()
    const { messages, ended, closed } = listen(bridge.url, job.id)
    await expect.poll(() => gateway.looks.length).toBeGreaterThan(1)
    expect(messages).toEqual([])
    gateway.complete(job)
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

  it('lets the client close first', async () => {
    const job = gateway.working({ status: 'cancelled' })
    const { socket, ended, closed } = listen(patient.url, job.id)
    await ended
    await sleep(300)
    expect(socket.readyState).toBe(WebSocket.OPEN)
    socket.close(1000)
    expect(await closed).toBe(1000)
  })

  it('gives every listener the same, the late one too', async () => {
    const job = gateway.working()
    const both = [listen(bridge.url, job.id), listen(bridge.url, job.id)]
    await expect.poll(() => gateway.looks.length).toBeGreaterThan(1)
    gateway.complete(job)
    await Promise.all(both.map(({ ended }) => ended))
    const late = listen(bridge.url, job.id)
    await late.ended
    await Promise.all(both.map(({ closed }) => closed))
    const later = listen(bridge.url, job.id)
    await later.ended
    expect(both[0]?.messages).toHaveLength(2)
    for (const other of [both[1], late, later]) {
      expect(other?.messages).toEqual(both[0]?.messages)
    }
  })

  it('asks the gateway once for all listeners, and not at all when nobody listens', async () => {
    const job = gateway.working()
    const listeners = Array.from({ length: 20 }, () => listen(bridge.url, job.id))
    await expect.poll(() => gateway.looks.length).toBeGreaterThan(3)
    // One look in 100 ms, and not one a listener.
    expect(Math.min(...(await gapsOf(job, 5)))).toBeGreaterThan(80)
    for (const { socket } of listeners) socket.close()
    await Promise.all(listeners.map(({ closed }) => closed))
    await sleep(300)
    gateway.looks = []
    await sleep(500)
    expect(gateway.looks).toEqual([])
    // Who comes back finds it going on.
    gateway.complete(job)
    const again = listen(bridge.url, job.id)
    await again.ended
    expect(again.messages[0]?.params.result).toBeTruthy()
  })

  it.each([0, -1, 1e-9, null])('does not hurry when the poll interval is %s', async (interval) => {
    const job = gateway.working({ pollIntervalMs: interval as number })
    const { socket, closed } = listen(bridge.url, job.id)
    expect(Math.min(...(await gapsOf(job, 3)))).toBeGreaterThan(80)
    socket.close()
    await closed
  })

  it.each([
    [
      { status: 'failed', error: { code: -32000, message: 'Service error: no GPU' } },
      'Service error: no GPU',
    ],
    [{ status: 'cancelled' }, 'The job was cancelled.'],
    [
      {
        status: 'completed',
        result: { content: [{ type: 'text', text: 'too dark' }], isError: true },
      },
      'too dark',
    ],
  ] as const)('sends the error of a job that is %j', async (change, message) => {
    const job = gateway.working(JSON.parse(JSON.stringify(change)) as object)
    const { messages, ended } = listen(bridge.url, job.id)
    await ended
    expect(messages[0]?.params).toEqual({ stream_id: job.id, error: { code: -32000, message } })
    expect(messages).toHaveLength(2)
  })

  it.each([crypto.randomUUID(), 'not-an-id', '..%2fhealth'])(
    'ends with an error and closes at once when there is none: %s',
    async (id) => {
      const { messages, closed } = listen(patient.url, id)
      expect(await closed).toBe(1000)
      expect(messages.map(({ method }) => method)).toEqual(['stream/chunk', 'stream/end'])
      expect(messages[0]?.params.error).toMatchObject({
        code: -32000,
        message: expect.stringMatching(/does not exist or has expired/) as string,
      })
    },
  )

  it('goes on while the job waits for an answer', async () => {
    const job = gateway.working({ status: 'input_required' })
    const { messages, ended } = listen(bridge.url, job.id)
    await expect.poll(() => gateway.looks.length).toBeGreaterThan(2)
    await sleep(1600)
    expect(messages).toEqual([])
    gateway.complete(job)
    await ended
    expect(messages[0]?.params.result).toBeTruthy()
  })

  it('sends progress only where it was asked for, each change once', async () => {
    const job = gateway.working({ progress: { value: 1, total: 20 } })
    const asked = listen(bridge.url, `${job.id}?progress=1`)
    const others = ['', '?progress=0', '?other=1'].map((query) =>
      listen(bridge.url, job.id + query),
    )
    await expect.poll(() => asked.messages.length).toBe(1)
    const further = { ...job, seq: 2, progress: { value: 9, total: 20 }, message: 'sampling' }
    gateway.jobs.set(job.id, further)
    await expect.poll(() => asked.messages.length).toBe(2)
    // Another replica of the store may be behind; a client never sees a step back.
    gateway.jobs.set(job.id, job)
    await sleep(300)
    const late = listen(bridge.url, `${job.id}?progress=1`)
    await expect.poll(() => late.messages.length).toBe(1)
    gateway.complete(further)
    await Promise.all([asked, late, ...others].map(({ ended }) => ended))
    expect(asked.messages.slice(0, -2).map(({ params }) => params)).toEqual([
      { stream_id: job.id, seq: 1, progress: 1, total: 20 },
      { stream_id: job.id, seq: 2, progress: 9, total: 20, message: 'sampling' },
    ])
    for (const { messages } of others) {
      expect(messages.map(({ method }) => method)).toEqual(['stream/chunk', 'stream/end'])
    }
  })
})
