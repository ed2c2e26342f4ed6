import { describe, expect, it } from 'vitest'
import { ConversionError, editorClasses, isEditorFormat, toApiFormat } from './index.ts'

const INFO = {
  KSampler: {
    input: {
      required: {
        model: ['MODEL'],
        seed: ['INT', { control_after_generate: true }],
        steps: ['INT', { default: 20 }],
        mode: [
          'COMFY_DYNAMICCOMBO_V3',
          {
            options: [
              { key: 'off', inputs: {} },
              { key: 'on', inputs: { required: { heat: ['FLOAT', {}], image: ['IMAGE', {}] } } },
            ],
          },
        ],
      },
      optional: { cfg: ['FLOAT', { default: 8 }] },
    },
    display_name: 'K Sampler',
  },
  LoadImage: {
    input: { required: { image: [['a.png'], { image_upload: true }] } },
    input_order: { required: ['image'] },
  },
  Text: { input: { required: { text: ['STRING', { dynamicPrompts: true }] } } },
  Invert: { input: { required: { image: ['IMAGE'] } } },
  Blend: { input: { required: { factor: ['FLOAT', {}], a: ['IMAGE'], b: ['MASK'] } } },
  Save: { input: { required: { image: ['IMAGE'], filename_prefix: ['STRING', {}] } } },
  CustomCombo: { input: { required: { choice: ['COMBO', { options: [] }] } } },
  Forced: { input: { required: { a: ['INT', { forceInput: true }], b: ['INT', {}] } } },
  Numbers: {
    input: { required: { 10: ['INT', {}], 9: ['INT', {}] } },
    input_order: { required: ['10', '9'] },
  },
  Batch: {
    input: {
      required: {
        images: [
          'COMFY_AUTOGROW_V3',
          { template: { input: { required: { image: ['IMAGE', {}] } }, prefix: 'image' } },
        ],
      },
    },
  },
  Curve: { input: { required: { curve: ['CURVE', {}], colors: ['COLORS', {}] } } },
}

const convert = (workflow: object) => toApiFormat(workflow, INFO).workflow
const image = (link: number, name = 'image') => ({ name, type: 'IMAGE', link })
const IMAGE_OUT = [{ name: 'IMAGE', type: 'IMAGE' }]
const loader = (id: number, file = 'a.png') => ({
  ...{ id, type: 'LoadImage', widgets_values: [file, 'image'], outputs: IMAGE_OUT },
})

describe('values of widgets', () => {
  it('get the names of the inputs, without what only the editor has', () => {
    const nodes = [
      { id: 1, type: 'KSampler', widgets_values: [7, 'randomize', 20, 'on', 0.5, 4], title: 'T' },
      loader(2),
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

  describe('that are saved with their names', () => {
    const seedOf = (more: object) =>
      convert({ nodes: [{ id: 1, type: 'KSampler', ...more }] })['1']?.inputs

    it('are found by name, where the server has a class with other widgets', () => {
      const named = { quality: 'high', seed: 7, control_after_generate: 'fixed', steps: 3, cfg: 4 }
      const widgets_values = Object.values(named)
      expect(seedOf({ widgets_values })?.seed).toBe('high')
      expect(seedOf({ widgets_values, widgets_values_named: named })).toMatchObject({
        ...{ seed: 7, steps: 3, cfg: 4 },
      })
    })

    it('are those of the list, where both disagree', () => {
      const widgets_values = [7, 'fixed', 3, 'off', 4]
      const names = ['seed', 'control_after_generate', 'steps', 'mode', 'cfg']
      const named = Object.fromEntries(names.map((name) => [name, 1]))
      const inputs = { seed: 7, steps: 3, mode: 'off', cfg: 4 }
      expect(seedOf({ widgets_values, widgets_values_named: named })).toEqual(inputs)
    })

    it('are those of the list, where only empty places follow', () => {
      const more = { widgets_values: ['new.png', null, null] }
      const named = { image: 'old.png', upload: null }
      const nodes = [{ ...loader(1), ...more, widgets_values_named: named }]
      expect(convert({ nodes })['1']?.inputs).toEqual({ image: 'new.png' })
    })

    it('have their own names only', () => {
      const named = JSON.parse('{"__proto__":{"steps":9},"seed":7}') as object
      expect(seedOf({ widgets_values_named: named })).toMatchObject({ seed: 7, steps: 20 })
    })
  })

  it('are those of the class where the file has none, as its title is', () => {
    expect(convert({ nodes: [{ id: 1, type: 'KSampler', widgets_values: [7] }] })['1']).toEqual({
      class_type: 'KSampler',
      inputs: { seed: 7, steps: 20, mode: 'off', cfg: 8 },
      _meta: { title: 'K Sampler' },
    })
  })

  it.each([
    [
      'saved by name',
      { id: 1, type: 'KSampler', widgets_values: { steps: 3, mode: 'on' } },
      { seed: 0, steps: 3, mode: 'on', 'mode.heat': 0, cfg: 8 },
    ],
    [
      'of an input that takes links alone, in older files',
      { id: 1, type: 'Forced', widgets_values: [1, 2] },
      { b: 2 },
    ],
    [
      'of an input that takes links alone, in newer files',
      { id: 1, type: 'Forced', widgets_values: [2] },
      { b: 2 },
    ],
    [
      'in the order that the server says',
      { id: 1, type: 'Numbers', widgets_values: [1, 2] },
      { 10: 1, 9: 2 },
    ],
    [
      'of a list of choices that the editor makes',
      { id: 1, type: 'CustomCombo', widgets_values: ['b', 0, 'a', 'b'] },
      { choice: 'b', index: 1, option1: 'a', option2: 'b', option3: '' },
    ],
    [
      'that are lists',
      { id: 1, type: 'Curve', widgets_values: [[[0, 1]], ['#fff']] },
      { curve: { __type__: 'CURVE', __value__: [[0, 1]] }, colors: { __value__: ['#fff'] } },
    ],
    [
      'with variants and comments',
      { id: 1, type: 'Text', widgets_values: ['a {red|{blue}} \\{x\\} // no\nb /* no */c'] },
      { text: 'a red \\{x\\} \nb c' },
    ],
  ])('%s', (_, node, inputs) => {
    expect(convert({ nodes: [node] })['1']?.inputs).toEqual(inputs)
  })

  it('in the name of a file are replaced, and the day is left to ComfyUI', () => {
    const nodes = [
      {
        id: 1,
        type: 'KSampler',
        widgets_values: [7],
        properties: { 'Node name for S&R': 'KSampler' },
      },
      {
        id: 2,
        type: 'Save',
        widgets_values: ['%date:yyyy-MM-dd%/%KSampler.seed%_%width%_%No.seed%'],
      },
    ]
    expect(convert({ nodes })['2']?.inputs).toEqual({
      filename_prefix: '%year%-%month%-%day%/7_%width%_%No.seed%',
    })
  })
})

describe('links', () => {
  it('lead over reroutes and bypassed nodes, and muted nodes are left out with theirs', () => {
    const nodes = [
      loader(1),
      { id: 2, type: 'Reroute', inputs: [{ name: '', type: '*', link: 1 }], outputs: IMAGE_OUT },
      { id: 3, type: 'Invert', mode: 4, inputs: [image(2)], outputs: IMAGE_OUT },
      { id: 4, type: 'Save', inputs: [image(3)], widgets_values: ['x'] },
      { id: 5, type: 'Save', mode: 2, inputs: [image(3)] },
      { id: 6, type: 'Invert', mode: 2, inputs: [image(1)], outputs: IMAGE_OUT },
      { id: 7, type: 'Invert', inputs: [image(6)] },
    ]
    const links = [
      [1, 1, 0, 2, 0, 'IMAGE'],
      [2, 2, 0, 3, 0, 'IMAGE'],
      [3, 3, 0, 4, 0, 'IMAGE'],
      [6, 6, 0, 7, 0, 'IMAGE'],
    ]
    const api = convert({ nodes, links })
    expect(Object.keys(api)).toEqual(['1', '4', '7'])
    expect(api['4']?.inputs).toEqual({ image: ['1', 0], filename_prefix: 'x' })
    expect(api['7']?.inputs).toEqual({})
  })

  it('of a bypassed node go to its input of the same type, also if a widget stands before it', () => {
    const nodes = [
      loader(1),
      {
        id: 2,
        type: 'Blend',
        mode: 4,
        inputs: [{ name: 'b', type: 'MASK', link: 9 }, image(1, 'a')],
        outputs: IMAGE_OUT,
      },
      { id: 3, type: 'Save', inputs: [image(2)] },
    ]
    const links = [
      [1, 1, 0, 2, 1, 'IMAGE'],
      [2, 2, 0, 3, 0, 'IMAGE'],
    ]
    expect(convert({ nodes, links })['3']?.inputs.image).toEqual(['1', 0])
  })

  it('to parts of dynamic inputs keep their names', () => {
    const nodes = [
      loader(1),
      {
        id: 2,
        type: 'Batch',
        inputs: [image(1, 'images.image0'), { name: 'images.image1', type: 'IMAGE', link: null }],
      },
      {
        id: 3,
        type: 'KSampler',
        inputs: [image(1, 'mode.image')],
        widgets_values: [1, 'fixed', 2, 'on', 3, 4],
      },
    ]
    const api = convert({ nodes, links: [[1, 1, 0, 2, 0, 'IMAGE']] })
    expect(api['2']?.inputs).toEqual({ 'images.image0': ['1', 0] })
    expect(api['3']?.inputs['mode.image']).toEqual(['1', 0])
  })

  it('to parts of a choice that is no longer made are dropped', () => {
    const saved = { inputs: [image(1, 'mode.image')], widgets_values: [1, 'fixed', 2, 'off'] }
    const nodes = [loader(1), { id: 3, type: 'KSampler', ...saved }]
    const api = convert({ nodes, links: [[1, 1, 0, 3, 0, 'IMAGE']] })
    expect(api['3']?.inputs).toEqual({ seed: 1, steps: 2, mode: 'off', cfg: 8 })
  })

  it('to primitives become their values, and those of Get nodes what the Set node gets', () => {
    const widget = (link: number) => ({
      name: 'text',
      type: 'STRING',
      link,
      widget: { name: 'text' },
    })
    const nodes = [
      {
        id: 1,
        type: 'PrimitiveNode',
        widgets_values: ['hello', 'fixed'],
        outputs: [{ type: 'STRING' }],
      },
      {
        id: 2,
        type: 'Text',
        inputs: [widget(1)],
        widgets_values: ['old'],
        outputs: [{ type: 'STRING' }],
      },
      {
        id: 3,
        type: 'SetNode',
        inputs: [{ name: 'STRING', type: 'STRING', link: 2 }],
        widgets_values: ['t'],
      },
      { id: 4, type: 'GetNode', widgets_values: ['t'], outputs: [{ type: 'STRING' }] },
      { id: 5, type: 'Text', inputs: [widget(3)], widgets_values: ['old'] },
    ]
    const links = [
      [1, 1, 0, 2, 0, 'STRING'],
      [2, 2, 0, 3, 0, 'STRING'],
      [3, 4, 0, 5, 0, 'STRING'],
    ]
    const api = convert({ nodes, links })
    expect(Object.keys(api)).toEqual(['2', '5'])
    expect([api['2']?.inputs, api['5']?.inputs]).toEqual([{ text: 'hello' }, { text: ['2', 0] }])
  })

  it('that go round in a circle end', () => {
    const out = IMAGE_OUT
    const nodes = [
      { id: 1, type: 'Reroute', inputs: [image(2)], outputs: out },
      { id: 2, type: 'Reroute', inputs: [image(1)], outputs: out },
      { id: 3, type: 'Save', inputs: [image(1)], widgets_values: ['x'] },
    ]
    const links = [
      [1, 1, 0, 2, 0, 'IMAGE'],
      [2, 2, 0, 1, 0, 'IMAGE'],
    ]
    expect(convert({ nodes, links })['3']?.inputs).toEqual({ filename_prefix: 'x' })
  })
})

/** A text with a text and a picture from outside. */
const INNER = {
  id: 'sub',
  inputs: [{ name: 'words' }, { name: 'image' }],
  outputs: [{ name: 'out' }],
  nodes: [
    {
      id: 7,
      type: 'Text',
      inputs: [{ name: 'text', type: 'STRING', link: 1, widget: { name: 'text' } }, image(2)],
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

describe('subgraphs', () => {
  const nodes = [
    loader(1),
    {
      id: 2,
      type: 'sub',
      inputs: [image(1)],
      widgets_values: ['new'],
      outputs: [{ type: 'STRING' }],
    },
    { id: 3, type: 'Text', inputs: [{ name: 'text', type: 'STRING', link: 2 }] },
  ]
  const links = [
    [1, 1, 0, 2, 0, 'IMAGE'],
    [2, 2, 0, 3, 0, 'STRING'],
  ]
  const within = (subgraph: object, more: object[] = [subgraph]) =>
    convert({
      nodes: more === undefined ? nodes : nodes,
      links,
      definitions: { subgraphs: [subgraph, ...more] },
    })

  it('have their nodes under the id of theirs, with the values that it shows', () => {
    const api = within(INNER)
    expect(Object.keys(api).sort()).toEqual(['1', '2:7', '3'])
    expect(api['2:7']?.inputs).toEqual({ text: 'new', image: ['1', 0] })
    expect(api['3']?.inputs).toEqual({ text: ['2:7', 0] })
  })

  it.each([
    ['the inner value, where the node has none', { widgets_values: [] }, 'old'],
    [
      'the value of a list of widgets, in older files',
      { widgets_values: ['by list'], properties: { proxyWidgets: [['7', 'text']] } },
      'by list',
    ],
    [
      'the value of its name, where the server lacks a widget before it',
      { widgets_values: ['flow', 'new'], widgets_values_named: { sampling: 'flow', words: 'new' } },
      'new',
    ],
    [
      'the inner value, where the list is of another widget',
      { widgets_values: ['other'], properties: { proxyWidgets: [['9', 'text']] } },
      'old',
    ],
  ])('show %s', (_, change, text) => {
    const own = nodes.map((node) => (node.id === 2 ? { ...node, ...change } : node))
    const api = convert({ nodes: own, links, definitions: { subgraphs: [INNER] } })
    expect(api['2:7']?.inputs.text).toBe(text)
  })

  it('inside subgraphs show values, too', () => {
    const outer = {
      id: 'outer',
      inputs: [{ name: 'prompt' }],
      outputs: [],
      nodes: [
        {
          id: 5,
          type: 'sub',
          inputs: [{ name: 'words', type: 'STRING', link: 1 }],
          widgets_values: ['middle'],
        },
      ],
      links: [{ id: 1, origin_id: -10, origin_slot: 0, target_id: 5, target_slot: 0 }],
    }
    const of = (values: unknown[]) =>
      convert({
        nodes: [{ id: 2, type: 'outer', widgets_values: values }],
        definitions: { subgraphs: [INNER, outer] },
      })['2:5:7']?.inputs
    expect([of(['top']), of([])]).toEqual([{ text: 'top' }, { text: 'middle' }])
  })

  it('that are bypassed or muted leave nothing', () => {
    const off = (mode: number) =>
      convert({
        nodes: nodes.map((node) => (node.id === 2 ? { ...node, mode } : node)),
        links,
        definitions: { subgraphs: [INNER] },
      })
    expect(Object.keys(off(2))).toEqual(['1', '3'])
    expect(Object.keys(off(4))).toEqual(['1', '3'])
  })

  it('that would make too many nodes are refused', () => {
    const subgraphs = Array.from({ length: 40 }, (_, at) => ({
      id: `s${at}`,
      nodes: [1, 2].map((id) => ({ id, type: `s${at + 1}` })),
    }))
    const bomb = { nodes: [{ id: 1, type: 's0' }], definitions: { subgraphs } }
    expect(() => convert(bomb)).toThrow(ConversionError)
    const endless = {
      nodes: [{ id: 1, type: 'a' }],
      definitions: { subgraphs: [{ id: 'a', nodes: [{ id: 1, type: 'a' }] }] },
    }
    expect(() => convert(endless)).toThrow(ConversionError)
  })
})

describe('a file of a stranger', () => {
  it('names nodes of classes that the server does not have', () => {
    const nodes = [
      { id: 1, type: 'Nope', widgets_values: [1] },
      { id: 2, type: 'toString' },
    ]
    expect(toApiFormat({ nodes }, INFO).missing).toEqual([
      { id: '1', classType: 'Nope' },
      { id: '2', classType: 'toString' },
    ])
  })

  it('costs only what is odd in it', () => {
    const odd = [null, 'x', {}, { id: {}, type: 'Text' }, { id: 1 }]
    const nodes = [
      ...odd,
      {
        id: '__proto__',
        type: 'Text',
        inputs: [null, { name: 1 }],
        outputs: 'x',
        widgets_values: 'x',
        properties: 7,
      },
    ]
    const api = convert({
      nodes,
      links: [...odd, [1], [1, 2, 'a', 3, null]],
      definitions: { subgraphs: odd },
    })
    expect(Object.keys(api)).toEqual(['__proto__'])
    expect(Object.getOwnPropertyDescriptor(api, '__proto__')?.value).toMatchObject({
      inputs: { text: '' },
    })
  })

  it('says its classes, each once, without subgraphs and what only the editor has', () => {
    const nodes = [
      { id: 1, type: 'sub' },
      { id: 2, type: 'Note' },
      { id: 3, type: 'Save' },
    ]
    expect(editorClasses({ nodes, definitions: { subgraphs: [INNER] } })).toEqual(['Save', 'Text'])
  })

  it.each([[{ '1': { class_type: 'A', inputs: {} } }], [[]], [null], ['x']])(
    '%j is not of the editor',
    (value) => {
      expect(isEditorFormat(value)).toBe(false)
      expect(() => toApiFormat(value, INFO)).toThrow(ConversionError)
    },
  )
})
