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

const MEDIA = {
  '1': { class_type: 'LoadVideo', inputs: { file: 'a.mp4' } },
  '2': { class_type: 'LoadAudio', inputs: { audio: 'a.wav' } },
  '3': { class_type: 'PrimitiveStringMultiline', inputs: { value: 'a.glb' } },
  '4': { class_type: 'SaveVideo', inputs: { video: ['1', 0], filename_prefix: 'v' } },
  '5': { class_type: 'SaveAudio', inputs: { audio: ['2', 0], filename_prefix: 'a' } },
}
const data = (type: string, text: string) =>
  `data:${type};base64,${Buffer.from(text, 'latin1').toString('base64')}`
const MP4 = data('video/mp4', '\0\0\0\x10ftypisom\0\0\x02\0')
const WAV = data('audio/wav', 'RIFF\x04\0\0\0WAVE')
const GLB = data('model/gltf-binary', 'glTF\x02\0\0\0')

describe('a video, a sound or a 3D model', () => {
  const at = (node: string, attribute: string) => ({ node, attribute })
  const fields = [
    { name: 'clip', required: true, mapping: at('1', 'file') },
    { name: 'sound', required: false, mapping: at('2', 'audio') },
    { name: 'model', type: 'model3d', required: false, mapping: at('3', 'value') },
  ]
  const media = (options: Options = {}) =>
    machine({
      comfyuiUrl: simulator.url,
      ...(options.network && { fetch: options.network }),
      ...(options.variables && { variables: options.variables }),
      files: {
        '/config/media.json': JSON.stringify([{ name: 'media', workflow: 'm.json', fields }]),
        '/workflows/m.json': JSON.stringify(MEDIA),
      },
    })
  const paramsOf = async (args: Record<string, unknown>, options?: Options) => {
    const on = media(options)
    const { id } = await on.start('media', { clip: MP4, sound: WAV, ...args })
    await expect.poll(async () => (await on.look(id)).status, { timeout: 8000 }).toBe('completed')
    const { result } = await on.look(id)
    return result?.structuredContent as {
      params: Record<string, string>
      outputs: { mimeType: string; kind: string }[]
    }
  }

  it('is uploaded to where ComfyUI’s own nodes look for it, and comes back', async () => {
    const { params, outputs } = await paramsOf({ model: GLB })
    expect(params.clip).toMatch(/^mcp\/[0-9a-f]{32}\.mp4$/)
    expect(params.sound).toMatch(/^mcp\/[0-9a-f]{32}\.wav$/)
    expect(params.model).toMatch(/^3d\/mcp\/[0-9a-f]{32}\.glb$/)
    expect(outputs.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['video', 'audio']))
  })

  it('may be a file that was uploaded before', async () => {
    const { params } = await paramsOf({})
    const again = await paramsOf(params)
    expect(again.params).toEqual(params)
  })

  it('may be of an allowed host, and of another component', async () => {
    const seen: string[] = []
    const network = async (input: string | URL | Request, init?: RequestInit) => {
      const { href, hostname } = new URL(new Request(input).url)
      if (!/spin\.internal$|media\.example$/.test(hostname)) return fetch(input, init)
      seen.push(href)
      return new Response(Buffer.from(MP4.split(',')[1] ?? '', 'base64'))
    }
    const variables = { image_hosts: 'media.example', image_components: 'generate-image' }
    const own = '/outputs/11111111-2222-4333-8444-555555555555.mp4'
    await paramsOf({ clip: 'https://media.example/a', sound: own }, { network, variables })
    expect(seen).toEqual(['https://media.example/a', `http://generate-image.spin.internal${own}`])
  })

  it('is described with what it takes', async () => {
    const { tools = [] } = await media().list()
    const { properties } = tools[0]?.inputSchema as { properties: Record<string, object> }
    expect(properties.clip).toMatchObject({
      description: expect.stringMatching(/MP4.*at most 32 MB/) as string,
    })
    expect(properties.sound).toMatchObject({ description: expect.stringMatching(/WAV/) as string })
  })

  it.each([
    ['a sound as a video', { clip: WAV }, /^clip: it is not an MP4/],
    ['a picture as a video', { clip: url(RED) }, /^clip: it is not an MP4/],
    ['a video as a model', { model: MP4 }, /^model: it is not a GLB/],
    ['a name that leads out of the folder', { clip: '../a.mp4' }, /^clip: must be a data URL/],
    ['a result of other callers', { sound: 'a.wav [output]' }, /^sound: must be a data URL/],
    ['an address of this machine', { clip: 'https://127.0.0.1/a.mp4' }, /is not one of the hosts/],
    ['a text that is no base64', { clip: 'data:video/mp4,x' }, /must be base64: data:video\/mp4/],
  ])('is refused: %s', async (_, args, message) => {
    const { result } = await media().call('media', { clip: MP4, ...args })
    const [text] = result.content
    const shown = text?.type === 'text' ? String(text.text) : ''
    expect(shown.replace(/^(?:Service error: )?Invalid arguments:\s*/, '')).toMatch(message)
  })
})
