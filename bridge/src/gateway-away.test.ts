// What a listener receives while the gateway cannot be reached.
import { randomUUID } from 'node:crypto'
import type { PublicJob } from 'ftl-contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { GatewayStandIn, listen, sleep } from './testing/gateway-stand-in.ts'
import { type Bridge, startBridge } from './local.ts'

let gateway: GatewayStandIn
let bridge: Bridge

beforeAll(async () => {
  gateway = await GatewayStandIn.start()
  bridge = await startBridge({ gatewayUrl: gateway.url, port: 0, giveUpMs: 1500 })
})
afterAll(async () => {
  await bridge.close()
  await gateway.close()
})
beforeEach(() => gateway.healthy())

describe('a gateway that is away', () => {
  it('is waited for', async () => {
    const job = gateway.working()
    const { messages, ended } = listen(bridge.url, job.id)
    await expect.poll(() => gateway.looks.length).toBeGreaterThan(0)
    const { port } = gateway
    await gateway.close()
    await sleep(700)
    expect(messages).toEqual([])
    gateway.complete(job)
    await gateway.listen(port)
    await ended
    expect(messages.map(({ method }) => method)).toEqual(['stream/chunk', 'stream/end'])
    expect(messages[0]?.params.result?.content).toHaveLength(2)
  })

  it('again and again, but never for long, is not given up', async () => {
    const job = gateway.working()
    const { messages, ended } = listen(bridge.url, job.id)
    for (let round = 0; round < 4; round++) {
      gateway.broken()
      await sleep(600)
      gateway.healthy()
      await expect.poll(() => gateway.looks.length).toBeGreaterThan(1)
    }
    expect(messages).toEqual([])
    gateway.complete(job)
    await ended
    expect(messages[0]?.params.result).toBeTruthy()
  })

  it('for good is reported, so that no client waits forever', async () => {
    const job = gateway.working()
    gateway.broken()
    const { messages, ended } = listen(bridge.url, job.id)
    await ended
    expect(messages[0]?.params.error).toMatchObject({
      code: -32000,
      message: expect.stringMatching(/gateway cannot be reached/) as string,
    })
    expect(messages[1]?.method).toBe('stream/end')
    // The number of tries is bounded by the back-off.
    expect(gateway.looks.length).toBeLessThan(10)
    // The stream itself has not ended: when the gateway is back, the result is available.
    gateway.healthy()
    gateway.complete(job)
    const again = listen(bridge.url, job.id)
    await again.ended
    expect(again.messages[0]?.params.result).toBeTruthy()
  })

  // All at the same time: each waits until it is given up.
  it('when it answers with anything but the job', async () => {
    const answers: Record<string, (job: PublicJob) => readonly [status: number, body: string]> = {
      'a page of a proxy': () => [200, '<html>'],
      'a proxy that knows no such path': () => [404, '<html>'],
      'another job': () => [200, JSON.stringify({ id: randomUUID(), status: 'failed', seq: 1 })],
      'no JSON object': () => [200, 'null'],
      'a job without a status': (job) => [200, JSON.stringify({ ...job, status: undefined })],
    }
    const byJob = new Map<string, readonly [status: number, body: string]>()
    gateway.instead = (response) => {
      const [status, body] = byJob.get(response.req.url?.split('/').at(-1) ?? '') ?? [500, '']
      response.writeHead(status).end(body)
    }
    const said = Object.entries(answers).map(async ([name, answer]) => {
      const job = gateway.working()
      byJob.set(job.id, answer(job))
      const { messages, ended } = listen(bridge.url, job.id)
      await ended
      return [name, messages[0]?.params.error?.message]
    })
    const away = expect.stringMatching(/gateway cannot be reached/) as string
    expect(await Promise.all(said)).toEqual(Object.keys(answers).map((name) => [name, away]))
  })
})
