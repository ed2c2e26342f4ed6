import { describe, expect, it } from 'vitest'
import { ConversionError, editorClasses, editorModels, toApiFormat } from './index.ts'

const INFO = {
  Save: { input: { required: { image: ['IMAGE'], filename_prefix: ['STRING', {}] } } },
  Text: { input: { required: { text: ['STRING', { dynamicPrompts: true }] } } },
  Choice: {
    input: {
      required: {
        mode: [
          'COMFY_DYNAMICCOMBO_V3',
          { options: [{ key: 'on', inputs: { required: { heat: ['FLOAT', {}] } } }] },
        ],
      },
    },
  },
  Wide: {
    input: { required: Object.fromEntries(range(30).map((at) => [`w${at}`, ['INT', {}]])) },
  },
}

function range(count: number): number[] {
  return [...Array(count).keys()]
}

/** A subgraph of one node, in many places. */
function repeated(places: number, node: object, links: unknown[] = [], inputs: unknown[] = []) {
  const nodes = range(places).map((id) => ({ id, type: 'inner' }))
  return { nodes, definitions: { subgraphs: [{ id: 'inner', nodes: [node], links, inputs }] } }
}

const link = (id: number, from: number, slot: number, to: number, toSlot = 0) => ({
  ...{ id, origin_id: from, origin_slot: slot, target_id: to, target_slot: toSlot },
})
const save = (inputs: unknown[]) => ({ id: 1, type: 'Save', inputs })

const ATTACKS: Record<string, () => object> = {
  'a subgraph whose output is its own output': () => ({
    nodes: [save([{ name: 'image', link: 1 }]), { id: 2, type: 'loop' }],
    links: [[1, 2, 0, 1, 0]],
    definitions: {
      subgraphs: [{ id: 'loop', nodes: [{ id: 5, type: 'loop' }], links: [link(1, 5, 0, -20)] }],
    },
  }),
  'a widget that is shown through thousands of subgraphs': () => ({
    nodes: [{ id: 1, type: 's0' }],
    definitions: {
      subgraphs: range(8_000).map((at) => ({
        id: `s${at}`,
        nodes: [
          { id: 3, type: 'Save', inputs: [{ name: 'image', link: 1 }] },
          { id: 5, type: `s${at + 1}`, inputs: [{ name: 'x', link: 2 }] },
        ],
        links: [link(2, -10, 0, 5), link(1, -10, 0, 3)],
        inputs: [{ name: 'x' }],
      })),
    },
  }),
  'lists inside lists': () => ({
    nodes: [
      {
        ...{ id: 1, type: 'Text' },
        widgets_values: [JSON.parse('['.repeat(200_000) + ']'.repeat(200_000))],
      },
    ],
  }),
  'names of files with 200,000 values of 40,000 nodes': () => ({
    nodes: [{ id: 1, type: 'Save', widgets_values: ['%a.b%'.repeat(200_000)] }],
    definitions: {
      subgraphs: [{ id: 'unused', nodes: range(40_000).map((id) => ({ id, type: 'x' })) }],
    },
  }),
  'the name of a file with a long text many times': () => ({
    nodes: [
      { id: 1, type: 'Save', widgets_values: ['%Text.text%'.repeat(50_000)] },
      { id: 2, type: 'Text', title: 'Text', widgets_values: ['a'.repeat(1_000_000)] },
    ],
  }),
  'a long text in many places': () =>
    repeated(4_000, { id: 1, type: 'Text', widgets_values: ['a'.repeat(1_000_000)] }),
  'a long title in many places': () =>
    repeated(2_000, { id: 1, type: 'Text', title: 'a'.repeat(1_000_000) }),
  'variants inside variants': () => ({
    nodes: [{ id: 1, type: 'Text', widgets_values: ['{'.repeat(2_000_000)] }],
  }),
  'an input thousands of times, in many places': () =>
    repeated(4_500, {
      id: 1,
      type: 'x',
      inputs: range(60_000).map(() => ({ name: 'w', link: 1 })),
    }),
  'thousands of inputs that a subgraph shows, in many places': () =>
    repeated(
      300,
      {
        id: 1,
        type: 'Wide',
        inputs: range(9_000).map((at) => ({ name: `w${at % 30}`, link: at })),
      },
      range(9_000).map((at) => link(at, -10, at, 1, at)),
      range(9_000).map((at) => ({ name: `n${at}` })),
    ),
  'two nodes with one id': () => ({
    nodes: [
      { id: 3, type: 'Save' },
      { id: '3', type: 'Text' },
    ],
  }),
  'a node with the id of another one inside a subgraph': () => ({
    ...repeated(1, { id: 3, type: 'Text' }),
    nodes: [
      { id: '57:3', type: 'Save' },
      { id: 57, type: 'inner' },
    ],
  }),
}

describe('a file that was made to hurt', () => {
  it.each(Object.keys(ATTACKS))('is refused: %s', (name) => {
    const file = ATTACKS[name]?.()
    expect(() => JSON.stringify(toApiFormat(file, INFO))).toThrow(ConversionError)
  })

  it('may have long names and lists of types, which match nothing', () => {
    const types = (last: string) => 'a,'.repeat(300_000) + last
    const { workflow } = toApiFormat(
      {
        nodes: [
          save([{ name: 'image', type: 'IMAGE', link: 1 }]),
          {
            ...{ id: 2, type: 'x', mode: 4 },
            inputs: [{ name: 'in', type: types('b'), link: 2 }],
            outputs: [{ type: types('c') }],
          },
          { id: 3, type: 'Choice', inputs: [{ name: `mode${'.'.repeat(1_000_000)}`, link: 2 }] },
          { id: 'a'.repeat(1_000_000), type: 'Wide' },
        ],
        links: [
          [1, 2, 0, 1, 0],
          [2, 3, 0, 2, 0],
        ],
      },
      INFO,
    )
    expect(Object.keys(workflow)).toEqual(['1', '3'])
    expect(workflow['1']?.inputs).toEqual({ filename_prefix: '' })
    expect(workflow['3']?.inputs).toEqual({ mode: 'on', 'mode.heat': 0 })
  })

  it('may have names of prototypes everywhere', () => {
    const file: unknown = JSON.parse(
      '{"nodes":[{"id":"__proto__","type":"Text","title":"__proto__","inputs":[{"name":"__proto__","link":"__proto__"}]},' +
        '{"id":"constructor","type":"constructor"},{"id":"1","type":"toString"}],' +
        '"links":[["__proto__","constructor",0,"__proto__",0]],"definitions":{"subgraphs":[{"id":"toString","nodes":[]}]}}',
    )
    const { workflow, missing } = toApiFormat(file, INFO)
    const written = JSON.parse(JSON.stringify(workflow)) as Record<string, { inputs: object }>
    expect(Object.keys(written)).toEqual(['__proto__', 'constructor'])
    const own = Object.getOwnPropertyDescriptor(written, '__proto__')?.value as typeof written
    expect(Object.entries(own['inputs'] ?? {})).toEqual([
      ['text', ''],
      ['__proto__', ['constructor', 0]],
    ])
    expect(missing).toEqual([{ id: 'constructor', classType: 'constructor' }])
  })

  it('of any shape is converted or refused', () => {
    const random = numbers(7)
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
    let converted = 0
    for (let round = 0; round < 1_500; round++) {
      const file = strange(pick)
      try {
        const { workflow } = toApiFormat(file, INFO)
        converted++
        for (const { inputs } of Object.values(workflow)) {
          for (const value of Object.values(inputs)) {
            if (Array.isArray(value)) expect(Object.hasOwn(workflow, value[0] as string)).toBe(true)
          }
        }
      } catch (error) {
        if (!(error instanceof ConversionError)) throw error
      }
      editorClasses(file)
      editorModels(file)
    }
    expect(converted).toBeGreaterThan(100)
  })
})

/** The same row of numbers each time. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

type Pick = <T>(list: readonly T[]) => T

const ODD = [null, true, -1, 1.5, 1e21, '', '__proto__', 'x', [], [[]], {}, { name: {} }]
const IDS = [1, 2, 3, 4, 5, '6', -10, -20, '__proto__', 'constructor']
const TYPES = [
  ...['Save', 'Text', 'Choice', 'Wide', 'CustomCombo', 'PrimitiveNode', 'Reroute', 'Note'],
  ...['SetNode', 'GetNode', 's1', 's2', 's3', 'toString', '__proto__'],
]
const NAMES = [
  'image',
  'text',
  'mode',
  'mode.heat',
  'mode.',
  'x',
  'y',
  '__proto__',
  'filename_prefix',
]
const VALUES = ['%Text.text%', '{a|{b', '// c', ['1', 0], { __value__: 1 }, 5, 'on', 'x', null]

function strange(pick: Pick): object {
  const often = (value: unknown) => (pick([1, 2, 3, 4, 5, 6, 7, 8, 9]) === 1 ? pick(ODD) : value)
  const list = (most: number, make: () => unknown) =>
    often(range(pick(range(most))).map(() => often(make())))
  const graph = (isInner: boolean) => ({
    nodes: list(6, () => ({
      id: often(pick(IDS)),
      type: often(pick(TYPES)),
      mode: often(pick([0, 0, 0, 2, 4])),
      title: often(pick(NAMES)),
      inputs: list(4, () => ({
        name: often(pick(NAMES)),
        type: often(pick(['IMAGE', 'A,B', '*'])),
        link: often(pick(range(6))),
      })),
      outputs: list(3, () => ({ type: often(pick(['IMAGE', 'B', '*'])) })),
      widgets_values: list(5, () => pick(VALUES)),
      properties: often({ proxyWidgets: list(3, () => [pick(IDS), pick(NAMES)]) }),
    })),
    links: list(6, () => {
      const [id, from, slot, to, toSlot] = [
        ...[pick(range(6)), pick(IDS), pick([0, 1])],
        ...[pick(IDS), pick([0, 1])],
      ]
      return isInner
        ? {
            ...{ id, origin_id: from, origin_slot: slot },
            ...{ target_id: to, target_slot: toSlot },
          }
        : [id, from, slot, to, toSlot, '*']
    }),
  })
  return {
    ...graph(false),
    nodes: often(graph(false).nodes),
    definitions: often({
      subgraphs: list(4, () => ({
        ...{ id: often(pick(['s1', 's2', 's3'])), ...graph(true) },
        inputs: list(3, () => ({ name: pick(NAMES) })),
      })),
    }),
  }
}
