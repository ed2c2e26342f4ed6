import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Simulator, startSimulator } from '../../simulator/index.ts'
import { type ComfyClient, createComfyClient } from './client.ts'

const ready = { timeout: 5000, interval: 20 }
const slow = (seconds: number) => ({
  1: { class_type: 'SlowImage', inputs: { steps: 100, seconds, seed: 1, fail_at: -1 } },
  2: { class_type: 'PreviewImage', inputs: { images: ['1', 0] } },
})

describe.each(['0.33.0', '0.3.64'] as const)('looking at jobs of ComfyUI %s', (version) => {
  let simulator: Simulator
  let client: ComfyClient
  beforeEach(async () => {
    simulator = await startSimulator({ port: 0, version })
    client = createComfyClient({ baseUrl: simulator.url, fetch })
  })
  afterEach(() => simulator.close())
  async function submit(seconds: number): Promise<string> {
    const promptId = crypto.randomUUID()
    await client.submit({ workflow: slow(seconds), promptId })
    return promptId
  }
  const statusOf = (id: string) => async () => (await client.job(id)).status

  it('waits for outputs that follow the end a little later', async () => {
    const id = await submit(0)
    await expect.poll(() => client.queueRemaining(), ready).toBe(0)
    // An older server has no entry at all then, and is asked for it twice a look.
    await simulator.set({ lateOutputs: 2 })
    const job = await client.job(id, { accepted: true })
    expect(job).toMatchObject({ status: 'completed', files: [{ nodeId: '2' }] })
  })

  it('does not take a late entry in history for a lost job', async () => {
    await simulator.set({ historyDelayMs: 400 })
    const id = await submit(0)
    const seen = new Set<string>()
    await expect
      .poll(async () => {
        const { status } = await client.job(id, { accepted: true })
        seen.add(status)
        return status
      }, ready)
      .toBe('completed')
    expect([...seen].filter((status) => !/pending|running|completed/.test(status))).toEqual([])
  })

  it('tells an accepted job the server forgot as lost', async () => {
    const id = await submit(0.05)
    await expect.poll(statusOf(id), ready).toBe('running')
    await simulator.restart()
    expect(await statusOf(id)()).toBe('unknown')
    const { status, error } = await client.job(id, { accepted: true })
    expect([status, error?.kind]).toEqual(['failed', 'server_lost'])
  })

  it('takes no answer for no answer, and not for a job that waits or is gone', async () => {
    const id = await submit(0.05)
    // A read is repeated twice.
    await simulator.set({ badGateway: 3 })
    await expect(client.job(id, { accepted: true })).rejects.toMatchObject({ kind: 'unreachable' })
    await simulator.set({ auth: { header: 'x-api-key', value: 'k' } })
    await expect(client.job(id)).rejects.toMatchObject({ kind: 'unauthorized' })
  })

  it('tells how many are before a job', async () => {
    await simulator.set({ foreignPrompts: 3 })
    const id = await submit(0)
    const behind = await submit(0)
    await expect.poll(() => client.position(id), ready).toBe(3)
    expect(await client.position(behind)).toBe(4)
    expect(await client.queueRemaining()).toBe(5)
    expect(await client.position(crypto.randomUUID())).toBeUndefined()
    await simulator.set({ foreignPrompts: 0 })
    await expect.poll(statusOf(behind), ready).toBe('completed')
    expect(await client.position(id)).toBeUndefined()
  })

  it('names memory that ran out, in one word over all versions', async () => {
    await simulator.set({ outOfMemory: 1 })
    const id = await submit(0)
    await expect.poll(statusOf(id), ready).toBe('failed')
    const { error } = await client.job(id)
    expect(error).toMatchObject({
      kind: 'out_of_memory',
      message: 'The ComfyUI server ran out of memory.',
      details: { nodeId: '1' },
    })
    await client.freeMemory()
    const again = await submit(0)
    await expect.poll(statusOf(again), ready).toBe('completed')
  })
})
