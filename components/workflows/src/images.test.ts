import { startSimulator, type Simulator } from 'ftl-comfyui/simulator'
import { decode, encode } from 'fast-png'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { machine } from './testing/machine.ts'

let simulator: Simulator
beforeAll(async () => {
  simulator = await startSimulator({ port: 0, renderSeconds: 0 })
})
afterAll(() => simulator.close())

const WORKFLOW = {
  '1': { class_type: 'LoadImage', inputs: { image: 'example.png' } },
  '2': { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'copy' } },
  '3': { class_type: 'LoadImageMask', inputs: { image: 'example.png', channel: 'red' } },
  '4': { class_type: 'MaskToImage', inputs: { mask: ['3', 0] } },
  '5': { class_type: 'SaveImage', inputs: { images: ['4', 0], filename_prefix: 'mask' } },
}
const CONFIG = [
  {
    name: 'copy',
    workflow: 'copy.json',
    fields: [
      { name: 'photo', required: true, mapping: { node: '1', attribute: 'image' } },
      { name: 'mask', type: 'mask', of: 'photo', required: false },
      { name: 'area', type: 'image', required: true, mapping: { node: '3', attribute: 'image' } },
      { name: 'prefix', default: 'copy', mapping: { node: '2', attribute: 'filename_prefix' } },
    ],
  },
]
const files = {
  '/config/copy.json': JSON.stringify(CONFIG),
  '/workflows/copy.json': JSON.stringify(WORKFLOW),
}

const SIDE = 8
function picture(channels: 3 | 4, ...color: number[]): Uint8Array {
  const data = new Uint8Array(SIDE * SIDE * channels)
  for (let at = 0; at < data.length; at++) data[at] = color[at % channels] ?? 0
  return encode({ width: SIDE, height: SIDE, data, channels })
}
const url = (png: Uint8Array) => `data:image/png;base64,${Buffer.from(png).toString('base64')}`
const RED = picture(3, 200, 10, 10)
const HALF = picture(4, 0, 0, 0, 64)

interface Options {
  network?: typeof fetch
  variables?: Record<string, string>
  comfyuiUrl?: string
}
const open = ({ network = fetch, variables = {}, comfyuiUrl = simulator.url }: Options = {}) =>
  machine({ files, comfyuiUrl, variables, fetch: (input, init) => network(input, init) })

async function run(args: Record<string, unknown>, options?: Options) {
  const on = open(options)
  const { id } = await on.start('copy', { area: url(RED), ...args })
  await expect.poll(async () => (await on.look(id)).status, { timeout: 8000 }).toBe('completed')
  return { on, record: await on.look(id) }
}

/** A file of the server as pixels. */
async function pixelsOf(name: string, type: string) {
  const query = new URLSearchParams({ filename: name.replace('mcp/', ''), type })
  if (name.startsWith('mcp/')) query.set('subfolder', 'mcp')
  const response = await fetch(`${simulator.url}/api/view?${query}`)
  return decode(await response.bytes())
}

describe('an image argument', () => {
  it('is uploaded, and the record has its name instead of its bytes', async () => {
    const { record } = await run({ photo: url(RED) })
    const { params } = record.result?.structuredContent as { params: Record<string, string> }
    expect(params.photo).toMatch(/^mcp\/[0-9a-f]{32}\.png$/)
    expect(JSON.stringify(record)).not.toContain('base64')
    const { data } = await pixelsOf(params.photo ?? '', 'input')
    expect([...data.slice(0, 3)]).toEqual([200, 10, 10])
  })

  it('may be an image that the component made', async () => {
    const { on, record } = await run({ photo: url(RED) })
    const { resultUrl } = record.result?.structuredContent as { resultUrl: string }
    const { id } = await on.start('copy', { photo: resultUrl, area: url(RED) })
    await expect.poll(async () => (await on.look(id)).status, { timeout: 8000 }).toBe('completed')
  })

  it('may be an image of another component, or of an allowed host', async () => {
    const JOB = '11111111-2222-4333-8444-555555555555'
    const seen: string[] = []
    const network = async (input: string | URL | Request, init?: RequestInit) => {
      const { href, hostname } = new URL(new Request(input).url)
      if (!/spin\.internal$|images\.example$/.test(hostname)) return fetch(input, init)
      seen.push(href)
      return new Response(Uint8Array.from(RED))
    }
    const variables = { image_hosts: 'images.example', image_components: 'generate-image' }
    const options = { network, variables }
    await run({ photo: `/outputs/${JOB}.png`, area: 'https://images.example/a.png' }, options)
    expect(seen).toEqual([
      `http://generate-image.spin.internal/outputs/${JOB}.png`,
      'https://images.example/a.png',
    ])
  })

  it('may be the name of a file that is on the server', async () => {
    const { record } = await run({ photo: url(RED) })
    const { params } = record.result?.structuredContent as { params: Record<string, string> }
    const again = await run({ photo: params.photo, area: params.photo })
    expect(again.record.status).toBe('completed')
  })

  it('gives its image the transparency of a mask', async () => {
    const { record } = await run({ photo: url(RED), mask: url(HALF) })
    const { params } = record.result?.structuredContent as { params: Record<string, string> }
    expect(params.mask).toBe(params.photo)
    const { data, channels } = await pixelsOf(params.photo ?? '', 'input')
    expect([channels, ...data.slice(0, 4)]).toEqual([4, 200, 10, 10, 64])
  })

  it('is described as what it takes', async () => {
    const { tools = [] } = await open().list()
    const { properties } = tools[0]?.inputSchema as { properties: Record<string, object> }
    const description = expect.stringMatching(/data URL/) as string
    expect(properties.photo).toMatchObject({ type: 'string', maxLength: 14_000_000, description })
    expect(properties.prefix).not.toHaveProperty('maxLength')
  })
})

describe('an image argument is refused', () => {
  const JPEG = `data:image/jpeg;base64,${Buffer.from([0xff, 0xd8, 0xff]).toString('base64')}`
  it.each([
    ['that leads out of the folder', { photo: '../../etc/shadow.png' }, /^photo: must be a data/],
    ['that begins at the root', { photo: '/etc/shadow.png' }, /^photo: must be/],
    ['that is a path of Windows', { photo: '..\\x.png' }, /^photo: must be/],
    ['of the results of other callers', { photo: 'ComfyUI_00001_.png [output]' }, /^photo: must/],
    ['with a control character', { photo: 'a\u0000.png' }, /^photo: must be/],
    ['that is empty', { photo: '' }, /^photo: must be/],
    ['that is a file', { photo: 'file:///etc/passwd' }, /^photo: it must be an https address/],
    ['of the cloud', { photo: 'http://169.254.169.254/latest' }, /^photo: it must be an https/],
    ['of this machine', { photo: 'https://127.0.0.1/a.png' }, /^photo: "127.0.0.1" is not one/],
    [
      'of another component',
      { photo: 'http://echo.spin.internal/' },
      /^photo: it must be an https/,
    ],
    ['that is not an image', { photo: 'data:image/png;base64,AAAA' }, /^photo: it is not a PNG/],
    ['that is cut off', { photo: JPEG }, /^photo: it is not a PNG/],
    ['as a mask without transparency', { photo: url(RED), mask: url(RED) }, /^mask: it has no tr/],
    [
      'as a mask of another size',
      {
        photo: url(RED),
        mask: url(encode({ width: 2, height: 2, data: new Uint8Array(16), channels: 4 })),
      },
      /^mask: it has 2 x 2 pixels, and the image 8 x 8/,
    ],
  ])('%s', async (_, args, message) => {
    const asked: string[] = []
    const network: typeof fetch = async (input) => {
      asked.push(new Request(input).url)
      return new Response(null, { status: 404 })
    }
    const { result } = await open({ network }).call('copy', { area: url(RED), ...args })
    const [text] = result.content
    const shown = text?.type === 'text' ? String(text.text) : ''
    expect(shown.replace(/^(?:Service error: )?Invalid arguments:\s*/, '')).toMatch(message)
    expect(asked).toEqual([])
  })

  it('in a field that is not an image: the text stays a text', async () => {
    const { record } = await run({ photo: url(RED), prefix: 'https://images.example/a' })
    expect(record.result?.structuredContent).toMatchObject({
      params: { prefix: 'https://images.example/a' },
    })
  })

  it('when no server is configured that could have it', async () => {
    const on = open({ comfyuiUrl: '' })
    const named = await on.call('copy', { photo: 'a.png', area: 'b.png' })
    expect(named.result.isError).toBeFalsy()
    const { result } = await on.call('copy', { photo: url(RED), area: 'b.png' })
    expect(JSON.stringify(result)).toContain('no ComfyUI server is configured')
  })
})

it.each([
  [{ name: 'm', type: 'mask' }, /the mask names no image/],
  [{ name: 'm', type: 'mask', of: 'x' }, /belongs to "x", which is not a field/],
  [{ name: 'm', type: 'mask', of: 'prefix' }, /belongs to "prefix", which is not an image/],
  [
    { name: 'm', type: 'mask', of: 'photo', mapping: { node: '1', attribute: 'image' } },
    /a mask goes into the image/,
  ],
])('a configuration with a mask that cannot work is reported: %j', async (field, message) => {
  const config = CONFIG.map((tool) => ({ ...tool, fields: [...tool.fields, field] }))
  const on = machine({ files: { ...files, '/config/copy.json': JSON.stringify(config) } })
  const { problems = [] } = await on.list()
  expect(problems.join('\n')).toMatch(message)
})
