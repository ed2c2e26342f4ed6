import { readFileSync } from 'node:fs'
import { type Simulator, startSimulator } from 'ftl-comfyui/simulator'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { machine, type MachineOptions, textOf } from './testing/machine.ts'

let one: Simulator
let two: Simulator
beforeAll(async () => {
  ;[one, two] = await Promise.all([
    startSimulator({ port: 0, renderSeconds: 0 }),
    startSimulator({ port: 0, renderSeconds: 0 }),
  ])
})
afterAll(() => Promise.all([one.close(), two.close()]))

const DOWN = 'http://127.0.0.1:1'

interface Options extends MachineOptions {
  /** `comfyui_url`. @default both */
  url?: string
  /** Answers in place of a server; `undefined`: it answers itself. */
  answer?: (url: URL, init?: RequestInit) => Response | undefined
}

function open({ url = `${one.url},${two.url}`, answer, variables, servers }: Options = {}) {
  return machine(url, {
    servers,
    variables: { comfyui_run_workflow: 'true', ...variables },
    network: async (input, init) => {
      return answer?.(new URL(new Request(input).url), init) ?? fetch(input, init)
    },
  })
}

const isOn = ({ origin }: URL, { url }: Simulator) => origin === url

describe('list_models', () => {
  const more = (url: URL) =>
    isOn(url, two) && url.pathname === '/api/models/loras'
      ? Response.json(['pixel-art.safetensors', 'own.safetensors', '__proto__'])
      : undefined

  it('lists what all servers have, and says which has what', async () => {
    const result = await open({ answer: more }).call('list_models', { folder: 'loras' })
    expect(result.structuredContent).toEqual({
      models: ['more-detail.safetensors', 'pixel-art.safetensors', 'own.safetensors', '__proto__'],
      total: 4,
      not_on_all: [
        { name: 'more-detail.safetensors', servers: [1] },
        { name: 'own.safetensors', servers: [2] },
        { name: '__proto__', servers: [2] },
      ],
    })
    expect(textOf(result)).toContain('own.safetensors (only on server 2)')
    expect(textOf(result)).toMatch(/^pixel-art\.safetensors$/m)
  })

  it('says nothing about servers where all have the same', async () => {
    const { structuredContent } = await open().call('list_models', { folder: 'checkpoints' })
    expect(structuredContent).toEqual({ models: ['sd_xl_base_1.0.safetensors'], total: 1 })
  })

  it('knows a folder that only a later server has', async () => {
    const answer = (url: URL) =>
      isOn(url, two) && url.pathname === '/api/models' ? Response.json(['own']) : undefined
    const own = (url: URL) =>
      answer(url) ??
      (url.pathname === '/api/models/own' ? Response.json(['a.safetensors']) : undefined)
    const on = open({ answer: own })
    expect((await on.call('list_models', { folder: 'own' })).structuredContent).toMatchObject({
      models: ['a.safetensors'],
    })
    expect(on.sent).not.toContain(`GET ${one.url}/api/models/own`)
  })

  it('lists those of the servers that answer, and fails if none does', async () => {
    const partly = await open({ url: `${DOWN},${two.url}` }).call('list_models')
    expect(partly.structuredContent).toMatchObject({
      folders: expect.arrayContaining(['loras']) as unknown,
      silent: [1],
    })
    expect(textOf(partly)).toContain('(Server 1: The ComfyUI server could not be reached.)')
    const none = await open({ url: `${DOWN},${DOWN}0` }).call('list_models')
    expect([none.isError, textOf(none)]).toEqual([
      true,
      'Service error: The ComfyUI server could not be reached.',
    ])
  })
})

describe('nodes', () => {
  const own = {
    OwnNode: {
      display_name: 'Own node',
      category: 'own',
      input: { required: { lora: [['b.safetensors', 'a.safetensors'], {}] } },
      output: ['IMAGE'],
    },
  }
  const lora = (...names: string[]) => ({
    OwnNode: { ...own.OwnNode, input: { required: { lora: [names, {}] } } },
  })

  it('of every server are found, with the servers that have them', async () => {
    const answer = (url: URL) =>
      isOn(url, two) && url.pathname === '/api/object_info' ? Response.json(own) : undefined
    const result = await open({ answer }).call('search_nodes', { query: 'own' })
    expect(result.structuredContent).toMatchObject({
      nodes: expect.arrayContaining([expect.objectContaining({ name: 'OwnNode' })]) as unknown,
      not_on_all: expect.arrayContaining([{ name: 'OwnNode', servers: [2] }]) as unknown,
    })
    expect(textOf(result)).toContain('OwnNode (Own node; own) (only on server 2)')
  })

  it('are described with the choices of all servers', async () => {
    const answer = (url: URL) => {
      if (url.pathname !== '/api/object_info/OwnNode') return undefined
      return Response.json(isOn(url, one) ? lora('a') : lora('b', 'a', 'c'))
    }
    const { structuredContent } = await open({ answer }).call('describe_node', { name: 'OwnNode' })
    expect(structuredContent).toMatchObject({
      servers: [1, 2],
      inputs: { lora: { choices: ['a', 'b', 'c'], choicesTotal: 3 } },
    })
  })

  it('that only one server has are described; that none has are refused', async () => {
    const answer = (url: URL) =>
      isOn(url, two) && url.pathname.endsWith('/OwnNode') ? Response.json(own) : undefined
    const on = open({ answer })
    const { structuredContent } = await on.call('describe_node', { name: 'OwnNode' })
    expect(structuredContent).toMatchObject({ servers: [2] })
    const none = textOf(await on.call('describe_node', { name: '__proto__' }))
    expect(none).toContain('no server has a node "__proto__"')
  })
})

describe('the state of the servers', () => {
  it('names the servers of servers.json, and never shows an address', async () => {
    const servers = [
      { name: 'gpu1', url: one.url },
      { name: 'gpu2', url: DOWN },
    ]
    const on = open({ servers, url: '' })
    const queue = await on.call('queue_status')
    expect(queue.structuredContent).toEqual({
      servers: [
        { server: 1, name: 'gpu1', remaining: 0 },
        { server: 2, name: 'gpu2', error: 'The ComfyUI server could not be reached.' },
      ],
    })
    expect(textOf(queue)).toContain('Server 2 (gpu2): ')
    const stats = await on.call('server_stats')
    expect(stats.structuredContent).toMatchObject({
      servers: [{ name: 'gpu1', version: '0.33.0' }, { name: 'gpu2' }],
    })
    expect(JSON.stringify([queue, stats])).not.toMatch(/127\.0\.0\.1/)
  })

  it('is changed on one server if the call names it', async () => {
    const on = open({ variables: { comfyui_free_memory: 'true' } })
    const { structuredContent } = await on.call('free_memory', { server: 2 })
    expect(structuredContent).toEqual({ servers: [{ server: 2 }] })
    expect(on.sent).toEqual([`POST ${two.url}/api/free`])
    const wrong = await on.call('free_memory', { server: 3 })
    expect(textOf(wrong)).toContain('server: must be 1 to 2')
    expect(on.sent).toHaveLength(1)
  })
})

describe('servers.json', () => {
  const keyed = [{ name: 'gpu1', url: 'http://gpu1', auth: { variable: 'gpu1_key' } }]

  it('gives each server its own key', async () => {
    const seen: (string | null)[] = []
    const answer = (_: URL, init?: RequestInit) => {
      seen.push(new Headers(init?.headers).get('authorization'))
      return Response.json({ exec_info: { queue_remaining: 0 } })
    }
    const servers = [...keyed, { name: 'gpu2', url: 'http://gpu2' }]
    const variables = { gpu1_key: 's3cret', comfyui_auth: 'Authorization: other' }
    await open({ servers, variables, answer, url: '' }).call('queue_status')
    expect(seen).toEqual(['Bearer s3cret', null])
  })

  it('leaves out a server without its key, and tells only the operator', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    try {
      const offer = await open({ servers: keyed, url: '' }).list()
      expect(offer.tools ?? []).toEqual([])
      const logged = warn.mock.calls.join('\n')
      expect(logged).toContain('generate-image/servers.json: 0.auth.variable: variable "gpu1_key"')
      expect(JSON.stringify(offer)).not.toContain('gpu1')
    } finally {
      warn.mockRestore()
    }
  })

  it('is mounted for the component by spin.toml', () => {
    const manifest = readFileSync(new URL('../../../spin.toml', import.meta.url), 'utf8')
    const [, section = ''] = manifest.split('[component.comfyui]\n')
    expect(section.split('[component.comfyui.variables]')[0]).toContain(
      'destination = "/generate-image"',
    )
  })
})
