import { createTool, ToolResponse } from 'ftl-sdk'
import { describe, expect, it } from 'vitest'
import { readCheckedConfig } from './config.ts'
import { describeTools, PROBLEMS_META_KEY } from './describe.ts'
import { inputSchema, upscaleInputSchema } from './schema.ts'
import { testCall } from './testing/call.ts'
import { mounts } from './testing/machine.ts'

const shipped = mounts(new URL('../', import.meta.url))
const handler = () => ToolResponse.text('')
const { description: generateImage } = createTool({
  metadata: { name: 'generate_image', inputSchema },
  handler,
})
const { description: upscaleImage } = createTool({
  metadata: { name: 'upscale_image', inputSchema: upscaleInputSchema },
  handler,
})

async function describeWithTypes(renderTypes?: unknown, more: Record<string, string> = {}) {
  const files = {
    ...shipped,
    ...more,
    ...(renderTypes !== undefined && { '/config/render-types.json': JSON.stringify(renderTypes) }),
  }
  const tools = await describeTools(testCall({ files }).platform, [generateImage, upscaleImage])
  return Object.fromEntries(
    tools.map((tool) => [
      tool.name,
      {
        meta: tool._meta,
        properties: tool.inputSchema.properties as Record<string, Record<string, unknown>>,
      },
    ]),
  )
}

const standard = { name: 'Standard', workflow: 'sdxl-txt2img.json' }

describe('the tools', () => {
  it('offer their own render types', async () => {
    const { generate_image, upscale_image } = await describeWithTypes()
    expect(generate_image?.properties.render_type).toMatchObject({
      enum: ['Standard', 'From image'],
      default: 'Standard',
    })
    expect(generate_image?.properties.image?.description).toMatch(/For render type "From image"/)
    expect(generate_image?.properties.variations).toMatchObject({ minimum: 1, maximum: 4 })
    expect(upscale_image?.properties.render_type).toMatchObject({
      enum: ['Resize'],
      default: 'Resize',
    })
    expect(upscale_image?.properties.scale).toMatchObject({ enum: [2, 4], default: 2 })
    expect(generate_image?.meta).toBeUndefined()
  })

  it('offer no argument that no render type takes, and are left out without one', async () => {
    const tools = await describeWithTypes([standard])
    expect(Object.keys(tools)).toEqual(['generate_image'])
    expect(Object.keys(tools.generate_image?.properties ?? {})).not.toContain('image')
  })

  it('lose a broken render type only, and say so', async () => {
    const tools = await describeWithTypes(
      [
        { name: 'Gone', workflow: 'gone.json' },
        { name: 'Editor', workflow: 'editor.json' },
        { name: 'Typo', workfow: 'sdxl-txt2img.json' },
        standard,
        { ...standard, description: 'again' },
      ],
      { '/workflows/editor.json': '{"nodes": [], "links": []}' },
    )
    expect(tools.generate_image?.properties.render_type).toMatchObject({ enum: ['Standard'] })
    const problems = tools.generate_image?.meta?.[PROBLEMS_META_KEY] as string[]
    expect(problems).toHaveLength(5)
    expect(problems.join('\n')).toMatch(/renderTypes?|2\.workflow/)
    expect(problems.join('\n')).toMatch(/Workflow file 'gone.json' not found/)
    expect(problems.join('\n')).toMatch(/render type 'Editor' is not usable: .*Export \(API\)/)
    expect(problems.join('\n')).toMatch(/4\.name: "Standard" is the name of an earlier entry/)
  })

  it('fail only when there is nothing left to render', async () => {
    await expect(describeWithTypes([{ name: 'Gone', workflow: 'gone.json' }])).rejects.toThrow(
      /Workflow file 'gone.json' not found/,
    )
  })
})

it('a configuration as earlier versions had it, a bare list, is read too', async () => {
  const files = {
    ...shipped,
    '/config/render-types.json': JSON.stringify([standard]),
    '/config/styles.json': JSON.stringify([{ name: 'S', prompt: '{prompt}, soft' }]),
  }
  const { renderTypes, styles, problems } = await readCheckedConfig(testCall({ files }).platform)
  expect(renderTypes.map(({ name }) => name)).toEqual(['Standard'])
  expect(styles.map(({ name }) => name)).toEqual(['S'])
  expect(problems).toEqual([])
})
