import type { Workflow } from 'ftl-comfyui/workflow'
import { describe, expect, it } from 'vitest'
import { renderType, type RenderType } from '../config-schema.ts'
import { findTargets } from './targets.ts'

const node = (class_type: string, inputs: Record<string, unknown>, title?: string) => ({
  class_type,
  inputs,
  ...(title !== undefined && { _meta: { title } }),
})

// The two encoders of a usual graph, without the titles: only a mapping can tell them apart.
const untitled: Workflow = {
  '3': node('KSampler', { seed: 1, steps: 20, positive: ['6', 0], negative: ['7', 0] }),
  '6': node('CLIPTextEncode', { text: 'yes' }),
  '7': node('CLIPTextEncode', { text: 'no' }),
  '9': node('SaveImage', { images: ['3', 0] }),
}

const withMappings = (mappings: RenderType['mappings'], more: object = {}): RenderType =>
  renderType.parse({ name: 'X', workflow: 'x.json', mappings, ...more })

describe('fields', () => {
  it('go to the nodes with the titles, and to every input such a node has for them', () => {
    const { fields, outputs, problems } = findTargets(
      {
        '1': node('CLIPTextEncodeSDXL', { text_g: '', text_l: '' }, 'MCP_INPUT_PROMPT'),
        '2': node('RandomNoise', { noise_seed: 1 }, 'MCP_SEED'),
        '3': node('EmptyFlux2LatentImage', { width: 1, height: 1 }, 'MCP_RESOLUTION'),
        '57:4': node('Flux2Scheduler', { steps: 4, width: 1, height: 1 }, 'MCP_RESOLUTION'),
        '5': node('SomeSaver', { images: ['3', 0] }, 'MCP_OUTPUT_IMAGE'),
      },
      withMappings(undefined),
    )
    expect(problems).toEqual([])
    expect(fields).toEqual({
      prompt: [
        { node: '1', input: 'text_g' },
        { node: '1', input: 'text_l' },
      ],
      seed: [{ node: '2', input: 'noise_seed' }],
      width: [
        { node: '3', input: 'width' },
        { node: '57:4', input: 'width' },
      ],
      height: [
        { node: '3', input: 'height' },
        { node: '57:4', input: 'height' },
      ],
    })
    expect(outputs).toEqual(['5'])
  })

  it('go where the mappings say, one field to several places', () => {
    const { fields, outputs, problems } = findTargets(
      untitled,
      withMappings({
        prompt: [{ node: '6', input: 'text' }],
        negative_prompt: [{ node: '7', class_type: 'CLIPTextEncode', input: 'text' }],
        seed: [
          { class_type: 'KSampler', input: 'seed' },
          { node: '3', input: 'steps' },
        ],
        output: [{ class_type: 'SaveImage' }],
      }),
    )
    expect(problems).toEqual([])
    expect(fields.negative_prompt).toEqual([{ node: '7', input: 'text' }])
    expect(fields.seed).toEqual([
      { node: '3', input: 'seed' },
      { node: '3', input: 'steps' },
    ])
    expect(outputs).toEqual(['9'])
  })
})

describe('a render type cannot be used', () => {
  const prompt = [{ node: '6', input: 'text' }]
  it.each([
    [
      'when a class fits several nodes',
      withMappings({ prompt: [{ class_type: 'CLIPTextEncode', input: 'text' }] }),
      ['render type', 'mappings.prompt.0.class_type', /"6", "7" are all of class "CLIPTextEncode"/],
    ],
    [
      'when a title is not there',
      withMappings({ prompt: [{ title: 'Positive', input: 'text' }] }),
      ['render type', 'mappings.prompt.0.title', /no node with title "Positive"/],
    ],
    [
      'when the input is not there',
      withMappings({ prompt: [{ node: '6', input: 'prompt' }] }),
      ['render type', 'mappings.prompt.0.input', /has no input "prompt"; it has "text"/],
    ],
    [
      'when the input is linked',
      withMappings({ prompt, negative_prompt: [{ node: '3', input: 'negative' }] }),
      ['render type', 'mappings.negative_prompt.0.input', /is linked/],
    ],
    [
      'when a mapping names no node',
      withMappings({ prompt: [{ input: 'text' }] }),
      ['render type', 'mappings.prompt.0', /needs "node", "title" or "class_type"/],
    ],
    [
      'when the prompt has nowhere to go',
      withMappings({ seed: [{ node: '3', input: 'seed' }] }),
      ['workflow', '', /no node has the title "MCP_INPUT_PROMPT"/],
    ],
    [
      'when it is to upscale and takes no image',
      withMappings({ scale: [{ node: '3', input: 'steps' }] }, { tool: 'upscale_image' }),
      ['workflow', '', /no node has the title "MCP_INPUT_IMAGE"/],
    ],
  ] as const)('%s', (_, type, [where, path, message]) => {
    const { problems } = findTargets(untitled, type)
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatchObject({ in: where })
    expect(problems[0]?.path.join('.')).toBe(path)
    expect(problems[0]?.message).toMatch(message)
  })

  it('when nothing saves an image', () => {
    const { '9': _, ...rest } = untitled
    const { problems } = findTargets(rest, withMappings({ prompt }))
    expect(problems).toMatchObject([
      { in: 'workflow', message: expect.stringMatching(/Save Image/) as string },
    ])
  })

  it('when a titled node has no input for the field, or a linked one', () => {
    const titled = {
      ...untitled,
      '3': {
        ...untitled['3']!,
        inputs: { seed: ['8', 0], steps: 1 },
        _meta: { title: 'MCP_SEED' },
      },
      '8': node('PrimitiveInt', { value: 1 }, 'MCP_RESOLUTION'),
    }
    const { problems } = findTargets(titled, withMappings({ prompt }))
    expect(problems.map(({ path }) => path)).toEqual([
      ['3', 'inputs', 'seed'],
      ['8', 'inputs'],
      ['8', 'inputs'],
    ])
  })

  it('when its workflow has an upscale model and nobody says what it does', () => {
    const workflow = {
      ...untitled,
      '10': node('UpscaleModelLoader', { model_name: '4x.pth' }, 'MCP_UPSCALE_MODEL'),
    }
    expect(findTargets(workflow, withMappings({ prompt })).problems).toMatchObject([
      { in: 'render type', message: expect.stringMatching(/"upscale_model"/) as string },
    ])
    const model = { upscale_model: { file: '4x.pth', scale: 4 } }
    expect(findTargets(workflow, withMappings({ prompt }, model)).problems).toEqual([])
  })
})
