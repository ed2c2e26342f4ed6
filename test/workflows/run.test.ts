// Workflows that need no model, run on the simulator as both recorded versions, or on the server at COMFYUI_URL.
import { decode } from 'fast-png'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callTool, post, type RpcAnswer } from '../support/rpc.ts'
import {
  CANNOT_RUN,
  startWorkflows,
  type WorkflowApplication,
  type WorkflowOptions,
} from './application.ts'

const real = process.env['COMFYUI_URL']
const SERVERS: [string, NonNullable<WorkflowOptions['comfyui']>][] = real
  ? [['ComfyUI at COMFYUI_URL', { url: real }]]
  : [
      ['the simulator of ComfyUI 0.33.0', { version: '0.33.0' }],
      ['the simulator of ComfyUI 0.3.64', { version: '0.3.64' }],
    ]

const link = (id: string) => [id, 0]
const WORKFLOW = {
  below: { class_type: 'EmptyImage', inputs: { width: 32, height: 32, batch_size: 1, color: 0 } },
  'group:4': {
    class_type: 'ImageScale',
    inputs: {
      image: link('below'),
      upscale_method: 'nearest-exact',
      width: 8,
      height: 8,
      crop: 'disabled',
    },
  },
  save: {
    class_type: 'SaveImage',
    inputs: { images: link('group:4'), filename_prefix: 'mcp/tools' },
  },
  again: {
    class_type: 'SaveImage',
    inputs: { images: link('below'), filename_prefix: 'mcp/tools' },
  },
  text: { class_type: 'PrimitiveStringMultiline', inputs: { value: '' } },
  echo: { class_type: 'PreviewAny', inputs: { source: link('text') } },
}
const CONFIG = [
  {
    name: 'paint',
    fields: [
      { name: 'prompt', required: true, mapping: { node: 'text', attribute: 'value' } },
      {
        name: 'seed',
        type: 'integer',
        maximum: 0xffffff,
        mapping: { node: 'EmptyImage', attribute: 'color' },
        generator: { type: 'seed', options: { min: 1, max: 0xffffff } },
      },
      {
        name: 'width',
        type: 'integer',
        default: 24,
        mapping: { node: 'group:4', attribute: 'width' },
      },
      {
        name: 'height',
        required: false,
        type: 'integer',
        mapping: { node: 'group:4', attribute: 'inputs.height' },
      },
    ],
  },
]
interface Outcome {
  resultUrl: string
  outputs: { url: string; mimeType: string; kind: string }[]
  texts: string[]
  params: Record<string, unknown>
  seed: number
}

describe.skipIf(CANNOT_RUN).each(SERVERS)('on %s', (_, comfyui) => {
  let app: WorkflowApplication
  beforeAll(async () => {
    app = await startWorkflows({ comfyui })
    await app.put('config/paint.json', CONFIG)
    await app.put('workflows/paint.json', WORKFLOW)
  })
  afterAll(() => app.close())

  it('puts every argument where it belongs, and gives all outputs', async () => {
    const outcome = outcomeOf(
      await wait(app.url, { prompt: 'a "red" fox', seed: 0x336699, height: 40 }),
    )
    expect(outcome.params).toEqual({ prompt: 'a "red" fox', seed: 0x336699, width: 24, height: 40 })
    expect(outcome.seed).toBe(0x336699)
    expect(outcome.texts).toEqual(['a "red" fox'])
    expect(outcome.outputs).toHaveLength(2)
    expect(outcome.outputs[0]?.url).toBe(outcome.resultUrl)
    const pictures = await Promise.all(outcome.outputs.map(({ url }) => read(url)))
    const sizes = pictures.map(({ width, height }) => [width, height]).sort()
    expect(sizes).toEqual([
      [24, 40],
      [32, 32],
    ])
    for (const { data } of pictures) expect([...data.slice(0, 3)]).toEqual([0x33, 0x66, 0x99])
  })

  it('says the seed it chose, which makes the same picture', async () => {
    const first = outcomeOf(await wait(app.url, { prompt: 'x' }))
    const { data } = await read(first.resultUrl)
    const color = (data[0] ?? 0) * 65536 + (data[1] ?? 0) * 256 + (data[2] ?? 0)
    expect(color).toBe(first.seed)
  })

  it('names the parameter a node refuses', async () => {
    const answer = await wait(app.url, { prompt: 'x', width: -5 })
    expect(JSON.stringify(answer)).toMatch(/\\"width\\": Value -5 smaller than min of/)
  })

  it('answers a plain client with a stream that can be looked at', async () => {
    const { method, params } = await callTool(app.url, 'paint', { prompt: 'later' })
    expect(method).toBe('stream/start')
    const { stream_id: id } = params as { stream_id: string }
    await expect
      .poll(
        async () =>
          ((await (await fetch(`${app.url}/jobs/${id}`)).json()) as { status: string }).status,
        {
          timeout: 20_000,
          interval: 300,
        },
      )
      .toBe('completed')
    const file = await fetch(`${app.url}/outputs/${id}.png`)
    expect(file.status).toBe(200)
    expect(file.headers.get('content-type')).toBe('image/png')
  })
})

/** As a client of 2025-11-25: it waits for the end. */
async function wait(url: string, args: object): Promise<RpcAnswer> {
  const headers = {
    'mcp-protocol-version': '2025-11-25',
    accept: 'application/json, text/event-stream',
  }
  const params = { name: 'paint', arguments: args }
  const response = await post(url, { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, headers)
  return (await response.json()) as RpcAnswer
}

function outcomeOf({ result }: RpcAnswer): Outcome {
  return result?.['structuredContent'] as Outcome
}

async function read(url: string) {
  return decode(new Uint8Array(await (await fetch(url)).arrayBuffer()))
}
