import { describe, expect, it } from 'vitest'
import { toApiFormat } from './convert.ts'
import { readEditorWorkflow } from './editor-format.ts'

const INFO = {
  KSampler: {
    input: {
      required: {
        model: ['MODEL'],
        seed: ['INT', { control_after_generate: true }],
        steps: ['INT', {}],
        mode: [
          'COMFY_DYNAMICCOMBO_V3',
          { options: [{ key: 'on', inputs: { required: { heat: ['FLOAT', {}] } } }] },
        ],
      },
      optional: { cfg: ['FLOAT', {}] },
    },
  },
  LoadImage: { input: { required: { image: [['a.png'], { image_upload: true }] } } },
  Text: { input: { required: { text: ['STRING', {}] } } },
}

const convert = (workflow: unknown) => {
  const read = readEditorWorkflow(workflow)
  if (!read) throw new Error('not a workflow of the editor')
  return toApiFormat(read, INFO)
}

describe('the editor’s format as the API format', () => {
  it('has the values of widgets by name, without those that only the editor has', () => {
    const nodes = [
      { id: 1, type: 'KSampler', widgets_values: [7, 'randomize', 20, 'on', 0.5, 4], title: 'T' },
      { id: 2, type: 'LoadImage', widgets_values: ['a.png', 'image'] },
      { id: 3, type: 'MarkdownNote', widgets_values: ['read me'] },
    ]
    expect(convert({ nodes, links: [] })).toEqual({
      '1': {
        class_type: 'KSampler',
        inputs: { seed: 7, steps: 20, mode: 'on', 'mode.heat': 0.5, cfg: 4 },
        _meta: { title: 'T' },
      },
      '2': { class_type: 'LoadImage', inputs: { image: 'a.png' }, _meta: { title: 'LoadImage' } },
    })
  })

  it('follows links over reroutes and bypassed nodes, and leaves muted ones out', () => {
    const image = (link: number) => [{ name: 'image', type: 'IMAGE', link }]
    const out = [{ name: 'IMAGE', type: 'IMAGE' }]
    const nodes = [
      { id: 1, type: 'LoadImage', widgets_values: ['a.png'], outputs: out },
      { id: 2, type: 'Reroute', inputs: image(1), outputs: out },
      { id: 3, type: 'Invert', mode: 4, inputs: image(2), outputs: out },
      { id: 4, type: 'Save', inputs: image(3) },
      { id: 5, type: 'Save', mode: 2, inputs: image(3) },
    ]
    const links = [
      [1, 1, 0, 2, 0, 'IMAGE'],
      [2, 2, 0, 3, 0, 'IMAGE'],
      [3, 3, 0, 4, 0, 'IMAGE'],
    ]
    const api = convert({ nodes, links })
    expect(Object.keys(api)).toEqual(['1', '4'])
    expect(api['4']?.inputs).toEqual({ image: ['1', 0] })
  })

  it('has the nodes of a subgraph under the id of its node, with the values that the node shows', () => {
    const inner = {
      id: 'sub',
      inputs: [{ name: 'text' }, { name: 'image' }],
      outputs: [{ name: 'out' }],
      nodes: [
        {
          id: 7,
          type: 'Text',
          inputs: [
            { name: 'text', type: 'STRING', link: 1, widget: { name: 'text' } },
            { name: 'image', type: 'IMAGE', link: 2 },
          ],
          outputs: [{ name: 'out', type: 'STRING' }],
          widgets_values: ['old'],
        },
      ],
      links: [
        { id: 1, origin_id: -10, origin_slot: 0, target_id: 7, target_slot: 0 },
        { id: 2, origin_id: -10, origin_slot: 1, target_id: 7, target_slot: 1 },
        { id: 3, origin_id: 7, origin_slot: 0, target_id: -20, target_slot: 0 },
      ],
    }
    const nodes = [
      { id: 1, type: 'LoadImage', widgets_values: ['a.png'] },
      {
        id: 2,
        type: 'sub',
        inputs: [{ name: 'image', type: 'IMAGE', link: 1 }],
        widgets_values: ['new'],
      },
      { id: 3, type: 'Show', inputs: [{ name: 'text', type: 'STRING', link: 2 }] },
    ]
    const links = [
      [1, 1, 0, 2, 0, 'IMAGE'],
      [2, 2, 0, 3, 0, 'STRING'],
    ]
    const api = convert({ nodes, links, definitions: { subgraphs: [inner] } })
    expect(Object.keys(api).sort()).toEqual(['1', '2:7', '3'])
    expect(api['2:7']?.inputs).toEqual({ text: 'new', image: ['1', 0] })
    expect(api['3']?.inputs).toEqual({ text: ['2:7', 0] })
  })

  it('is not made of anything else', () => {
    expect(readEditorWorkflow({ '1': { class_type: 'A', inputs: {} } })).toBeUndefined()
    expect(readEditorWorkflow([])).toBeUndefined()
  })
})
