import { describe, expect, it } from 'vitest'
import { call, machine, mounts } from './testing/machine.ts'

describe('arguments', () => {
  it.each([
    ['no prompt', {}, /prompt/],
    ['an empty prompt', { prompt: '' }, /prompt/],
    ['a prompt that is too long', { prompt: 'x'.repeat(10_001) }, /prompt/],
    [
      'an unknown style',
      { prompt: 'x', style_names: ['Fantasy Art', 'Nope'] },
      /style_names\.1: there is no "Nope"; choose from "Fantasy Art"/,
    ],
    [
      'an unknown render type',
      { prompt: 'x', render_type: 'Nope' },
      /render_type: there is no "Nope"/,
    ],
    ['an unknown shape', { prompt: 'x', aspect_ratio: '2:1' }, /aspect_ratio/],
    ['a negative seed', { prompt: 'x', seed: -1 }, /seed/],
    ['a seed JavaScript cannot hold', { prompt: 'x', seed: 2 ** 53 }, /seed/],
  ])('with %s start no job', async (_, body, message) => {
    const on = machine('http://127.0.0.1:9')
    const headers = { prefer: 'respond-async' }
    const response = await call(on, '/generate_image', { method: 'POST', body, headers })
    expect(response.status).toBe(400)
    const { content } = (await response.json()) as { content: { text: string }[] }
    expect(content[0]?.text).toMatch(message)
    expect(await (await on.platform.openKeyValue('default')).keys()).toEqual([])
  })
})

describe('the description', () => {
  const shipped = mounts(new URL('../', import.meta.url))
  const describeTool = async (files: Record<string, string>) => {
    const response = await call(machine('http://x', { files }), '/')
    expect(response.status).toBe(200)
    const { tools } = (await response.json()) as {
      tools: [
        {
          inputSchema: { required: string[]; properties: Record<string, Record<string, unknown>> }
        },
      ]
    }
    return tools
  }

  it('offers the styles and render types of the mounted files', async () => {
    const [{ inputSchema }] = await describeTool(shipped)
    expect(inputSchema.required).toEqual(['prompt'])
    expect(inputSchema.properties.render_type).toMatchObject({
      enum: expect.arrayContaining(['Standard']) as unknown,
      default: 'Standard',
    })
    expect(inputSchema.properties.style_names).toMatchObject({
      items: { enum: expect.arrayContaining(['Fantasy Art']) as unknown },
    })
    expect(inputSchema.properties.seed).toMatchObject({
      type: 'integer',
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
    })
  })

  it('changes with the files, and does without styles', async () => {
    const { '/config/styles.json': _styles, ...files } = shipped
    const [{ inputSchema }] = await describeTool(files)
    expect(Object.keys(inputSchema.properties)).not.toContain('style_names')
    const broken = machine('http://x', { files: { ...files, '/config/render-types.json': '[{}]' } })
    const response = await call(broken, '/generate_image', {
      method: 'POST',
      body: { prompt: 'x' },
    })
    expect(await response.text()).toMatch(/Service error: \/config\/render-types\.json: 0\.name/)
  })
})
