/** What a workflow makes, and how its files are served: against the simulator, or a real server at `COMFYUI_URL`. */
import { decode } from 'fast-png'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { encodePng } from '../simulator/drawing/png.ts'
import type { ComfyJob, OutputFile } from '../src/client/index.ts'
import { type Target, TARGETS } from './target.ts'
import { loaded, picture, unique } from './workflows.ts'

const patience = { timeout: 60_000, interval: 50 }

describe.each(TARGETS)('pictures of $name', { timeout: 180_000 }, ({ open }) => {
  let target: Target
  beforeAll(async () => void (target = await open()))
  afterAll(() => target.close())

  async function finish(workflow: Record<string, unknown>): Promise<ComfyJob> {
    const { client } = target
    const promptId = crypto.randomUUID()
    expect(await client.submit({ workflow, promptId })).toEqual({ promptId, warnings: [] })
    const status = async () => (await client.job(promptId)).status
    await expect.poll(status, patience).not.toMatch(/pending|running/)
    return client.job(promptId)
  }

  async function fileOf(job: ComfyJob): Promise<{ file: OutputFile; bytes: Uint8Array }> {
    expect(job).toMatchObject({ status: 'completed', files: [{ type: 'output', nodeId: 'save' }] })
    const [file] = job.files
    if (!file) throw new Error('no file')
    return { file, bytes: await (await target.client.view(file)).bytes() }
  }

  it('give back the prompt as a text', async () => {
    const prompt = 'a red fox, “quoted” — und Füchse 狐'
    expect((await finish(picture({ prompt, color: unique() }))).texts).toEqual([prompt])
  })

  it('have the size that was asked for, and the workflow in a chunk', async () => {
    const workflow = picture({ width: 96, height: 40, color: unique() })
    const { bytes } = await fileOf(await finish(workflow))
    const { width, height, text } = decode(bytes)
    expect([width, height]).toEqual([96, 40])
    const written = JSON.parse(text?.prompt ?? '{}') as typeof workflow
    expect(Object.keys(written)).toEqual(Object.keys(workflow))
    expect(written['group:4']?.inputs).toMatchObject({ width: 96, height: 40 })
  })

  it('follow the seed in their pixels', async () => {
    for (const [red, green, blue] of [
      [200, 100, 50],
      [10, 240, 120],
    ] as const) {
      const { bytes } = await fileOf(
        await finish(picture({ color: (red << 16) | (green << 8) | blue })),
      )
      const { data } = decode(bytes)
      // Half way to black.
      expect(Math.abs(Number(data[0]) - red / 2)).toBeLessThanOrEqual(1)
      expect(Math.abs(Number(data[1]) - green / 2)).toBeLessThanOrEqual(1)
      expect(Math.abs(Number(data[2]) - blue / 2)).toBeLessThanOrEqual(1)
    }
  })

  it('come from a picture that was uploaded, which is there once however often it comes', async () => {
    const pixels = new Uint8Array(12).map(() => Math.floor(Math.random() * 256))
    const png = new Uint8Array(await encodePng({ width: 2, height: 2, pixels }))
    const name = await target.client.uploadImage(png)
    expect(name).toMatch(/^mcp\/[0-9a-f]{32}\.png$/)
    expect(await target.client.uploadImage(png)).toBe(name)
    const { bytes } = await fileOf(await finish(loaded(name)))
    expect([...decode(bytes).data].slice(0, 12)).toEqual([...pixels])
  })

  it('are refused when the picture to work on was never uploaded', async () => {
    const submission = { workflow: loaded('mcp/nobody.png'), promptId: crypto.randomUUID() }
    await expect(target.client.submit(submission)).rejects.toMatchObject({
      kind: 'invalid_value',
      details: { nodeId: 'load', inputName: 'image' },
    })
  })

  it('are told apart from files that are none, in words fit for a client', async () => {
    const broken = new Uint8Array(64).map(() => Math.floor(Math.random() * 256))
    broken.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
    const job = await finish(loaded(await target.client.uploadImage(broken)))
    expect(job).toMatchObject({
      status: 'failed',
      error: { kind: 'execution_failed', details: { nodeId: 'load', nodeType: 'LoadImage' } },
    })
    expect(job.error?.message).not.toMatch(/Traceback|File "|\.py|\/input\//)
  })

  it('are served in part, and not again when they are known', async () => {
    const { file, bytes } = await fileOf(await finish(picture({ color: unique() })))
    const { client } = target
    const whole = await client.view(file)
    expect(whole.headers.get('content-type')).toBe('image/png')
    expect(await whole.bytes()).toEqual(bytes)
    const part = await client.view(file, { range: 'bytes=8-15' })
    expect(part.status).toBe(206)
    expect(part.headers.get('content-range')).toBe(`bytes 8-15/${bytes.length}`)
    expect(await part.bytes()).toEqual(bytes.subarray(8, 16))
    const etag = whole.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[^"]+"$/)
    const known = await client.view(file, { 'if-none-match': etag })
    expect([known.status, await known.text()]).toEqual([304, ''])
    const missing = await client.view({ ...file, filename: 'nobody.png' })
    expect([missing.status, await missing.text()]).toEqual([404, ''])
  })
})
