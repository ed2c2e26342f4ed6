import { decode, encode } from 'fast-png'
import { startSimulator, type Simulator } from 'ftl-comfyui/simulator'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildWorkflow } from './build-workflow.ts'
import { readConfig } from './config.ts'
import { prepareRendering, prepareUpscaling, type Rendering } from './rendering.ts'
import { inputSchema, upscaleInputSchema } from './schema.ts'
import { connect, loadServers } from 'ftl-comfyui/servers'
import { submitToOne } from './submit-to-one.ts'
import { testCall, type TestCall } from './testing/call.ts'
import { mounts } from './testing/machine.ts'

const shipped = mounts(new URL('../', import.meta.url))
const noOutput = { output: async () => new Response('', { status: 404 }) }

/** A picture of two colours, as a client would send it. */
const picture = (() => {
  const data = new Uint8Array(30 * 21 * 3).fill(200)
  data.fill(20, 0, data.length / 2)
  const png = Uint8Array.from(encode({ width: 30, height: 21, data, channels: 3 }))
  return `data:image/png;base64,${Buffer.from(png).toString('base64')}`
})()

const generate = async (call: TestCall, args: Record<string, unknown>) =>
  prepareRendering(
    inputSchema.parse({ prompt: 'a pond', ...args }),
    await readConfig(call.platform),
  )
const upscale = async (call: TestCall, args: Record<string, unknown>) =>
  prepareUpscaling(
    upscaleInputSchema.parse({ image: picture, ...args }),
    await readConfig(call.platform),
  )

describe.each(['0.33.0', '0.3.64'] as const)('with ComfyUI %s', (version) => {
  let comfyui: Simulator
  beforeAll(
    async () => void (comfyui = await startSimulator({ port: 0, version, renderSeconds: 0.1 })),
  )
  afterAll(() => comfyui.close())

  /** Sends a rendering and gives the pictures it made, in the order of its outputs. */
  async function render(call: TestCall, rendering: Rendering) {
    const built = await buildWorkflow(rendering, call, noOutput)
    const servers = await loadServers(call.platform)
    const job = { id: crypto.randomUUID(), renderType: 'x' }
    const { server } = await submitToOne(built.workflow, job, servers, call, async () => {}, built)
    const client = connect(server, servers, call)
    await expect
      .poll(async () => (await client.job(job.id)).status, { timeout: 8000, interval: 30 })
      .toBe('completed')
    const { files } = await client.job(job.id)
    const pictures = built.outputs.map(async (node) => {
      const file = files.find(({ nodeId }) => nodeId === node)!
      return decode(await (await client.view(file)).bytes())
    })
    return { built, pictures: await Promise.all(pictures) }
  }
  const shippedCall = (files: Record<string, string> = shipped) =>
    testCall({ files, variables: { comfyui_url: comfyui.url } })

  it('makes variations with a seed each, and the same image again from one of the seeds', async () => {
    const call = shippedCall()
    const rendering = await generate(call, { seed: 41, variations: 3 })
    expect(rendering.seeds).toEqual([41, 42, 43])
    const { pictures } = await render(call, rendering)
    expect(pictures).toHaveLength(3)
    const again = await render(call, await generate(call, { seed: 42 }))
    expect(
      pictures.map(
        ({ data }) =>
          Buffer.compare(data as Uint8Array, again.pictures[0]!.data as Uint8Array) === 0,
      ),
    ).toEqual([false, true, false])
  })

  it('enlarges an image without any model', async () => {
    const call = shippedCall()
    for (const scale of [2, 4]) {
      const { built, pictures } = await render(call, await upscale(call, { scale }))
      expect(pictures.map(({ width, height }) => [width, height])).toEqual([
        [30 * scale, 21 * scale],
      ])
      expect(built.rendering).toMatchObject({ width: 30 * scale, height: 21 * scale })
    }
    expect(call.requests.filter((request) => request === 'POST /api/upload/image')).toHaveLength(2)
  })

  it('starts from an image and keeps its size', async () => {
    const call = shippedCall()
    const rendering = await generate(call, { render_type: 'From image', image: picture })
    const { built, pictures } = await render(call, rendering)
    expect(pictures.map(({ width, height }) => [width, height])).toEqual([[24, 16]])
    expect(built.rendering).toMatchObject({ width: 24, height: 16 })
  })
})

describe('a workflow', () => {
  const call = testCall({ files: shipped })
  const build = async (rendering: Rendering) => buildWorkflow(rendering, call, noOutput)

  it.each([
    [
      'an image where none is taken',
      { image: picture },
      /^image: render type "Standard" takes none/,
    ],
    ['no image where one is needed', { render_type: 'From image' }, /^image: .* needs one/],
    [
      'a render type of the other tool',
      { render_type: 'Resize' },
      /^render_type: there is no "Resize"/,
    ],
    ['what is no image', { render_type: 'From image', image: 'data:;base64,aaaa' }, /^image: /],
  ])('is refused with %s, before anything is sent', async (_, args, message) => {
    await expect(generate(call, args).then(build)).rejects.toMatchObject({
      name: 'InvalidArguments',
      message: expect.stringMatching(message) as string,
    })
    expect(call.requests).toEqual([])
  })

  it('lets an upscale model do its part, and the resampling the rest', async () => {
    const types = [
      {
        name: 'Sharp',
        tool: 'upscale_image',
        workflow: 'upscale-with-model.json',
        upscale_model: { file: '4x-Own.pth', scale: 4 },
      },
    ]
    const own = testCall({
      files: { ...shipped, '/config/render-types.json': JSON.stringify({ renderTypes: types }) },
    })
    const { workflow, rendering } = await buildWorkflow(
      await upscale(own, { scale: 2 }),
      own,
      noOutput,
    )
    const inputs = Object.values(workflow).map((node) => node.inputs)
    expect(inputs.find((input) => 'model_name' in input)?.model_name).toBe('4x-Own.pth')
    expect(inputs.find((input) => 'scale_by' in input)?.scale_by).toBe(0.5)
    expect(rendering).toMatchObject({ width: 60, height: 42 })
  })

  it('does not enlarge an image beyond what a server can hold', async () => {
    // Only the header counts here: 8000 x 6000 pixels, 16 times as many when enlarged.
    const bytes = Buffer.from(picture.split(',')[1] ?? '', 'base64')
    bytes.writeUInt32BE(8000, 16)
    bytes.writeUInt32BE(6000, 20)
    const image = `data:image/png;base64,${bytes.toString('base64')}`
    await expect(upscale(call, { image, scale: 4 }).then(build)).rejects.toThrow(
      /^scale: the image would have 32000 x 24000 pixels/,
    )
  })

  it('takes the whole range of seeds', async () => {
    const { seeds } = await generate(call, { seed: Number.MAX_SAFE_INTEGER, variations: 3 })
    expect(seeds).toEqual([Number.MAX_SAFE_INTEGER, 0, 1])
  })

  it('as it is shipped has its titles', () => {
    const names = Object.keys(shipped).filter((name) => name.startsWith('/workflows/'))
    expect(names).toHaveLength(4)
    for (const name of names)
      expect(readFileSync(new URL(`..${name}`, import.meta.url), 'utf8')).toMatch(
        /MCP_OUTPUT_IMAGE/,
      )
  })
})
