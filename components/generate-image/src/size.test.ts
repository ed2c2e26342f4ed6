import { decode } from 'fast-png'
import { startSimulator, type Simulator } from 'ftl-comfyui/simulator'
import type { JobRecord } from 'ftl-contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askedSize, nearestSize } from './size.ts'
import { call, machine, mounts, ready, start, statusOf } from './testing/machine.ts'

const shipped = mounts(new URL('../', import.meta.url))

let comfyui: Simulator
beforeAll(async () => void (comfyui = await startSimulator({ port: 0, renderSeconds: 0 })))
afterAll(() => comfyui.close())

async function render(args: Record<string, unknown>) {
  const on = machine(comfyui.url, { files: shipped })
  const { id } = await start(on, { prompt: 'a pond', ...args })
  await expect.poll(statusOf(on, id), ready).toBe('completed')
  const { result } = (await (await call(on, `/jobs/${id}`)).json()) as JobRecord
  const png = decode(await (await call(on, `/outputs/${id}.png`)).bytes())
  const texts = JSON.stringify(result?.content)
  return { result: result?.structuredContent, texts, size: [png.width, png.height] }
}

describe('the size of an image', () => {
  it('is exactly what the call asks for, if the model takes it', async () => {
    const { result, size } = await render({ width: 512, height: 768 })
    expect(size).toEqual([512, 768])
    expect(result).toMatchObject({ width: 512, height: 768 })
    expect(result).not.toHaveProperty('warnings')
  })

  it('is the nearest one that the model takes, and the result says so', async () => {
    const { result, texts, size } = await render({ width: 500, height: 1001 })
    expect(size).toEqual([504, 1000])
    const told = 'The size 500 x 1001 was rounded to what the model takes: 504 x 1000.'
    expect(result).toMatchObject({ width: 504, height: 1000, warnings: [told] })
    expect(texts).toContain(told)
  })

  it('follows from the shape where the call names one side', async () => {
    expect((await render({ width: 672, aspect_ratio: '16:9' })).size).toEqual([672, 384])
    expect((await render({ height: 448, aspect_ratio: '4:3' })).size).toEqual([576, 448])
  })

  it.each([{ width: 16 }, { height: 4096 }, { width: 512.5 }])(
    'is refused as %j, with the limits',
    async (args) => {
      const body = { prompt: 'x', ...args }
      const answer = await call(machine('http://127.0.0.1:9'), '/generate_image', {
        method: 'POST',
        body,
      })
      expect(answer.status).toBe(400)
    },
  )

  it.each([
    ['sd_xl_base_1.0.safetensors', [1080, 1080]],
    ['v1-5-pruned.safetensors', [1080, 1080]],
    ['flux1-dev.safetensors', [1088, 1088]],
    ['my-own.safetensors', [1088, 1088]],
    [undefined, [1088, 1088]],
  ])('fits the latents of %s', (model, [width, height]) => {
    const asked = askedSize('1:1', { width: 1082 })
    expect(asked && nearestSize(asked, model)).toEqual({ width, height })
  })
})

it('arguments that are not used are named in the result, with what to use instead', async () => {
  const { result, texts } = await render({ steps: 2, batch_size: 3, 'x"\u001b[31m': 1 })
  const warnings = [
    '"steps" is not an argument of this tool and was ignored; the render type decides it.',
    '"batch_size" is not an argument of this tool and was ignored; use "variations".',
    `"x'[31m" is not an argument of this tool and was ignored.`,
  ]
  expect(result).toMatchObject({ warnings })
  expect(texts).toContain('use \\"variations\\"')
})

it('width and height are not offered if no render type takes them', async () => {
  const properties = async (files: Record<string, string>) => {
    const answer = await call(machine('http://127.0.0.1:9', { files }), '/')
    const { tools } = (await answer.json()) as {
      tools: { inputSchema: { properties: object; additionalProperties?: unknown } }[]
    }
    expect(tools[0]?.inputSchema).not.toHaveProperty('additionalProperties')
    return Object.keys(tools[0]?.inputSchema.properties ?? {})
  }
  expect(await properties(shipped)).toEqual(expect.arrayContaining(['width', 'height']))
  const fixed = Object.entries(shipped).map(([name, text]) => [
    name,
    text.replaceAll('MCP_RESOLUTION', 'Size'),
  ])
  const offered = await properties(Object.fromEntries(fixed) as Record<string, string>)
  expect(offered).toContain('prompt')
  expect(offered).not.toContain('width')
})
