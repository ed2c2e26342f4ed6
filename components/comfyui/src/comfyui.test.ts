import { readFileSync } from 'node:fs'
import { type Simulator, startSimulator } from 'ftl-comfyui/simulator'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  machine as openMachine,
  type MachineOptions,
  PNG,
  SWITCHED_ON,
  textOf,
  WORKFLOW,
} from './testing/machine.ts'

let simulator: Simulator
beforeAll(async () => {
  simulator = await startSimulator({ port: 0, renderSeconds: 0 })
})
afterAll(() => simulator.close())

const machine = (options: MachineOptions = {}) => openMachine(simulator.url, options)

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

describe('a file of POST /uploads', () => {
  it('cannot be named in a workflow, because only its sender may use it', async () => {
    const image = 'MCP//uploads/0123456789abcdef0123456789abcdef.png'
    const workflow = { ...WORKFLOW, '3': { class_type: 'LoadImage', inputs: { image } } }
    const result = await machine({ variables: SWITCHED_ON }).call('run_workflow', { workflow })
    expect(result.isError).toBe(true)
    expect(textOf(result)).toContain('image of node 3 must be the address of an upload')
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
