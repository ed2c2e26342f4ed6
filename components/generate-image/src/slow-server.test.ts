import { startSimulator, type Simulator } from 'ftl-comfyui/simulator'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Freezable, freezable } from '../../../test/support/freezable.ts'
import { call, look, machine, ready, start } from './testing/machine.ts'

/** Longer than the servers of a list are given to report their load. */
const SLOW_MS = 3_300

describe('a ComfyUI server that is slow', () => {
  let one: Simulator
  let two: Simulator
  beforeAll(async () => {
    ;[one, two] = await Promise.all([
      startSimulator({ port: 0, renderSeconds: 60 }),
      startSimulator({ port: 0, renderSeconds: 60 }),
    ])
  })
  afterAll(() => Promise.all([one.close(), two.close()]))

  it('gets the job if no other server of the list answers sooner', async () => {
    await Promise.all([delay(one.url, SLOW_MS), delay(two.url, SLOW_MS)])
    const on = machine(`${one.url},${two.url},http://127.0.0.1:9`)
    const starting = start(on, { prompt: 'a pond' })
    await expect.poll(() => on.requests.length).toBe(3)
    // The other requests of the job need not be slow.
    await Promise.all([delay(one.url, 0), delay(two.url, 0)])
    const job = await starting
    expect(job.status).toBe('working')
    expect(on.requests).toContain('POST /api/prompt')
  }, 30_000)
})

async function delay(url: string, delayMs: number): Promise<void> {
  const body = JSON.stringify({ delayMs })
  await fetch(`${url}/simulator/faults`, { method: 'POST', body })
}

describe('a job on a ComfyUI server that is frozen', () => {
  let comfyui: Simulator
  let relay: Freezable
  beforeAll(async () => {
    comfyui = await startSimulator({ port: 0, renderSeconds: 0.05 })
    relay = await freezable(comfyui.url)
  })
  afterAll(async () => {
    await relay.close()
    await comfyui.close()
  })

  it('is read before the server answers, with one request at a time, and refreshed behind', async () => {
    relay.thaw()
    const on = machine(relay.url)
    const { id } = await start(on, { prompt: 'a pond' })
    const ended = async () => {
      const answer = await fetch(`${comfyui.url}/api/jobs/${id}`)
      return ((await answer.json()) as { status: string }).status
    }
    await expect.poll(ended, ready).toBe('completed')
    relay.freeze()
    const before = on.requests.length
    const reads = []
    for (let count = 0; count < 3; count++) reads.push((await look(on, id)).status)
    expect(reads).toEqual(Array(3).fill('working'))
    // They did not wait until the server was given up, after eight seconds: the one request is still open.
    expect(on.requests.slice(before)).toEqual([`GET /api/jobs/${id}`])
    relay.thaw()
    await on.platform.settled()
    // The refresh behind the first read stored the end: this read sends nothing.
    const sent = on.requests.length
    const job = (await (await call(on, `/jobs/${id}`)).json()) as { status: string }
    expect(job.status).toBe('completed')
    expect(on.requests).toHaveLength(sent)
  })
})
