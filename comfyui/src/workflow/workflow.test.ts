import { describe, expect, it } from 'vitest'
import { inject, outputNodes, setInput } from './inject.ts'
import { parseWorkflow } from './parse.ts'

const node = (class_type: string, inputs: Record<string, unknown>, title?: string) => ({
  class_type,
  inputs,
  ...(title !== undefined && { _meta: { title } }),
})

const workflow = () => ({
  '57:3': node('KSampler', { seed: 1, latent_image: ['5', 0] }, 'MCP_SEED'),
  noise: node('RandomNoise', { noise_seed: 1 }, 'MCP_SEED'),
  '5': node('EmptyLatentImage', { width: 1, height: 2 }, 'MCP_RESOLUTION'),
  '5b': node('Flux2Scheduler', { steps: 4, width: 1, height: 2 }, 'MCP_RESOLUTION'),
  '6': node('CLIPTextEncode', { text: '' }, 'MCP_INPUT_PROMPT'),
  '7': node('CLIPTextEncode', { text: '' }, 'MCP_INPUT_NEGATIVE_PROMPT'),
  '9': node('SaveImage', { images: ['57:3', 0] }, 'MCP_OUTPUT_IMAGE'),
})
const fields = { prompt: 'a fox', negativePrompt: 'blur', seed: 7, width: 64, height: 32 }

describe('parseWorkflow', () => {
  it('reads ids of any form, as text, as value and wrapped', () => {
    const parsed = parseWorkflow(workflow())
    expect(Object.keys(parsed)).toContain('57:3')
    expect(parseWorkflow(JSON.stringify(workflow()))).toEqual(parsed)
    expect(parseWorkflow({ prompt: workflow() })).toEqual(parsed)
  })

  it.each([
    ['the editor’s format', { nodes: [], links: [] }, /Export it with "File → Export \(API\)"/],
    ['broken JSON', '{', /not valid JSON/],
    ['nothing', {}, /no nodes/],
    ['a list', [], /JSON object/],
    ['a node without a class', { 1: { inputs: {} } }, /Node "1" .* no "class_type"/],
    ['a link to nowhere', { 1: node('A', { x: ['2', 0] }) }, /"x" of node "1" .* node "2"/],
    [
      'a seed JavaScript cannot hold',
      '{"1":{"class_type":"K","inputs":{"seed":18446744073709551615}}}',
      /"seed" of node "1" is larger/,
    ],
  ])('refuses %s and says why', (_, source, message) => {
    expect(() => parseWorkflow(source)).toThrow(message)
  })
})

describe('inject', () => {
  it('sets a field in every node of its title and leaves the rest', () => {
    const original = parseWorkflow(workflow())
    const result = inject(original, fields)
    expect(result['57:3']?.inputs).toEqual({ seed: 7, latent_image: ['5', 0] })
    expect(result.noise?.inputs).toEqual({ noise_seed: 7 })
    expect(result['5']?.inputs).toEqual({ width: 64, height: 32 })
    expect(result['5b']?.inputs).toEqual({ steps: 4, width: 64, height: 32 })
    expect(result['6']?.inputs).toEqual({ text: 'a fox' })
    expect(result['7']?.inputs).toEqual({ text: 'blur' })
    expect(original).toEqual(workflow())
  })

  it('does without a node for the negative prompt, but not without one for the prompt', () => {
    const { '7': _negative, ...without } = workflow()
    expect(inject(parseWorkflow(without), fields)['6']?.inputs.text).toBe('a fox')
    const { '6': _prompt, ...useless } = workflow()
    expect(() => inject(parseWorkflow(useless), fields)).toThrow(/title "MCP_INPUT_PROMPT"/)
  })

  it('never overwrites a link', () => {
    const linked = {
      ...workflow(),
      '6': node('CLIPTextEncode', { text: ['7', 0] }, 'MCP_INPUT_PROMPT'),
    }
    expect(() => inject(parseWorkflow(linked), fields)).toThrow(/"text" is linked/)
  })

  it('says which inputs it looked for', () => {
    expect(() => setInput(parseWorkflow(workflow()), 'MCP_OUTPUT_IMAGE', ['seed'], 1)).toThrow(
      'Node "9" (MCP_OUTPUT_IMAGE) has none of the inputs "seed".',
    )
  })

  it('knows the output nodes', () => {
    expect(outputNodes(parseWorkflow(workflow()))).toEqual(['9'])
  })
})
