// Progress as ComfyUI tells it, through a real workerd to real sockets.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sleep } from '../testing/gateway-stand-in.ts'
import { startWatching, steps, type Watching } from '../testing/watching.ts'

let world: Watching

beforeAll(async () => {
  world = await startWatching()
})
afterAll(() => world.close())
beforeEach(() => world.gateway.healthy())
afterEach(() => world.leave())

describe('a listener that asks for progress', () => {
  it('is told each step, never fewer than before, and never that the job waits while it counts', async () => {
    const { id } = world.gateway.working({ message: 'Waiting for ComfyUI' })
    const listener = await world.watch(`${id}?progress=1`)
    await expect.poll(() => steps(listener).length).toBe(1)
    await sleep(300)
    world.servers[1].step(id, 7)
    await expect.poll(() => steps(listener).length).toBe(2)
    expect(steps(listener)).toEqual([
      { stream_id: id, seq: 1, message: 'Waiting for ComfyUI' },
      { stream_id: id, seq: 1, progress: 7, total: 20, message: 'Step 7 of 20', node: '3' },
    ])
    // The record is older than the steps, also when it changes.
    const record = world.gateway.jobs.get(id)
    if (record) world.gateway.jobs.set(id, { ...record, seq: 2, message: 'Rendering (4 s)' })
    await expect.poll(() => steps(listener).length).toBe(3)
    expect(steps(listener)[2]).toMatchObject({ progress: 7, total: 20, message: 'Step 7 of 20' })
    world.servers[1].send({ type: 'executing', data: { node: '8', prompt_id: id } })
    await expect.poll(() => steps(listener).length).toBe(4)
    expect(steps(listener)[3]).toMatchObject({ progress: 20, total: 20, message: 'Running node 8' })
  })

  it('is told at most four steps a second, and the newest of them', async () => {
    const { id } = world.gateway.working()
    const listener = await world.watch(`${id}?progress=1`)
    const start = performance.now()
    for (let value = 1; value <= 100; value++) {
      world.servers[0].step(id, value, 100)
      await sleep(10)
    }
    await expect.poll(() => steps(listener).at(-1)?.progress).toBe(100)
    expect(steps(listener).length).toBeGreaterThan(3)
    // A hundred steps take one second, and three on a busy machine.
    const seconds = (performance.now() - start) / 1000
    expect(steps(listener).length).toBeLessThanOrEqual(4 * seconds + 4)
  })

  it('hears nothing of others, of no steps, and of what is not understood', async () => {
    const { id } = world.gateway.working()
    const listener = await world.watch(`${id}?progress=1`)
    const [comfyui] = world.servers
    comfyui.step(crypto.randomUUID(), 5)
    comfyui.step('__proto__', 5)
    comfyui.send({ type: 'status', data: { status: { exec_info: { queue_remaining: 1 } } } })
    comfyui.send({ type: 'progress', data: { value: 'NaN', max: 2, prompt_id: id } })
    comfyui.send({ type: 'executing', data: { node: null, prompt_id: id } })
    comfyui.send({ type: 'execution_error', data: { prompt_id: id, traceback: ['/secret'] } })
    for (const odd of ['{', 'null', '[]', '7', '{"type":"progress"}', Buffer.alloc(3)]) {
      comfyui.send(odd)
    }
    comfyui.step(id, 6)
    await expect.poll(() => steps(listener).at(-1)?.progress).toBe(6)
    expect(steps(listener).filter(({ progress }) => progress !== undefined)).toHaveLength(1)
    expect(JSON.stringify(listener.messages)).not.toMatch(/secret|127\.0\.0\.1|"big"/)
  })

  it('that comes late hears the newest step', async () => {
    const { id } = world.gateway.working()
    const first = await world.watch(`${id}?progress=1`)
    world.servers[0].step(id, 11)
    await expect.poll(() => steps(first).at(-1)?.progress).toBe(11)
    const late = await world.watch(`${id}?progress=1`)
    await expect.poll(() => steps(late).at(-1)?.progress).toBe(11)
  })

  it('gets the end from the record, whatever ComfyUI says', async () => {
    const job = world.gateway.working()
    const listener = await world.watch(`${job.id}?progress=1`)
    world.servers[0].send({ type: 'execution_success', data: { prompt_id: job.id, timestamp: 1 } })
    world.servers[0].send({ type: 'executing', data: { node: null, prompt_id: job.id } })
    await sleep(400)
    expect(listener.messages.map(({ method }) => method)).not.toContain('stream/end')
    world.gateway.complete(job)
    await listener.ended
    world.servers[0].step(job.id, 20)
    await listener.closed
    expect(listener.messages.slice(-2).map(({ method }) => method)).toEqual([
      'stream/chunk',
      'stream/end',
    ])
  })
})
