import { type Simulator, startSimulator } from 'ftl-comfyui/simulator'
import type { Offer, ToolResult } from 'ftl-contract'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { call, type Machine, machine, start, statusOf } from './testing/machine.ts'

let simulator: Simulator
beforeAll(async () => {
  simulator = await startSimulator({ port: 0, renderSeconds: 0 })
})
afterAll(() => simulator.close())

interface Sent {
  prompt: Record<string, { class_type: string; inputs: Record<string, unknown> }>
}

/** A machine that keeps the prompts that it sends. */
function recorded(variables: Record<string, string> = {}) {
  const sent: Sent[] = []
  const on = machine(simulator.url, {
    variables,
    fetch: async (input, init) => {
      const isPrompt = new Request(input).url.endsWith('/prompt') && init?.method === 'POST'
      if (isPrompt) sent.push(JSON.parse(init.body as string) as Sent)
      return fetch(input, init)
    },
  })
  return { on, sent }
}

async function propertiesOf(on: Machine) {
  const offer = (await (await call(on, '/')).json()) as Offer
  const tool = offer.tools?.find(({ name }) => name === 'generate_image')
  return tool?.inputSchema.properties as Record<string, Record<string, unknown>>
}

describe('model, LoRAs, sampler and scheduler', () => {
  it('are enums with the lists of the server', async () => {
    const { model, loras, sampler, scheduler } = await propertiesOf(machine(simulator.url))
    expect(model?.enum).toEqual(['sd_xl_base_1.0.safetensors'])
    expect(loras).toMatchObject({
      maxItems: 4,
      items: {
        properties: { name: { enum: ['more-detail.safetensors', 'pixel-art.safetensors'] } },
      },
    })
    expect(sampler?.enum).toContain('dpmpp_2m')
    expect(scheduler?.enum).toContain('karras')
  })

  it('go into the workflow; LoRAs between the loader and what uses it', async () => {
    const { on, sent } = recorded()
    const { id } = await start(on, {
      prompt: 'a fox',
      model: 'sd_xl_base_1.0.safetensors',
      loras: [
        { name: 'more-detail.safetensors' },
        { name: 'pixel-art.safetensors', strength: 0.5 },
      ],
      sampler: 'dpmpp_2m',
      scheduler: 'karras',
    })
    await expect.poll(statusOf(on, id), { timeout: 8000 }).toBe('completed')
    const nodes = Object.values(sent[0]?.prompt ?? {})
    const of = (type: string) => nodes.filter(({ class_type }) => class_type === type)
    expect(of('KSampler')[0]?.inputs).toMatchObject({
      sampler_name: 'dpmpp_2m',
      scheduler: 'karras',
    })
    expect(of('LoraLoader').map(({ inputs }) => [inputs.lora_name, inputs.strength_model])).toEqual(
      [
        ['more-detail.safetensors', 1],
        ['pixel-art.safetensors', 0.5],
      ],
    )
    const [loader] = Object.entries(sent[0]?.prompt ?? {}).filter(
      ([, { class_type }]) => class_type === 'CheckpointLoaderSimple',
    )
    const users = nodes.filter(({ inputs }) =>
      Object.values(inputs).some(
        (value) => Array.isArray(value) && value[0] === loader?.[0] && Number(value[1]) < 2,
      ),
    )
    expect(users.map(({ class_type }) => class_type)).toEqual(['LoraLoader'])
  })

  it('leave the workflow as it is when they are absent, and ask the server nothing', async () => {
    const { on, sent } = recorded()
    await start(on, { prompt: 'a fox' })
    expect(Object.values(sent[0]?.prompt ?? {}).map(({ class_type }) => class_type)).not.toContain(
      'LoraLoader',
    )
    expect(on.requests.filter((request) => request.includes('object_info'))).toEqual([])
  })

  it.each([
    [{ model: '../../secret.safetensors' }, 'model: no ComfyUI server has "../../secret'],
    [{ loras: [{ name: 'x.safetensors' }] }, 'loras: no ComfyUI server has "x.safetensors"'],
    [{ sampler: '__proto__' }, 'sampler: no ComfyUI server has "__proto__"'],
    [{ scheduler: 'constructor' }, 'scheduler: no ComfyUI server has "constructor"'],
  ])('that no server has are refused, and nothing of them is stored: %j', async (args, message) => {
    const { on, sent } = recorded()
    const store = await on.platform.openKeyValue('default')
    const keys = async () => (await store.keys()).filter((key) => key.startsWith('comfy:info:'))
    const response = await call(on, '/generate_image', {
      method: 'POST',
      body: { prompt: 'a fox', ...args },
    })
    const result = (await response.json()) as ToolResult
    expect(JSON.stringify(result)).toContain(JSON.stringify(message).slice(1, -1))
    expect(sent).toEqual([])
    expect(await keys()).toEqual([])
  })

  it('of a server with too many for an enum are strings that point to list_models', async () => {
    const names = Array.from({ length: 3000 }, (_, index) => `style-${index}.safetensors`)
    const on = machine('http://comfyui', {
      fetch: async (input) => {
        const name = new Request(input).url.split('/').at(-1) ?? ''
        const required = { ckpt_name: [names], lora_name: [names], sampler_name: [['euler']] }
        return Response.json({ [name]: { input: { required }, output: [] } })
      },
    })
    const { model, sampler } = await propertiesOf(on)
    expect(model).not.toHaveProperty('enum')
    expect(model?.description).toMatch(/One of 3000: list_models lists them/)
    expect(sampler?.enum).toEqual(['euler'])
  })

  it('are strings while the server is down, and the list of tools does not wait for it', async () => {
    const hanging = () => new Promise<Response>(() => {})
    const on = machine('http://comfyui', { fetch: hanging })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    let limits = 0
    let answered = false
    const asking = propertiesOf(on).finally(() => (answered = true))
    while (!answered) {
      await new Promise((resolve) => setImmediate(resolve))
      if (vi.getTimerCount() === 0) continue
      limits++
      await vi.advanceTimersByTimeAsync(1_000)
    }
    vi.useRealTimers()
    // One for all lists, and one for whether the render types can run. They may begin at different times.
    expect(limits).toBeLessThanOrEqual(2)
    const { model } = await asking
    expect(model).toMatchObject({ type: 'string' })
    expect(model).not.toHaveProperty('enum')
    const asked = on.requests.length
    await propertiesOf(on)
    expect(on.requests).toHaveLength(asked)
  })
})
