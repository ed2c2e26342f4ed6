import { startSimulator, type Simulator } from 'ftl-comfyui/simulator'
import { connectTo } from 'ftl-comfyui/job'
import type { JobRecord, Offer } from 'ftl-contract'
import { decode, encode } from 'fast-png'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, look, machine, type Machine, mounts, start, statusOf } from './testing/machine.ts'

const SIDE = 16
function picture(channels: 3 | 4, ...color: number[]): Uint8Array<ArrayBuffer> {
  const data = new Uint8Array(SIDE * SIDE * channels)
  for (let at = 0; at < data.length; at++) data[at] = color[at % channels] ?? 0
  return Uint8Array.from(encode({ width: SIDE, height: SIDE, data, channels }))
}
const RED = picture(3, 200, 10, 10)
const HALF = picture(4, 0, 0, 0, 64)
const url = (png: Uint8Array) => `data:image/png;base64,${Buffer.from(png).toString('base64')}`

/** Saves what `LoadImage` gives as its mask. */
const INPAINT = {
  '1': {
    class_type: 'LoadImage',
    inputs: { image: '' },
    _meta: { title: 'MCP_INPUT_IMAGE' },
  },
  '2': { class_type: 'MaskToImage', inputs: { mask: ['1', 1] } },
  '3': {
    class_type: 'SaveImage',
    inputs: { images: ['2', 0], filename_prefix: 'x' },
    _meta: { title: 'MCP_INPUT_PROMPT' },
  },
}
/** Saves a mask that a node of its own loads. */
const SEPARATE = {
  ...INPAINT,
  '2': { class_type: 'MaskToImage', inputs: { mask: ['4', 0] } },
  '4': {
    class_type: 'LoadImageMask',
    inputs: { image: '', channel: 'red' },
    _meta: { title: 'MCP_INPUT_MASK' },
  },
  '5': { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'y' } },
}
const shipped = mounts(new URL('../', import.meta.url))
const prompt = [{ node: '3', input: 'filename_prefix' }]
const typed = (name: string, workflow: string) => ({ name, workflow, mappings: { prompt } })
const files = {
  ...shipped,
  '/config/render-types.json': JSON.stringify([
    { name: 'From image', workflow: 'sdxl-img2img.json' },
    { name: 'Standard', workflow: 'sdxl-txt2img.json' },
    typed('Inpaint', 'inpaint.json'),
    typed('Separate', 'separate.json'),
    { name: 'Resize', tool: 'upscale_image', workflow: 'upscale.json' },
  ]),
  '/workflows/inpaint.json': JSON.stringify(INPAINT),
  '/workflows/separate.json': JSON.stringify(SEPARATE),
}

let one: Simulator
let two: Simulator
beforeAll(async () => {
  ;[one, two] = await Promise.all([
    startSimulator({ port: 0, renderSeconds: 0 }),
    startSimulator({ port: 0, renderSeconds: 0 }),
  ])
})
afterAll(() => Promise.all([one.close(), two.close()]))

const open = (urls = one.url, network: typeof fetch = fetch) =>
  machine(urls, { files, fetch: network })

/** As `upload_image` does. */
async function upload(on: Machine, server: string, bytes: Uint8Array<ArrayBuffer>) {
  const client = connectTo(
    { url: server, headers: {} },
    { platform: on.platform, deadline: 10_000 },
  )
  return client.uploadImage(bytes)
}

async function render(on: Machine, args: Record<string, unknown>): Promise<JobRecord> {
  const { id } = await start(on, { prompt: 'x', ...args })
  await expect.poll(statusOf(on, id), { timeout: 8000 }).toBe('completed')
  return look(on, id)
}

async function refusalOf(on: Machine, args: Record<string, unknown>, tool = 'generate_image') {
  const response = await call(on, `/${tool}`, { method: 'POST', body: { prompt: 'x', ...args } })
  const { content } = (await response.json()) as { content: { text: string }[] }
  return content[0]?.text ?? ''
}

/** The first file of a job as pixels. */
async function pixelsOf(on: Machine, { id }: JobRecord) {
  return decode(await (await call(on, `/outputs/${id}.png`)).bytes())
}

describe('a name that upload_image returned', () => {
  it('is an image of generate_image, with its size', async () => {
    const on = open()
    const image = await upload(on, one.url, RED)
    const { result } = await render(on, { image, render_type: 'From image' })
    expect(result?.structuredContent).toMatchObject({ width: SIDE, height: SIDE })
  })

  it('is an image of upscale_image', async () => {
    const on = open()
    const image = await upload(on, one.url, RED)
    const response = await call(on, '/upscale_image', {
      method: 'POST',
      body: { image, scale: 2 },
      headers: { prefer: 'respond-async' },
    })
    const { job } = (await response.json()) as { job: JobRecord }
    await expect.poll(statusOf(on, job.id), { timeout: 8000 }).toBe('completed')
    expect(await pixelsOf(on, job)).toMatchObject({ width: 2 * SIDE, height: 2 * SIDE })
  })

  it('can be used by a job that runs on another server', async () => {
    // Two servers, and only the second has the image; the first is preferred.
    const on = open(`${one.url},${two.url}`)
    const image = await upload(on, two.url, picture(3, 1, 2, 3))
    const client = connectTo(
      { url: one.url, headers: {} },
      { platform: on.platform, deadline: 10_000 },
    )
    const [subfolder = '', filename = ''] = image.split('/')
    const has = async () => (await client.view({ filename, subfolder, type: 'input' })).status
    expect(await has()).toBe(404)
    const { result } = await render(on, { image, render_type: 'From image' })
    expect(result?.structuredContent).toMatchObject({ width: SIDE, height: SIDE })
    expect(await has()).toBe(200)
  })

  it('is found although a server before it is down', async () => {
    const on = open(`http://127.0.0.1:1,${two.url}`)
    const image = await upload(on, two.url, RED)
    const { status } = await render(on, { image, render_type: 'From image' })
    expect(status).toBe('completed')
  })

  it('that no server has is refused; so is one that a server may have that is down', async () => {
    const image = `mcp/${'0'.repeat(32)}.png`
    const args = { image, render_type: 'From image' }
    expect(await refusalOf(open(), args)).toMatch(/image: it is not on a ComfyUI server; upload/)
    const down = open('http://127.0.0.1:1')
    expect(await refusalOf(down, args)).toMatch(/Could not connect to any compatible ComfyUI/)
  })

  it.each([
    'mcp/../../etc/shadow.png',
    `../mcp/${'a'.repeat(32)}.png`,
    `mcp/${'a'.repeat(32)}.png/../x.png`,
    `mcp/${'a'.repeat(32)}.png [output]`,
    `mcp\\${'a'.repeat(32)}.png`,
    `mcp/${'a'.repeat(32)}.png\u0000`,
    `mcp/${'a'.repeat(32)}.safetensors`,
    'example.png',
    'ComfyUI_00001_.png [output]',
    '/etc/passwd',
    'http://169.254.169.254/latest',
    'https://127.0.0.1/x.png',
    'file:///etc/passwd',
  ])('is not %j, and nothing is requested', async (image) => {
    const on = open()
    const mask = { image: url(RED), mask: image, render_type: 'Inpaint' }
    expect(await refusalOf(on, { image, render_type: 'From image' })).toMatch(/image: /)
    expect(await refusalOf(on, mask)).toMatch(/mask: /)
    expect(await refusalOf(on, { image }, 'upscale_image')).toMatch(/image: /)
    expect(on.requests).toEqual([])
  })

  const NAMED = `mcp/${'a'.repeat(32)}.png`
  it('is refused if the file is a bomb, or larger than an image may be', async () => {
    const bomb = RED.slice()
    new DataView(bomb.buffer).setUint32(16, 60_000)
    new DataView(bomb.buffer).setUint32(20, 60_000)
    let sent = 0
    const endless = new ReadableStream({
      pull(controller) {
        sent += 65_536
        controller.enqueue(new Uint8Array(65_536))
      },
    })
    for (const [body, message] of [
      [bomb, /image: it of 60000 x 60000 pixels is too large/],
      [endless, /image: it is larger than 10 MB/],
      ['<html>', /image: it is not a PNG/],
    ] as const) {
      const on = open(one.url, async () => new Response(body))
      expect(await refusalOf(on, { image: NAMED, render_type: 'From image' })).toMatch(message)
    }
    expect(sent).toBeLessThan(12 * 1024 * 1024)
  })
})

describe('a mask', () => {
  it('becomes the transparency of the image', async () => {
    const on = open()
    const image = await upload(on, one.url, RED)
    const record = await render(on, { image, mask: url(HALF), render_type: 'Inpaint' })
    const { data } = await pixelsOf(on, record)
    expect([...data.slice(0, 3)]).toEqual([191, 191, 191])
  })

  it('goes to the node of the workflow that loads it', async () => {
    const on = open()
    const args = { image: url(RED), mask: url(picture(3, 40, 0, 0)), render_type: 'Separate' }
    const { data } = await pixelsOf(on, await render(on, args))
    expect([...data.slice(0, 3)]).toEqual([40, 40, 40])
  })

  it.each([
    [{ mask: url(HALF), image: url(RED), render_type: 'From image' }, /mask: .* takes none/],
    [{ mask: url(HALF), render_type: 'Standard' }, /mask: .* takes none/],
    [{ image: url(RED), render_type: 'Separate' }, /mask: render type "Separate" needs one/],
    [{ mask: url(RED), image: url(RED), render_type: 'Inpaint' }, /mask: it has no transparency/],
    [
      {
        mask: url(encode({ width: 2, height: 2, data: new Uint8Array(16), channels: 4 })),
        image: url(RED),
        render_type: 'Inpaint',
      },
      /mask: it has 2 x 2 pixels, and the image 16 x 16/,
    ],
  ])('is refused where it cannot be used: %#', async (args, message) => {
    const on = open()
    expect(await refusalOf(on, args)).toMatch(message)
    expect(on.requests).toEqual([])
  })

  it('is offered only where a render type takes one', async () => {
    const properties = async (all: Record<string, string>) => {
      const on = machine(one.url, { files: all })
      const { tools = [] } = (await (await call(on, '/')).json()) as Offer
      return tools[0]?.inputSchema.properties as Record<string, { description: string }>
    }
    const offered = await properties(files)
    expect(offered.mask?.description).toContain('For render type "Inpaint", "Separate"')
    expect(offered.image?.description).toContain('a name that upload_image returned')
    expect(await properties(shipped)).toHaveProperty('image')
    expect(await properties(shipped)).not.toHaveProperty('mask')
  })
})
