// Many clients that connect in the same moment, as after a restart, on a real workerd with real sockets.
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { GatewayStandIn, listen } from './testing/gateway-stand-in.ts'
import { type Bridge, startBridge } from './local.ts'

const NO_JOB = JSON.stringify({ error: { code: 'job_not_found', message: 'none' } })

let gateway: GatewayStandIn
let bridge: Bridge
/** Requests for jobs that the gateway has not answered, at most. */
let most = 0

beforeAll(async () => {
  gateway = await GatewayStandIn.start()
  bridge = await startBridge({ gatewayUrl: gateway.url, port: 0 })
})
beforeEach(() => {
  let open = 0
  gateway.instead = (response) => {
    most = Math.max(most, ++open)
    setTimeout(() => {
      open--
      const id = response.req.url?.split('/').at(-1) ?? ''
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(gateway.jobs.get(id)))
    }, 100)
  }
})
afterAll(async () => {
  await bridge.close()
  await gateway.close()
})
afterEach(() => {
  most = 0
  gateway.looks = []
})

/** @returns sockets that were opened, and closes them. */
async function openAll(ids: readonly string[]): Promise<number> {
  const sockets = ids.map((id) => listen(bridge.url, id).socket)
  const opened = await Promise.all(
    sockets.map(async (socket) => {
      const first = await Promise.race([
        once(socket, 'open').then(() => true),
        once(socket, 'error').then(() => false),
      ])
      return first
    }),
  )
  for (const socket of sockets) socket.close()
  return opened.filter(Boolean).length
}

it('lets 300 streams in at once, and asks the gateway for 64 of them at the same time', async () => {
  const ids = Array.from({ length: 300 }, () => gateway.working({ pollIntervalMs: 60_000 }).id)
  expect(await openAll(ids)).toBe(300)
  expect(most).toBeLessThanOrEqual(64)
  expect(most).toBeGreaterThan(20)
  expect(gateway.looks).toHaveLength(300)
})

it('asks the gateway once for a stream that twenty listeners open at once', async () => {
  const { id } = gateway.working({ pollIntervalMs: 60_000 })
  expect(await openAll(Array.from({ length: 20 }, () => id))).toBe(20)
  expect(gateway.looks).toHaveLength(1)
})

it('lets all listeners of a stream in after one request that the gateway does not answer', async () => {
  gateway.instead = () => undefined
  const { id } = gateway.working({ pollIntervalMs: 60_000 })
  expect(await openAll(Array.from({ length: 20 }, () => id))).toBe(20)
  // One at the door, which ends after 5 s, and one of the stream itself, which goes on asking.
  expect(gateway.looks.length).toBeLessThanOrEqual(2)
})

it('serves the listeners of a known stream while made-up ids hold every request', async () => {
  const { id } = gateway.working({ pollIntervalMs: 60_000 })
  expect(await openAll([id])).toBe(1)
  const held: ServerResponse[] = []
  gateway.instead = (response) => void held.push(response)
  const madeUp = openAll(Array.from({ length: 200 }, () => crypto.randomUUID()))
  await expect.poll(() => gateway.looks.length).toBeGreaterThanOrEqual(64)
  expect(await openAll([id])).toBe(1)
  // It did not wait for its turn behind them.
  expect(gateway.looks.length).toBeLessThan(200)
  // None waits for its time-out: the ids are unknown, for those that have their turn later too.
  gateway.healthy()
  for (const response of held) response.writeHead(404).end(NO_JOB)
  await madeUp
}, 60_000)
