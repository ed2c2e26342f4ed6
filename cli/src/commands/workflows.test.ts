import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Simulator, startSimulator } from 'ftl-comfyui/simulator'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readServer } from './workflows-classes.ts'
import { workflowsFolder } from './workflows-folder.ts'
import { writeProposal } from './workflows-init.ts'
import { lintFolder } from './workflows-lint.ts'

const WORKFLOW = {
  '3': {
    class_type: 'KSampler',
    inputs: { seed: 1, steps: 25, cfg: 7, positive: ['5', 0], negative: ['7', 0] },
  },
  '5': { class_type: 'ConditioningCombine', inputs: { conditioning_1: ['6', 0] } },
  '6': { class_type: 'CLIPTextEncode', inputs: { text: 'a fox', clip: ['9', 0] } },
  '7': { class_type: 'CLIPTextEncode', inputs: { text: 'blur', clip: ['9', 0] } },
  '9': { class_type: 'SaveImage', inputs: { images: ['3', 0], filename_prefix: 'x' } },
  small: { class_type: 'EmptyLatentImage', inputs: { width: 64, height: 64 } },
  large: { class_type: 'EmptyLatentImage', inputs: { width: 64, height: 128 } },
}
interface Field {
  name: string
  mapping: unknown
  default?: unknown
  minimum?: number
  maximum?: number
  enum?: unknown[]
}

let folder: string
let file: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ftl-init-'))
  await mkdir(join(folder, 'workflows'))
  file = join(folder, 'workflows', 'my portrait.json')
  await writeFile(file, JSON.stringify(WORKFLOW))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const written = async (path = join(folder, 'config', 'my portrait.json')) => {
  const [tool] = JSON.parse(await readFile(path, 'utf8')) as {
    name: string
    workflow?: string
    fields: Field[]
  }[]
  return { ...tool, field: (name: string) => tool?.fields.find((field) => field.name === name) }
}

describe('ftl workflows init', () => {
  it('proposes what people change, beside the workflow, and the lint has nothing to say', async () => {
    const { fields } = await writeProposal(file, undefined, {})
    expect(fields.slice(0, 2)).toEqual(['positive_prompt', 'negative_prompt'])
    expect(fields).toEqual(expect.arrayContaining(['seed', 'steps', 'cfg', 'width', 'height']))
    expect(await lintFolder(folder, undefined)).toEqual({ tools: ['my_portrait'], findings: [] })
  })

  it('copies a workflow from elsewhere to where the component reads it', async () => {
    const elsewhere = join(folder, 'fox.json')
    await writeFile(elsewhere, JSON.stringify(WORKFLOW))
    const application = join(folder, 'tools/workflows')
    const { converted, output } = await writeProposal(elsewhere, undefined, { folder: application })
    expect(converted).toBe(join(application, 'workflows/fox.json'))
    expect(output).toBe(join(application, 'config/fox.json'))
    expect(await lintFolder(application, undefined)).toEqual({ tools: ['fox'], findings: [] })
    const again = writeProposal(elsewhere, undefined, { folder: application })
    await expect(again).rejects.toThrow('workflows/fox.json already exists')
  })

  it('takes the name of a file that is there, such as a template that was saved', async () => {
    const { converted, output } = await writeProposal('my portrait.json', undefined, { folder })
    expect(converted).toBeUndefined()
    expect(output).toBe(join(folder, 'config', 'my portrait.json'))
    const other = writeProposal('workflows/my portrait.json', undefined, { folder })
    await expect(other).rejects.toThrow('there is no')
  })

  it('writes nothing beside a download if there is no component to put it into', async () => {
    const elsewhere = join(folder, 'Downloads')
    await mkdir(elsewhere)
    const download = join(elsewhere, 'fox.json')
    await writeFile(download, JSON.stringify(WORKFLOW))
    await expect(writeProposal(download, undefined, {})).rejects.toThrow('ftl add comfyui')
    expect((await readdir(folder)).sort()).toEqual(['Downloads', 'workflows'])
    const output = join(elsewhere, 'tool.json')
    expect((await writeProposal(download, undefined, { output })).output).toBe(output)
  })

  it('finds the folder of a created application', async () => {
    expect(workflowsFolder(folder)).toBeUndefined()
    await mkdir(join(folder, 'tools/workflows'), { recursive: true })
    expect(workflowsFolder(folder)).toBe('tools/workflows')
  })

  it('tells prompts apart by where they lead, also through other nodes', async () => {
    await writeProposal(file, undefined, {})
    const { field } = await written()
    expect(field('positive_prompt')?.mapping).toEqual({ node: '6', attribute: 'text' })
    expect(field('negative_prompt')).toMatchObject({ mapping: { node: '7' }, default: 'blur' })
  })

  it('makes one field of inputs that are alike, and two of those that differ', async () => {
    await writeProposal(file, undefined, {})
    const { field } = await written()
    expect(field('width')?.mapping).toEqual([
      { node: 'small', attribute: 'width' },
      { node: 'large', attribute: 'width' },
    ])
    expect(field('height')?.default).toBe(64)
    expect(field('height_large')).toMatchObject({ default: 128, mapping: { node: 'large' } })
  })

  it('takes limits and choices from a server', async () => {
    const simulator = await startSimulator({ port: 0, renderSeconds: 0 })
    try {
      await writeProposal(file, await readServer({ comfyui: simulator.url }), {})
      const { field } = await written()
      expect(field('steps')).toMatchObject({ minimum: 1, maximum: 10_000 })
      expect(field('cfg')).toMatchObject({ minimum: 0, maximum: 100 })
    } finally {
      await simulator.close()
    }
  })

  it('overwrites nothing unless told to', async () => {
    await writeProposal(file, undefined, {})
    const path = join(folder, 'config', 'my portrait.json')
    await writeFile(path, 'mine')
    await expect(writeProposal(file, undefined, {})).rejects.toThrow('--force overwrites it')
    expect(await readFile(path, 'utf8')).toBe('mine')
    await writeProposal(file, undefined, { force: true })
    expect((await written()).name).toBe('my_portrait')
  })

  it('names the workflow where the configuration has another name', async () => {
    const output = join(folder, 'config', 'other.json')
    await writeProposal(file, undefined, { output })
    expect((await written(output)).workflow).toBe('my portrait.json')
  })

  // Two official templates.
  it.each([
    ['sd3.5_simple_example', 'sd3_5_simple_example'],
    ['3d_hunyuan3d-v2.1', 'tool_3d_hunyuan3d-v2_1'],
  ])('makes of %s a name that all providers of models take', async (stem, name) => {
    const path = join(folder, 'workflows', `${stem}.json`)
    await writeFile(path, JSON.stringify(WORKFLOW))
    const { output = '', renamed } = await writeProposal(path, undefined, {})
    expect(renamed).toBe(name)
    expect(await written(output)).toMatchObject({
      name,
      description: `Runs the ComfyUI workflow "${stem}"`,
    })
    const { tools, findings } = await lintFolder(folder, undefined)
    expect([tools.includes(name), findings]).toEqual([true, []])
  })

  it('takes a file named .JSON, as some systems write it', async () => {
    const loud = join(folder, 'workflows', 'workflow_api.JSON')
    await writeFile(loud, JSON.stringify(WORKFLOW))
    await writeProposal(loud, undefined, {})
    const { name, workflow } = await written(join(folder, 'config', 'workflow_api.json'))
    expect([name, workflow]).toEqual(['workflow_api', 'workflow_api.JSON'])
    expect((await lintFolder(folder, undefined)).tools).toContain('workflow_api')
  })

  it('makes nothing of a workflow that cannot be used, and says why', async () => {
    await writeFile(file, '{"nodes":[],"links":[]}')
    const { output, findings } = await writeProposal(file, undefined, {})
    expect(output).toBeUndefined()
    expect(findings[0]?.fix).toMatch(/File → Export \(API\)/)
  })
})

/** As the editor saves it: a note, a reroute, and values without names. */
const EDITOR = {
  nodes: [
    { id: 1, type: 'EmptyImage', widgets_values: [64, 32, 1, 255], outputs: [{ type: 'IMAGE' }] },
    { id: 8, type: 'Note', widgets_values: ['read me'] },
    { id: 9, type: 'Reroute', inputs: [{ name: '', type: '*', link: 1 }] },
    { id: 2, type: 'SaveImage', inputs: [{ name: 'images', link: 2 }], widgets_values: ['x'] },
  ],
  links: [
    [1, 1, 0, 9, 0, 'IMAGE'],
    [2, 9, 0, 2, 0, 'IMAGE'],
  ],
}

describe('a workflow that the editor saved', () => {
  let simulator: Simulator
  beforeAll(async () => {
    simulator = await startSimulator({ port: 0, renderSeconds: 0 })
  })
  afterAll(() => simulator.close())
  const server = () => readServer({ comfyui: simulator.url })
  const converted = () => join(folder, 'workflows', 'my portrait.api.json')

  it('becomes one in the API format beside it, and a tool that the lint takes', async () => {
    await writeFile(file, JSON.stringify(EDITOR))
    const { fields } = await writeProposal(file, await server(), {})
    expect(fields).toEqual(expect.arrayContaining(['width', 'height']))
    expect(JSON.parse(await readFile(converted(), 'utf8'))).toMatchObject({
      '1': { inputs: { width: 64, height: 32, batch_size: 1, color: 255 } },
      '2': { inputs: { images: ['1', 0], filename_prefix: 'x' } },
    })
    expect((await written()).workflow).toBe('my portrait.api.json')
    for (const checked of [undefined, await server()])
      expect(await lintFolder(folder, checked)).toEqual({ tools: ['my_portrait'], findings: [] })
  })

  it('is not written twice without --force', async () => {
    await writeFile(file, JSON.stringify(EDITOR))
    await writeFile(converted(), 'mine')
    await expect(writeProposal(file, await server(), {})).rejects.toThrow('--force overwrites it')
    expect(await readFile(converted(), 'utf8')).toBe('mine')
    await writeProposal(file, await server(), { force: true })
    expect(JSON.parse(await readFile(converted(), 'utf8'))).toHaveProperty('1')
  })

  it('makes nothing if the server lacks a node, and names it', async () => {
    const nodes = [...EDITOR.nodes, { id: 5, type: 'Nope' }]
    await writeFile(file, JSON.stringify({ ...EDITOR, nodes }))
    const { output, findings } = await writeProposal(file, await server(), {})
    expect(output).toBeUndefined()
    expect(findings[0]?.message).toBe('the server has no node "Nope" (node "5")')
    expect((await readdir(join(folder, 'workflows'))).sort()).toEqual(['my portrait.json'])
  })

  it('is reported by the lint, with what the server lacks besides', async () => {
    const nodes = [...EDITOR.nodes, { id: 5, type: 'Nope' }]
    await writeFile(file, JSON.stringify({ ...EDITOR, nodes }))
    const { findings } = await lintFolder(folder, await server())
    expect(findings.map(({ message }) => message)).toEqual([
      'this is the format of the ComfyUI editor',
      'the server has no node "Nope" (node "5")',
    ])
    expect(findings[0]?.fix).toContain('ftl workflows init')
  })
})

describe('what a server has', () => {
  it.each([
    [
      'a file that is not there',
      { objectInfo: '/nowhere/info.json' },
      /does not exist, or is not JSON/,
    ],
    ['a server that does not answer', { comfyui: 'http://127.0.0.1:1' }, /could not be reached/],
  ])('is not to be had from %s', async (_, flags, message) => {
    await expect(readServer(flags)).rejects.toThrow(message)
  })

  it('is not to be had from a file of another kind', async () => {
    const path = join(folder, 'info.json')
    await writeFile(path, '[]')
    await expect(readServer({ objectInfo: path })).rejects.toThrow(
      /not an answer to GET \/object_info/,
    )
  })
})

describe('ftl workflows lint', () => {
  it('needs a folder with tools', async () => {
    await expect(lintFolder(join(folder, 'workflows'), undefined)).rejects.toThrow(
      /neither config\/ nor workflows\//,
    )
  })

  it('reports a file that is no UTF-8', async () => {
    await writeFile(join(folder, 'workflows', 'b.json'), Buffer.from([0x7b, 0xff, 0x7d]))
    const { findings, tools } = await lintFolder(folder, undefined)
    expect(tools).toEqual(['my_portrait'])
    expect(findings.map(({ file: path, message }) => [path, message])).toEqual([
      ['workflows/b.json', 'the file cannot be read'],
    ])
  })
})
