import { describe, expect, it } from 'vitest'
import { toNodeClass } from '../client/nodes.ts'
import { injectValues } from './compile.ts'
import { formatFinding } from './finding.ts'
import { field, node, readFolder, workflow } from './testing.ts'
import { BROKEN, config, file, mapped, one } from './testing/rows.ts'

describe('a folder', () => {
  it.each(BROKEN)(
    'loses one tool by %s, and says where and what to do',
    async (_, files, message) => {
      const { tools, findings } = await readFolder(files)
      expect(tools.map(({ tool }) => tool.name)).toEqual(['good'])
      const errors = findings.filter(({ severity }) => severity === 'error')
      expect(errors.map(formatFinding).join('\n')).toMatch(message)
      expect(errors.every(({ file: path }) => path.endsWith('/t.json'))).toBe(true)
      expect(errors.every(({ line, fix }) => line >= 1 && fix !== '')).toBe(true)
    },
  )

  it('reports of two tools of one name the second', async () => {
    const { tools, findings } = await readFolder({
      'config/a.json': [{ name: 'x', workflow: 'w.json', description: 'first' }],
      'config/b.json': '[\n  { "name": "x", "workflow": "w.json" }\n]',
      'workflows/w.json': workflow(),
    })
    expect(tools.map(({ tool }) => tool.description)).toEqual(['first'])
    expect(findings.map(formatFinding)).toEqual([
      'config/b.json:2: error: tool "x": there is a tool "x" already, in config/a.json:1; rename one of the two',
    ])
  })

  it('does not make a tool of a file of the editor beside the one that was made of it', async () => {
    const files = {
      'workflows/a.json': { nodes: [], links: [] },
      'workflows/a.api.json': workflow(),
    }
    const { tools, findings } = await readFolder(files)
    expect(tools.map(({ tool }) => tool.name)).toEqual(['a_api'])
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([])
  })

  it.each([
    ['flux.1_dev', 'flux_1_dev'],
    ['3d_model', 'tool_3d_model'],
  ])('keeps the name %s, and warns of what it costs', async (name, other) => {
    const { tools, findings } = await readFolder({
      'config/a.json': [{ name, workflow: 'w.json' }],
      'workflows/w.json': workflow(),
    })
    expect(tools.map(({ tool }) => tool.name)).toEqual([name])
    expect(findings.map(formatFinding)).toEqual([
      `config/a.json:1: warning: tool "${name}": OpenAI, Claude Desktop or Gemini refuse each request with a tool of this name, and with it all tools; write "${other}"`,
    ])
  })

  // Names of official templates: sd3.5_simple_example.json, 3d_hunyuan3d-v2.1.json.
  it('makes of the names of files those of tools that all providers of models take', async () => {
    const { tools, findings } = await readFolder({
      'config/sd3.5_simple.json': [{ description: 'without a name' }],
      'workflows/sd3.5_simple.json': workflow(),
      'workflows/3d_hunyuan3d-v2.1.json': workflow(),
      'workflows/文生图.json': workflow(),
      'workflows/图生图.json': workflow(),
    })
    expect(findings).toEqual([])
    const names = tools.map(({ tool }) => tool.name)
    expect(names.slice(0, 2)).toEqual(['sd3_5_simple', 'tool_3d_hunyuan3d-v2_1'])
    expect(new Set(names).size).toBe(4)
    expect(tools.map(({ tool }) => tool.description)).toContain(
      'Runs the ComfyUI workflow "文生图"',
    )
  })

  it('names the line of a mapping', async () => {
    const text =
      '[\n {"name":"t","fields":[\n  {"name":"a",\n   "mapping":{"node":6,"attribute":"txt"}}]}]'
    const { findings } = await readFolder({ ...one([]), 'config/t.json': text })
    expect(findings.map(({ file: path, line }) => [path, line])).toEqual([['config/t.json', 4]])
  })

  it.each([
    [
      'a key nobody reads',
      one([field({ minimun: 1 })]),
      /a field has no "minimun"; remove it, or use one of/,
    ],
    [
      'a default beside a generator',
      mapped(3, 'seed', { type: 'integer', default: 1, generator: 'seed' }),
      /"default" is not used/,
    ],
    [
      'a limit JavaScript cannot hold',
      mapped(3, 'seed', { type: 'integer', maximum: 2 ** 64 }),
      /write 9007199254740991/,
    ],
    [
      'nothing that saves',
      file({ 1: node('KSampler', {}) }),
      /no node of the workflow writes a result/,
    ],
    [
      'a field whose name Anthropic refuses',
      one([field({ name: 'guide size' })]),
      /"guide size": Anthropic .*; use letters, digits/,
    ],
    [
      'a key that comes twice',
      config('[{"name":"t","title":"a","title":"b"}]'),
      /key is in .* already/,
    ],
    [
      'a node that comes twice',
      file('{"1":{"class_type":"SaveImage"},"1":{"class_type":"SaveImage"}}'),
      /node id comes a second time/,
    ],
  ])('keeps the tool and warns of %s', async (_, files, message) => {
    const { tools, findings } = await readFolder(files)
    expect(tools.map(({ tool }) => tool.name)).toEqual(['good', 't'])
    expect(findings.map(({ severity }) => severity)).toEqual(['warning'])
    expect(findings.map(formatFinding).join()).toMatch(message)
  })

  it('takes a list, an object with tools, a wrapped workflow and a workflow alone', async () => {
    const { tools, findings } = await readFolder({
      'config/a.json': { tools: [{ name: 'one', workflow: 'b.json' }, { name: 'two' }] },
      'workflows/b.json': { prompt: workflow(), client_id: 'x' },
      'workflows/two.json': workflow(),
      'workflows/my flow.json': workflow(),
      'workflows/.hidden.json': 'x',
      'workflows/notes.txt': 'x',
      'config/x.schema.json': 'x',
    })
    expect(findings).toEqual([])
    expect(tools.map(({ tool, workflow: name }) => [tool.name, name])).toEqual([
      ['one', 'b.json'],
      ['two', 'two.json'],
      ['my_flow', 'my flow.json'],
    ])
    const [wrapped] = tools
    const text = JSON.stringify({ prompt: workflow(), client_id: 'x' })
    expect(wrapped && injectValues(wrapped.tool, text, new Map())).toBe(JSON.stringify(workflow()))
  })

  it.each([
    ['an id', 6, 'text', 'new', ['6', 'inputs', 'text']],
    ['an id of any form', '57:27', 'inputs.width', 64, ['57:27', 'inputs', 'width']],
    ['the class of the only node', 'KSampler', 'seed', 5, ['3', 'inputs', 'seed']],
    ['a path', '57:27', 'inputs.size.deep.1.x', 5, ['57:27', 'inputs', 'size', 'deep', 1, 'x']],
    ['a path without inputs', '57:27', 'size.deep.0', 5, ['57:27', 'inputs', 'size', 'deep', 0]],
    ['a name with a dot', '57:27', 'a.b', 5, ['57:27', 'inputs', 'a.b']],
  ])('maps by %s', async (_, id, attribute, value, path) => {
    const type = typeof value === 'string' ? 'string' : 'integer'
    const { tools } = await readFolder(mapped(id, attribute, { type }))
    const tool = tools.find((entry) => entry.tool.name === 't')?.tool
    const text = JSON.stringify(workflow())
    const result = tool && injectValues(tool, text, new Map([['prompt', value]]))
    const wanted = workflow() as unknown
    const last = path.at(-1) as string
    const parent = path.slice(0, -1).reduce((at, key) => (at as never)[key], wanted) as Record<
      string,
      unknown
    >
    parent[last] = value
    expect(JSON.parse(result ?? '')).toEqual(wanted)
  })

  it('maps to a part of a dynamic input that is itself named inputs', async () => {
    const workflow = {
      1: { class_type: 'Dialogue', inputs: { inputs: '1', 'inputs.text1': 'Hi' } },
      2: { class_type: 'SaveAudio', inputs: { audio: ['1', 0] } },
    }
    const mapping = { node: '1', attribute: 'inputs.text1' }
    const { tools, findings } = await readFolder({
      'config/t.json': [{ name: 't', fields: [{ name: 'text1', default: 'Hi', mapping }] }],
      'workflows/t.json': workflow,
    })
    expect(findings).toEqual([])
    const tool = tools[0]?.tool
    const text = tool && injectValues(tool, JSON.stringify(workflow), new Map([['text1', 'Bye']]))
    expect(JSON.parse(text ?? '')).toMatchObject({ 1: { inputs: { 'inputs.text1': 'Bye' } } })
  })

  it('maps one field to several places', async () => {
    const mapping = [
      { node: 6, attribute: 'text' },
      { node: 7, attribute: 'text' },
    ]
    const { tools } = await readFolder(one([field({ mapping })]))
    const tool = tools.find((entry) => entry.tool.name === 't')?.tool
    const text = JSON.stringify(workflow())
    const result = tool && injectValues(tool, text, new Map([['prompt', 'both']]))
    const parsed = JSON.parse(result ?? '') as ReturnType<typeof workflow>
    expect([parsed['6'].inputs.text, parsed['7'].inputs.text]).toEqual(['both', 'both'])
  })
})

describe('with what a server says of its nodes', () => {
  const classes = {
    KSampler: toNodeClass({
      input: {
        required: {
          seed: ['INT', { min: 0, max: 18446744073709551615 }],
          cfg: ['FLOAT', { min: 0, max: 100 }],
          positive: ['CONDITIONING'],
          sampler_name: [['euler', 'dpm']],
        },
      },
      output: ['LATENT'],
    }),
    Encoder: toNodeClass({ input: {}, output: ['CONDITIONING'] }),
    Decoder: toNodeClass({ input: { required: { samples: ['LATENT'] } }, output: ['IMAGE'] }),
    SaveImage: toNodeClass({ input: { required: { images: ['IMAGE'] } }, output_node: true }),
  }
  const nodes = (inputs: Record<string, unknown> = {}) => ({
    '3': node('KSampler', {
      seed: 1,
      cfg: 7,
      sampler_name: 'euler',
      positive: ['6', 0],
      ...inputs,
    }),
    '6': node('Encoder', {}),
    '8': node('Decoder', { samples: ['3', 0] }),
    '9': node('SaveImage', { images: ['8', 0] }),
  })
  const check = async (fields: unknown[], flow: unknown = nodes()) => {
    const files = { 'config/t.json': [{ name: 't', fields }], 'workflows/t.json': flow }
    return (await readFolder(files, { classes })).findings.map(formatFinding)
  }
  const to = (attribute: string, more: Record<string, unknown>) => [
    field({ mapping: { node: 3, attribute }, ...more }),
  ]

  it.each([
    [
      'a text where an integer belongs',
      to('seed', {}),
      /"prompt" is of type string, and "seed" .* takes INT; make the field integer/,
    ],
    ['a number where an integer belongs', to('seed', { type: 'number' }), /takes INT/],
    [
      'a limit beyond the node’s',
      to('cfg', { type: 'number', maximum: 200 }),
      /may be 200, .* at most 100; use 100/,
    ],
    [
      'a limit below the node’s',
      to('cfg', { type: 'number', minimum: -1 }),
      /may be -1, .* at least 0/,
    ],
    [
      'a generator beyond the node’s limit',
      to('cfg', { type: 'integer', generator: 'random' }),
      /generated up to 2\^32 - 1.*; add "maximum": 100/,
    ],
    [
      'a choice there is not',
      to('sampler_name', { enum: ['euler', 'ddim'] }),
      /"ddim", which is not one of the choices .*; use one of "euler", "dpm"/,
    ],
  ])('finds %s', async (_, fields, message) => {
    expect((await check(fields)).join()).toMatch(message)
  })

  it.each([
    [
      'a class the server has not',
      { ...nodes(), '5': node('Nope', {}) },
      /the server has no node "Nope"/,
    ],
    [
      'an input that is missing',
      { ...nodes(), '3': node('KSampler', { seed: 1, cfg: 1, sampler_name: 'dpm' }) },
      /"positive" of .* is missing/,
    ],
    ['a value beyond the limit', nodes({ cfg: 101 }), /"cfg" of .* is larger than 100/],
    [
      'a model the server has not',
      nodes({ sampler_name: 'x.safetensors' }),
      /the server does not have "x.safetensors"/,
    ],
    [
      'no output',
      { '3': node('KSampler', { seed: 1, cfg: 1, sampler_name: 'dpm', positive: ['3', 0] }) },
      /no node of the workflow writes a result/,
    ],
  ])('finds %s', async (_, flow, message) => {
    expect((await check([], flow)).join()).toMatch(message)
  })

  it('finds nothing where all is well', async () => {
    const fields = [
      ...to('seed', { type: 'integer', generator: 'seed' }),
      ...to('cfg', { name: 'cfg', type: 'number', minimum: 1, maximum: 20, default: 7 }),
      ...to('sampler_name', { name: 'sampler', enum: ['euler'] }),
    ]
    expect(await check(fields)).toEqual([])
  })
})
