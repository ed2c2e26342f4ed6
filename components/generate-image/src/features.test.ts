import { decode, encode } from 'fast-png'
import { startSimulator, type Simulator } from 'ftl-comfyui/simulator'
import type { JobRecord } from 'ftl-contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  call,
  look,
  type Machine,
  machine,
  mounts,
  ready,
  start,
  statusOf,
} from './testing/machine.ts'

const files = mounts(new URL('../', import.meta.url))

interface Made {
  images: string[]
  seed?: number
  seeds?: number[]
  width: number
  height: number
}

async function finished(on: Machine, id: string): Promise<Made> {
  await expect.poll(statusOf(on, id), ready).toBe('completed')
  return (await look(on, id)).result?.structuredContent as Made
}

async function startTool(
  on: Machine,
  tool: string,
  body: unknown,
  headers = {},
): Promise<Response> {
  return call(on, `/${tool}`, {
    method: 'POST',
    body,
    headers: { prefer: 'respond-async', ...headers },
  })
}

async function jobOf(response: Response): Promise<JobRecord> {
  expect(response.status).toBe(202)
  return ((await response.json()) as { job: JobRecord }).job
}

describe('through the component', () => {
  let comfyui: Simulator
  beforeAll(async () => void (comfyui = await startSimulator({ port: 0, renderSeconds: 0.1 })))
  afterAll(() => comfyui.close())
  const machineWith = (more: Record<string, string> = {}, variables = {}) =>
    machine(comfyui.url, { files: { ...files, ...more }, variables })

  it('variations are files of one job, in the order of their seeds', async () => {
    const on = machineWith()
    const { id } = await start(on, { prompt: 'four ponds', seed: 5, variations: 4 })
    const made = await finished(on, id)
    expect(made).toMatchObject({ seed: 5, seeds: [5, 6, 7, 8] })
    expect(made.images).toEqual(
      [2, 3, 4].reduce((all, n) => [...all, `/outputs/${id}-${n}.png`], [`/outputs/${id}.png`]),
    )
    const third = await (await call(on, made.images[2]!)).bytes()
    const again = await start(on, { prompt: 'four ponds', seed: 7 })
    await finished(on, again.id)
    const alone = await (await call(on, `/outputs/${again.id}.png`)).bytes()
    expect(decode(alone).data).toEqual(decode(third).data)
  })

  it('an image made here is enlarged by its address, as a client sees it', async () => {
    const on = machineWith()
    const first = await start(on, { prompt: 'a pond', aspect_ratio: '4:3' })
    const made = await finished(on, first.id)
    const image = `https://gateway.example${made.images[0]}`
    const job = await jobOf(await startTool(on, 'upscale_image', { image }))
    expect(job.tool).toBe('upscale_image')
    const larger = await finished(on, job.id)
    expect(larger).toMatchObject({ width: 2304, height: 1792, scale: 2, render_type: 'Resize' })
    const png = decode(await (await call(on, larger.images[0]!)).bytes())
    expect([png.width, png.height]).toEqual([2304, 1792])
  })

  it("another caller's image is not to be had by its address", async () => {
    const on = machineWith()
    const mine = await start(on, { prompt: 'secret' }, { 'ftl-principal': 'alice' })
    await expect
      .poll(async () => {
        on.pass(1001)
        const seen = await call(on, `/jobs/${mine.id}`, { headers: { 'ftl-principal': 'alice' } })
        return ((await seen.json()) as JobRecord).status
      }, ready)
      .toBe('completed')
    const image = `/outputs/${mine.id}.png`
    const ask = (who: string) => startTool(on, 'upscale_image', { image }, { 'ftl-principal': who })
    const refused = await ask('mallory')
    expect(refused.status).toBe(400)
    expect(await refused.text()).toMatch(/image: it was not found/)
    expect((await ask('alice')).status).toBe(202)
  })

  it.each([
    [
      'upscale_image',
      { image: 'http://169.254.169.254/latest' },
      /image: it must be an https address/,
    ],
    ['upscale_image', { image: 'x', scale: 3 }, /scale/],
    ['upscale_image', {}, /image/],
    ['generate_image', { prompt: 'x', variations: 5 }, /variations/],
    [
      'generate_image',
      { prompt: 'x', image: 'data:,' },
      /image: render type .+Standard.+ takes none/,
    ],
  ])('%s refuses wrong arguments without a job or a request', async (tool, body, message) => {
    const on = machineWith()
    const response = await startTool(on, tool, body)
    expect(response.status).toBe(400)
    expect(await response.text()).toMatch(message)
    expect(on.requests).toEqual([])
    expect(await (await on.platform.openKeyValue('default')).keys()).toEqual([])
  })

  it('a full queue ends the job with a time to come back', async () => {
    const slow = await startSimulator({ port: 0, renderSeconds: 60 })
    const servers = JSON.stringify({ servers: [{ name: 'slow', url: slow.url, maxQueue: 1 }] })
    const on = machineWith({ '/config/servers.json': servers })
    await start(on, { prompt: 'first' })
    const { status, error } = await start(on, { prompt: 'second' })
    expect(status).toBe('failed')
    expect(error?.data).toMatchObject({ kind: 'queue_full', position: 2 })
    expect((error?.data as { retryAfterSeconds: number }).retryAfterSeconds).toBeGreaterThan(0)
    await slow.close()
  })

  it('an image of a client is taken as a data URL', async () => {
    const on = machineWith()
    const pixels = new Uint8Array(64 * 48 * 3).fill(90)
    const png = encode({ width: 64, height: 48, data: pixels, channels: 3 })
    const image = `data:image/png;base64,${Buffer.from(png).toString('base64')}`
    const job = await start(on, { prompt: 'a pond', render_type: 'From image', image, seed: 3 })
    expect(await finished(on, job.id)).toMatchObject({ seed: 3, width: 64, height: 48 })
    // What the client sent is not kept: a record is read at every look.
    expect(JSON.stringify(await look(on, job.id))).not.toContain('base64')
  })
})
