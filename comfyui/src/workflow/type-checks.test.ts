import { describe, expect, it } from 'vitest'
import { toNodeClass } from '../client/nodes.ts'
import { checkWorkflow } from './check.ts'

const CLASSES = {
  Source: toNodeClass({ input: {}, output: ['MODEL', 'CLIP', 'INT', 'a,IMAGE', '*'] }),
  Sink: toNodeClass({
    input: {
      required: {
        mode: [
          'COMFY_DYNAMICCOMBO_V3',
          { options: [{ key: 'size', inputs: { required: { scale: ['FLOAT', { max: 8 }] } } }] },
        ],
      },
      optional: {
        model: ['MODEL'],
        number: ['INT,FLOAT'],
        steps: ['INT', { min: 1 }],
        sampler: [['euler', 'ddim'], {}],
        custom: ['MY_PACK_CURVE'],
        images: ['IMAGE'],
      },
    },
    output: ['IMAGE'],
    output_node: true,
  }),
}

function problems(inputs: Record<string, unknown>): string[] {
  const workflow = {
    1: { class_type: 'Source', inputs: {} },
    2: { class_type: 'Sink', inputs: { mode: 'size', 'mode.scale': 1, ...inputs } },
  }
  return checkWorkflow(JSON.stringify(workflow), CLASSES).map(({ message }) => message)
}

describe('a link', () => {
  it.each([
    { model: ['1', 0] },
    { number: ['1', 2] },
    { images: ['1', 3] },
    { images: ['1', 4], model: ['1', 4] },
    { sampler: ['1', 1] },
    { 'mode.scale': ['1', 4] },
  ])('of the type that is taken: %j', (inputs) => {
    expect(problems(inputs)).toEqual([])
  })

  it.each([
    [{ model: ['1', 1] }, '"model" of node "2" (Sink) takes MODEL', 'is CLIP'],
    [{ number: ['1', 0] }, '"number" of node "2" (Sink) takes INT,FLOAT', 'is MODEL'],
    [{ 'mode.scale': ['1', 2] }, '"mode.scale" of node "2" (Sink) takes FLOAT', 'is INT'],
    [{ model: ['1', 5] }, '"model" of node "2" (Sink) is linked to output 5', 'has 5'],
  ])('of another type or slot is named: %j', (inputs, place, reason) => {
    const found = problems(inputs)
    expect(found).toHaveLength(1)
    expect(found[0]).toContain(place)
    expect(found[0]).toContain(reason)
  })
})

describe('a value', () => {
  it.each([
    { steps: 5 },
    { steps: '5' },
    { steps: 4.7 },
    { 'mode.scale': '1.5e0' },
    { custom: 'x' },
  ])('that ComfyUI converts: %j', (inputs) => {
    expect(problems(inputs)).toEqual([])
  })

  it.each([
    [{ steps: 'many' }, '"steps"', 'must be a whole number'],
    [{ steps: '4.7' }, '"steps"', 'must be a whole number'],
    [{ steps: null }, '"steps"', 'must be a whole number'],
    [{ 'mode.scale': 'big' }, '"mode.scale"', 'must be a number'],
    [{ 'mode.scale': 9 }, '"mode.scale"', 'larger than 8'],
    [{ images: 'cat.png' }, '"images"', 'takes a link'],
  ])('of another type is named: %j', (inputs, name, reason) => {
    const found = problems(inputs)
    expect(found).toHaveLength(1)
    expect(found[0]).toContain(name)
    expect(found[0]).toContain(reason)
  })
})
