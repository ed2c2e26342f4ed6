// When the bridge is connected to ComfyUI, and how.
import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { listen, sleep } from '../testing/gateway-stand-in.ts'
import { startBridge } from '../local.ts'
import { startWatching, steps, type Watching } from '../testing/watching.ts'

let world: Watching

beforeAll(async () => {
  world = await startWatching()
})
afterAll(() => world.close())
beforeEach(() => world.gateway.healthy())
afterEach(() => world.leave())

describe('the socket to ComfyUI', () => {
  it('is one for all streams, opened with a feature frame and no Origin', async () => {
    const before = world.servers[0].attached.length
    const ids = Array.from({ length: 5 }, () => world.gateway.working().id)
    for (const id of ids) await world.watch(`${id}?progress=1`)
    const opened = world.servers[0].attached.slice(before)
    expect(opened).toHaveLength(1)
    expect(opened[0]?.path).toBe('/api/ws')
    expect(world.servers[1].open[0]?.path).toBe('/prefix/api/ws')
    expect(opened[0]?.clientId).toMatch(/^[0-9a-f-]{36}$/)
    expect(opened[0]?.headers).not.toHaveProperty('origin')
    expect(opened[0]?.heard).toEqual([
      JSON.stringify({ type: 'feature_flags', data: { supports_preview_metadata: true } }),
    ])
  })

  it('is there only while somebody asks', async () => {
    const job = world.gateway.working()
    const before = world.servers[0].attached.length
    const quiet = listen(world.bridge.url, job.id)
    await once(quiet.socket, 'open')
    await sleep(500)
    expect(world.servers[0].attached).toHaveLength(before)
    const asking = await world.watch(`${job.id}?progress=1`)
    expect(world.servers[0].open).toHaveLength(1)
    asking.socket.close()
    await expect.poll(() => world.servers[0].open.length).toBe(0)
    // And not after the end, although the client stays for its moment.
    await world.watch(`${job.id}?progress=1`)
    world.gateway.complete(job)
    await quiet.ended
    await expect.poll(() => world.servers[0].open.length, { timeout: 1500 }).toBe(0)
  })

  it('is opened again after a break, and negotiates again', async () => {
    const { id } = world.gateway.working()
    const listener = await world.watch(`${id}?progress=1`)
    const before = world.servers[0].attached.length
    for (const { socket } of world.servers[0].open) socket.terminate()
    await expect.poll(() => world.servers[0].open[0]?.heard.length, { timeout: 5000 }).toBe(1)
    expect(world.servers[0].attached).toHaveLength(before + 1)
    world.servers[0].step(id, 9)
    await expect.poll(() => steps(listener).at(-1)?.progress).toBe(9)
  })

  it('is closed when the server floods it, and a job of another server goes on', async () => {
    const { id } = world.gateway.working()
    const listener = await world.watch(`${id}?progress=1`)
    const [flooding] = world.servers[0].open
    const flood = JSON.stringify({ type: 'crystools.monitor', data: {} })
    for (let frame = 0; frame < 40_000; frame++) flooding?.socket.send(flood)
    await expect.poll(() => flooding?.socket.readyState, { timeout: 5000 }).toBe(3)
    world.servers[1].step(id, 9)
    await expect.poll(() => steps(listener).at(-1)?.progress).toBe(9)
  })

  it('outlives a frame that is too big for it', async () => {
    const { id } = world.gateway.working()
    const listener = await world.watch(`${id}?progress=1`)
    world.servers[0].send(Buffer.alloc(3_000_000, 1))
    world.servers[1].step(id, 4)
    await expect.poll(() => steps(listener).at(-1)?.progress).toBe(4)
    await expect
      .poll(
        () => {
          world.servers[0].step(id, 8)
          return steps(listener).at(-1)?.progress
        },
        { timeout: 6000 },
      )
      .toBe(8)
  })

  it('takes the client id that jobs are submitted with, where there is one', async () => {
    const set = { gatewayUrl: world.gateway.url, port: 0, comfyuiUrls: { a: world.servers[0].url } }
    const named = await startBridge({ ...set, comfyuiClientId: 'the gateway' })
    const { socket } = listen(named.url, `${world.gateway.working().id}?previews=1`)
    await expect.poll(() => world.servers[0].open[0]?.clientId).toBe('the gateway')
    socket.close()
    await named.close()
  })

  it('to a server that is not there costs nobody anything', async () => {
    const away = {
      gatewayUrl: world.gateway.url,
      port: 0,
      comfyuiUrls: { a: 'http://127.0.0.1:9' },
    }
    const alone = await startBridge(away)
    const job = world.gateway.working({ progress: { value: 1, total: 2 } })
    const listener = listen(alone.url, `${job.id}?progress=1&previews=1`)
    await expect.poll(() => steps(listener).length).toBe(1)
    world.gateway.complete(job)
    await listener.ended
    expect(steps(listener)).toEqual([{ stream_id: job.id, seq: 1, progress: 1, total: 2 }])
    await alone.close()
  })
})
