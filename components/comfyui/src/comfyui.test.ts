import { readFileSync } from 'node:fs'
import type { JobRecord, Offer, ToolResult } from 'ftl-contract'
import { type Simulator, startSimulator } from 'ftl-comfyui/simulator'
import { memoryPlatform } from 'ftl-platform/memory'
import { toComponent } from 'ftl-sdk/serve'
import { encode } from 'fast-png'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as entry from './main.ts'

let simulator: Simulator
beforeAll(async () => {
  simulator = await startSimulator({ port: 0, renderSeconds: 0 })
})
afterAll(() => simulator.close())

const component = toComponent(entry, 'comfyui')

interface Options {
  variables?: Record<string, string>
  network?: typeof fetch
}

/** The component on a platform in memory; `asked` are the paths it requested. */
function machine({ variables = {}, network = fetch }: Options = {}) {
  const asked: string[] = []
  let offset = 0
  const platform = memoryPlatform({
    variables: { comfyui_url: simulator.url, ...variables },
    now: () => Date.now() + offset,
    fetch: (input, init) => {
      asked.push(new URL(new Request(input).url).pathname)
      return network(input, init)
    },
  })
  const ask = async (path: string, init?: RequestInit): Promise<unknown> => {
    const url = `http://comfyui.spin.internal${path}`
    return (await component.fetch(new Request(url, init), platform)).json()
  }
  return {
    asked,
    list: () => ask('/') as Promise<Offer>,
    call: (tool: string, args: unknown = {}) =>
      ask(`/${tool}`, { method: 'POST', body: JSON.stringify(args) }) as Promise<ToolResult>,
    async start(tool: string, args: unknown) {
      const headers = { prefer: 'respond-async' }
      const init = { method: 'POST', body: JSON.stringify(args), headers }
      return ((await ask(`/${tool}`, init)) as { job: JobRecord }).job
    },
    look(id: string) {
      offset += 1001
      return ask(`/jobs/${id}`) as Promise<JobRecord>
    },
  }
}

function textOf({ content }: ToolResult): string {
  return content.map((item) => (item.type === 'text' ? String(item.text) : '')).join('\n')
}

const PNG = encode({ width: 4, height: 3, data: new Uint8Array(36), channels: 3 })
const WORKFLOW = {
  '1': { class_type: 'EmptyImage', inputs: { width: 8, height: 8, batch_size: 1, color: 255 } },
  '2': { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'x' } },
}
const SWITCHED_ON = { comfyui_run_workflow: 'true', comfyui_free_memory: 'true' }

describe('the list of tools', () => {
  const names = async (variables: Record<string, string>) =>
    (await machine({ variables }).list()).tools?.map(({ name }) => name)

  it('has the tools that affect every user only where they are turned on', async () => {
    const always = ['upload_image', 'list_models', 'search_nodes', 'describe_node']
    const state = ['queue_status', 'server_stats']
    expect(await names({})).toEqual([...always, ...state])
    expect(await names({ comfyui_free_memory: 'TRUE', comfyui_run_workflow: '1' })).toEqual([
      ...always,
      ...state,
    ])
    expect(await names(SWITCHED_ON)).toEqual([...always, ...state, 'free_memory', 'run_workflow'])
  })

  it('is empty without a server, and marks the tool that destroys something', async () => {
    expect(await names({ comfyui_url: '' })).toEqual([])
    const { tools = [] } = await machine({ variables: SWITCHED_ON }).list()
    const destructive = tools.filter(({ annotations }) => annotations?.destructiveHint)
    expect(destructive.map(({ name }) => name)).toEqual(['free_memory'])
  })

  it.each([
    ['free_memory', {}],
    ['run_workflow', { workflow: WORKFLOW }],
  ])('%s cannot be called by its name when it is off', async (tool, args) => {
    const { asked, call } = machine()
    const result = await call(tool, args)
    expect(result.isError).toBe(true)
    expect(textOf(result)).toContain(`${tool} is turned off`)
    expect(asked).toEqual([])
  })
})

describe('upload_image', () => {
  it('returns the name of the image on the server, the same one each time', async () => {
    const { call } = machine()
    const image = `data:image/png;base64,${Buffer.from(PNG).toString('base64')}`
    const { structuredContent } = await call('upload_image', { image })
    const { name } = structuredContent as { name: string }
    expect(structuredContent).toEqual({ name, width: 4, height: 3, format: 'png' })
    expect(name).toMatch(/^mcp\/[0-9a-f]{32}\.png$/)
    const query = new URLSearchParams({ filename: name.slice(4), subfolder: 'mcp', type: 'input' })
    const stored = await fetch(`${simulator.url}/api/view?${query}`)
    expect(await stored.bytes()).toEqual(PNG)
    expect((await call('upload_image', { image })).structuredContent).toMatchObject({ name })
  })

  it.each(['http://169.254.169.254/', 'https://127.0.0.1/x', 'mcp/x.png', 'file:///etc/passwd'])(
    'refuses %s without a request',
    async (image) => {
      const { asked, call } = machine()
      expect((await call('upload_image', { image })).isError).toBe(true)
      expect(asked).toEqual([])
    },
  )
})

describe('list_models', () => {
  it('lists the folders, and the files of one', async () => {
    const { call } = machine()
    const folders = await call('list_models')
    expect(folders.structuredContent).toMatchObject({
      folders: expect.arrayContaining(['checkpoints', 'loras']) as unknown,
    })
    const { structuredContent } = await call('list_models', {
      folder: 'checkpoints',
      search: 'SD_XL',
    })
    expect(structuredContent).toEqual({ models: ['sd_xl_base_1.0.safetensors'], total: 1 })
  })

  it('shows at most the limit, and says how many there are', async () => {
    const files = Array.from({ length: 3000 }, (_, index) => `style-${index}.safetensors`)
    const network: typeof fetch = async (input) =>
      Response.json(new Request(input).url.endsWith('/models') ? ['loras'] : files)
    const result = await machine({ network }).call('list_models', { folder: 'loras', limit: 5 })
    expect(result.structuredContent).toEqual({ models: files.slice(0, 5), total: 3000 })
    expect(textOf(result)).toContain('3000 in all')
  })

  it.each(['../prompt', 'zzz', 'checkpoints/../../x'])('has no folder %s', async (folder) => {
    const { asked, call } = machine()
    const result = await call('list_models', { folder })
    expect(textOf(result)).toMatch(/folder: must be one of checkpoints, /)
    expect(asked).toEqual(['/api/models'])
  })
})

describe('nodes', () => {
  it('are found by their words, those with the words in their name first', async () => {
    const { asked, call } = machine()
    const { structuredContent } = await call('search_nodes', { query: 'save image' })
    const { nodes } = structuredContent as { nodes: { name: string }[] }
    expect(nodes[0]).toMatchObject({ name: 'SaveImage', title: 'Save Image' })
    expect((await call('search_nodes', { query: 'xyzzy' })).structuredContent).toEqual({
      nodes: [],
      total: 0,
    })
    // The description of all nodes is megabytes: it is requested once.
    expect(asked).toEqual(['/api/object_info'])
  })

  it('are described with their inputs, their limits and some of their choices', async () => {
    const recorded = new URL('../../../test/fixtures/recordings/0.33.0.json', import.meta.url)
    const { entries } = JSON.parse(readFileSync(recorded, 'utf8')) as {
      entries: { request?: { path?: string }; response?: { json?: unknown } }[]
    }
    const answer = entries.find(({ request }) => request?.path === '/api/object_info/KSampler')
    const network: typeof fetch = async () => Response.json(answer?.response?.json)
    const on = machine({ network })
    const { structuredContent } = await on.call('describe_node', { name: 'KSampler' })
    expect(structuredContent).toMatchObject({
      name: 'KSampler',
      outputs: ['LATENT'],
      inputs: { steps: { type: 'INT', min: 1, max: 10000, default: 20 } },
    })
    const { inputs } = structuredContent as {
      inputs: Record<string, { choices?: unknown[]; choicesTotal?: number }>
    }
    expect(inputs.sampler_name?.choices).toContain('euler')
    expect(inputs.sampler_name?.choices?.length).toBeLessThanOrEqual(40)
    expect(inputs.sampler_name?.choicesTotal).toBeGreaterThan(40)
  })

  it.each(['Nope', '__proto__', 'constructor', '../models'])('%s is not one', async (name) => {
    const result = await machine().call('describe_node', { name })
    expect(textOf(result)).toContain('the server has no node')
  })
})

describe('the state of the servers', () => {
  it('is reported for each, and a server that is down has its error', async () => {
    const variables = { comfyui_url: `${simulator.url}, http://127.0.0.1:1` }
    const queue = await machine({ variables }).call('queue_status')
    expect(queue.structuredContent).toEqual({
      servers: [
        { server: 1, remaining: 0 },
        { server: 2, error: 'The ComfyUI server could not be reached.' },
      ],
    })
  })

  it('shows neither the command line nor an address', async () => {
    const secrets = { argv: ['main.py', '--token', 'secret'], python_version: '/home/ann/python' }
    const network: typeof fetch = async () =>
      Response.json({
        system: { comfyui_version: '0.33.0', ram_total: 1, ram_free: 1, ...secrets },
        devices: [{ name: 'cuda:0', type: 'cuda', vram_total: 24, vram_free: 8, path: '/dev/x' }],
      })
    const result = await machine({ network }).call('server_stats')
    expect(result.structuredContent).toEqual({
      servers: [
        {
          server: 1,
          version: '0.33.0',
          memoryTotal: 1,
          memoryFree: 1,
          devices: [{ name: 'cuda:0', type: 'cuda', memoryTotal: 24, memoryFree: 8 }],
        },
      ],
    })
    expect(JSON.stringify(result)).not.toMatch(/secret|ann|127\.0/)
  })

  it('is freed when the tool is turned on', async () => {
    const { asked, call } = machine({ variables: SWITCHED_ON })
    expect((await call('free_memory')).structuredContent).toEqual({ servers: [{ server: 1 }] })
    expect(asked).toEqual(['/api/free'])
  })
})

describe('run_workflow', () => {
  const open = (options: Options = {}) => machine({ variables: SWITCHED_ON, ...options })

  it('runs a workflow and returns its files', async () => {
    const on = open()
    const { id } = await on.start('run_workflow', { workflow: WORKFLOW })
    await expect.poll(async () => (await on.look(id)).status, { timeout: 8000 }).toBe('completed')
    const { result } = await on.look(id)
    expect(result?.structuredContent).toEqual({
      outputs: [{ url: `/outputs/${id}.png`, mimeType: 'image/png' }],
    })
  })

  const save = WORKFLOW['2']
  const image = WORKFLOW['1']
  it.each([
    [
      'a node that the server does not have',
      { ...WORKFLOW, '1': { ...image, class_type: 'Nope' } },
      /the server has no node "Nope" \(node "1"\)/,
    ],
    [
      'a missing input',
      { '1': image, '2': { ...save, inputs: { images: ['1', 0] } } },
      /"filename_prefix" of node "2" \(SaveImage\) is missing/,
    ],
    [
      'a value out of range',
      { ...WORKFLOW, '1': { ...image, inputs: { ...image.inputs, width: 0 } } },
      /"width" of node "1" \(EmptyImage\) is smaller than 1/,
    ],
    [
      'a link to nothing',
      { '2': { ...save, inputs: { ...save.inputs, images: ['9', 0] } } },
      /linked to node "9", which is not there/,
    ],
    ['no node that writes a result', { '1': image }, /no node of the workflow writes a result/],
    ['no nodes', {}, /has no nodes/],
    [
      'the format of the editor',
      { nodes: [], links: [] },
      /Export it with "File → Export \(API\)"/,
    ],
    ['a node without a class', { '1': {} }, /Node "1" of the workflow has no "class_type"/],
    [
      'too many nodes',
      Object.fromEntries(Array.from({ length: 257 }, (_, id) => [`n${id}`, image])),
      /has 257 nodes; at most 256/,
    ],
    [
      'too many bytes',
      {
        ...WORKFLOW,
        '2': { ...save, inputs: { ...save.inputs, filename_prefix: 'x'.repeat(600_000) } },
      },
      /has more than 512 KB/,
    ],
  ])('refuses %s, in words, and sends nothing', async (_, workflow, message) => {
    const { asked, call } = open()
    const result = await call('run_workflow', { workflow })
    expect(result.isError).toBe(true)
    expect(textOf(result)).toMatch(message)
    expect(asked).not.toContain('/api/prompt')
  })

  it('names every problem, of many only the first', async () => {
    const broken = { ...image, inputs: { ...image.inputs, width: 0, height: 0 } }
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, id) => [`n${id}`, broken]))
    const result = await open().call('run_workflow', {
      workflow: { ...many, '2': { ...save, inputs: { ...save.inputs, images: ['n0', 0] } } },
    })
    expect(textOf(result).match(/is smaller than 1/g)).toHaveLength(20)
    expect(textOf(result)).toContain('and 40 more')
  })
})
