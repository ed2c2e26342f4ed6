import { describe, expect, it } from 'vitest'
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

describe('parseWorkflow', () => {
  it('reads ids of any form, as text, as value and wrapped', () => {
    const parsed = parseWorkflow(workflow())
    expect(Object.keys(parsed)).toContain('57:3')
    expect(parseWorkflow(JSON.stringify(workflow()))).toEqual(parsed)
    expect(parseWorkflow({ prompt: workflow() })).toEqual(parsed)
  })

  it('keeps every digit of an integer in a text, and changes no text', () => {
    const inputs =
      '{"seed":18446744073709551615,"low": -9223372036854775808 ,"safe":9007199254740991,"text":"a \\" 18446744073709551615","float":1234567890123456.5}'
    expect(parseWorkflow(`{"1":{"class_type":"K","inputs":${inputs}}}`)['1']?.inputs).toEqual({
      seed: '18446744073709551615',
      low: '-9223372036854775808',
      safe: 9007199254740991,
      text: 'a " 18446744073709551615',
      float: 1234567890123456.5,
    })
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
      { 1: node('K', { seed: 2 ** 64 }) },
      /"seed" of node "1" is larger .* as a text/,
    ],
  ])('refuses %s and says why', (_, source, message) => {
    expect(() => parseWorkflow(source)).toThrow(message)
  })
})
