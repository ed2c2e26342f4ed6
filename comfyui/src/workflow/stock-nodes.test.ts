import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { activeInputs, type NodeInput, toNodeClass } from '../client/nodes.ts'
import { checkWorkflow } from './check.ts'

const read = (path: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../test/fixtures/${path}`, import.meta.url), 'utf8'))

interface Recording {
  entries: { request?: { path: string }; response?: { json?: Record<string, unknown> } }[]
}

function recorded(version: string): [string, unknown][] {
  return (read(`recordings/${version}.json`) as Recording).entries
    .filter(({ request }) => request?.path.includes('/object_info/'))
    .flatMap(({ response }) => Object.entries(response?.json ?? {}))
}

const WRITTEN = Object.entries(read('object-info/newer-inputs.json') as Record<string, unknown>)
const NODES = [...recorded('0.33.0'), ...recorded('0.3.64'), ...WRITTEN].map(
  ([name, info]) => [name, withFiles(info)] as const,
)

/** A server without models has no valid value for their inputs. */
function withFiles(info: unknown): unknown {
  return JSON.parse(JSON.stringify(info).replaceAll('[[],', '[["a.safetensors"],'))
}

/** Has an output of every type, and is enough for ComfyUI to run the workflow. */
const SOURCE = toNodeClass({ input: {}, output: ['*'], output_node: true })

type Inputs = Record<string, unknown>

/** What ComfyUI's editor would fill in: the default, the first choice, or a link. */
function filled(input: NodeInput): unknown {
  if ('default' in input) return input.multiple ? { __value__: input.default } : input.default
  if (input.choices) return input.choices[0]
  return (
    { INT: input.min ?? 0, FLOAT: input.min ?? 0, STRING: '', BOOLEAN: false }[input.type] ?? [
      'source',
      0,
    ]
  )
}

/** Fills in inputs until the node asks for no more: a choice brings inputs of its own. */
function complete(info: unknown, inputs: Inputs): Inputs {
  for (;;) {
    const active = activeInputs(toNodeClass(info), (name) => inputs[name])
    const open = [...active].filter(([name, { entries }]) => !entries && !(name in inputs))
    if (open.length === 0) return inputs
    for (const [name, input] of open) inputs[name] = filled(input)
  }
}

function problems(name: string, info: unknown, inputs: Inputs): string[] {
  const workflow = {
    7: { class_type: name, inputs },
    source: { class_type: 'Source', inputs: {} },
  }
  // A node that writes no result would not be checked: nothing depends on it here.
  const classes = { [name]: { ...toNodeClass(info), isOutput: true }, Source: SOURCE }
  return checkWorkflow(JSON.stringify(workflow), classes).map(({ message }) => message)
}

describe('a stock node', () => {
  it.each(NODES)('%s: nothing is wrong with its defaults', (name, info) => {
    expect(problems(name, info, complete(info, {}))).toEqual([])
  })

  const choices = WRITTEN.flatMap(([name, info]) =>
    Object.entries(toNodeClass(info).inputs).flatMap(([input, { inputsByChoice }]) =>
      Object.keys(inputsByChoice ?? {}).map((choice) => ({ name, info, input, choice })),
    ),
  )
  it.each(choices)(
    '$name: nothing is wrong with $input = $choice',
    ({ name, info, input, choice }) => {
      expect(problems(name, info, complete(info, { [input]: choice }))).toEqual([])
    },
  )

  it('may have entries of a list that grows, and settings of a slot', () => {
    const info = (name: string) => new Map(WRITTEN).get(name)
    const image = ['source', 0]
    expect(
      problems('BatchImagesNode', info('BatchImagesNode'), {
        'images.image0': image,
        'images.image1': image,
      }),
    ).toEqual([])
    expect(
      problems('ComfyMathExpression', info('ComfyMathExpression'), {
        expression: 'a',
        'values.a': 1,
      }),
    ).toEqual([])
    expect(problems('SlotWithSettings', info('SlotWithSettings'), {})).toEqual([])
    expect(
      problems('SlotWithSettings', info('SlotWithSettings'), { mask: image, 'mask.grow': 3 }),
    ).toEqual([])
  })
})

describe('a mistake in inputs that depend on others', () => {
  const video = {
    video: ['source', 0],
    filename_prefix: 'a',
    format: 'mp4',
    'format.codec': 'av1',
    'format.crf': 20,
  }
  it.each<[string, Inputs, RegExp]>([
    [
      'a required one is missing',
      { ...video, 'format.crf': undefined },
      /"format\.crf" of .*SaveVideo.* is missing/,
    ],
    [
      'a choice of another format',
      { ...video, format: 'auto', 'format.codec': 'av1' },
      /"format\.codec" of .*no choice "av1"/,
    ],
    ['a number out of range', { ...video, 'format.crf': 99 }, /"format\.crf" of .*larger than 51/],
  ])('%s', (_, inputs, message) => {
    const info = new Map(WRITTEN).get('SaveVideo')
    const [problem, ...more] = problems('SaveVideo', info, inputs)
    expect(problem).toMatch(message)
    expect(problem).toContain('7')
    expect(more).toEqual([])
  })

  it('one of several choices does not exist', () => {
    const info = new Map(WRITTEN).get('OtherForms')
    const inputs = {
      ...complete(info, { lora: ['source', 0] }),
      several: { __value__: ['x', 'nope'] },
    }
    expect(problems('OtherForms', info, inputs)).toEqual([
      expect.stringMatching(/no choice "nope"/),
    ])
  })

  it('a slot is used without its settings', () => {
    const info = new Map(WRITTEN).get('SlotWithSettings')
    expect(problems('SlotWithSettings', info, { mask: ['source', 0] })).toEqual([
      expect.stringMatching(/"mask\.grow"/),
    ])
  })

  it('is told in a short message, whatever the server offers', () => {
    const options = Array.from({ length: 500 }, (_, at) => `${at}`.repeat(2_000))
    const info = { input: { required: { which: ['COMBO', { options }] } }, output_node: true }
    const findings = checkWorkflow(
      JSON.stringify({
        1: { class_type: 'A', inputs: { which: 'x'.repeat(9_000) } },
        2: { class_type: 'Source', inputs: {} },
      }),
      { A: toNodeClass(info), Source: SOURCE },
    )
    expect(findings).toHaveLength(1)
    expect(JSON.stringify(findings).length).toBeLessThan(2_000)
  })
})

describe('the description of a hostile server', () => {
  it('may nest without end', () => {
    let inner: unknown = { required: { x: ['INT', {}] } }
    for (let depth = 0; depth < 3_000; depth++)
      inner = {
        required: { a: ['COMFY_DYNAMICCOMBO_V3', { options: [{ key: 'k', inputs: inner }] }] },
      }
    const known = toNodeClass({ input: inner })
    expect(activeInputs(known, () => 'k').size).toBeLessThan(20)
  })

  it('may name members of every object', () => {
    const text = `{"input":{"required":{"__proto__":["COMFY_DYNAMICCOMBO_V3",{"options":[
      {"key":"__proto__","inputs":{"required":{"constructor":["INT",{}]}}},{"key":"toString","inputs":null}]}]}}}`
    const known = toNodeClass(JSON.parse(text))
    expect([...activeInputs(known, () => '__proto__').keys()]).toEqual([
      '__proto__',
      '__proto__.constructor',
    ])
    expect([...activeInputs(known, () => 'constructor').keys()]).toEqual(['__proto__'])
    expect(({} as Inputs)['constructor.x']).toBeUndefined()
  })

  it('may ask for a list of a million', () => {
    const template = { input: { required: { v: ['INT', {}] } }, prefix: 'v', min: 1, max: 1e9 }
    const known = toNodeClass({
      input: { required: { list: ['COMFY_AUTOGROW_V3', { template }] } },
    })
    expect(known.inputs['list']?.entries?.names.length).toBe(100)
  })

  const type = fc.constantFrom(
    'COMFY_DYNAMICCOMBO_V3',
    'COMFY_AUTOGROW_V3',
    'COMFY_DYNAMICSLOT_V3',
    'COMFY_MATCHTYPE_V3',
    'COMBO',
    'INT',
  )
  const group = fc.oneof(fc.jsonValue(), fc.dictionary(fc.string(), fc.tuple(type, fc.jsonValue())))
  const options = fc.record(
    {
      options: fc.oneof(
        fc.jsonValue(),
        fc.array(fc.record({ key: fc.oneof(fc.string(), fc.jsonValue()), inputs: group })),
      ),
      template: fc.oneof(
        fc.jsonValue(),
        fc.record({
          input: group,
          prefix: fc.jsonValue(),
          names: fc.jsonValue(),
          max: fc.jsonValue(),
        }),
      ),
      inputs: group,
    },
    { requiredKeys: [] },
  )
  it('may be anything', () => {
    fc.assert(
      fc.property(
        fc.record({
          required: fc.dictionary(fc.string(), fc.tuple(type, options)),
          optional: group,
        }),
        fc.dictionary(fc.string(), fc.jsonValue()),
        (input, inputs) => {
          expect(Array.isArray(problems('A', { input }, inputs as Inputs))).toBe(true)
        },
      ),
      { numRuns: 300 },
    )
  })
})
