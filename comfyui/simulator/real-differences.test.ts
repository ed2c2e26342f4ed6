// What a real ComfyUI 0.33.0 answered where the simulator once answered otherwise.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { encodePng } from './drawing/png.ts'
import { type Simulator, startSimulator } from './index.ts'

let simulator: Simulator
beforeAll(async () => (simulator = await startSimulator({ port: 0, renderSeconds: 0 })))
afterAll(() => simulator.close())

const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  fetch(simulator.url + path, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })

const ID = '283b4fc9-e4ac-47df-ba2b-9d08ed635354'
type Nodes = Record<string, { class_type: string; inputs?: Record<string, unknown> }>
const workflow = (): Nodes => ({
  1: { class_type: 'EmptyImage', inputs: { width: 16, height: 16, batch_size: 1, color: 0 } },
  2: {
    class_type: 'ImageScale',
    inputs: {
      image: ['1', 0],
      upscale_method: 'nearest-exact',
      width: 8,
      height: 8,
      crop: 'disabled',
    },
  },
  3: { class_type: 'SaveImage', inputs: { images: ['2', 0], filename_prefix: 'real' } },
})

it.each<[string, string, number, unknown?]>([
  ['GET', `/jobs/${ID}`, 404],
  ['GET', '/jobs', 404],
  ['POST', '/free', 500],
  ['POST', '/free', 200, {}],
  ['GET', '/history?max_items=abc', 500],
  ['GET', '/api/jobs?limit=-1', 400],
  ['GET', '/api/jobs?limit=x', 400],
  ['GET', '/api/jobs?sort_by=zzz', 400],
  ['GET', '/extensions', 200],
  ['GET', '/', 200],
  ['OPTIONS', '/prompt', 200],
])('%s %s: %i', async (method, path, status, body) => {
  expect((await send(method, path, body)).status).toBe(status)
})

it.each([
  ['limit=0', 'limit must be a positive integer'],
  ['limit=-1', 'limit must be a positive integer'],
  ['limit=x', 'limit must be an integer'],
  ['offset=x', 'offset must be an integer'],
  ['sort_by=zzz', "sort_by must be 'created_at' or 'execution_duration'"],
  ['sort_order=zzz', "sort_order must be 'asc' or 'desc'"],
])('jobs with %s: %s', async (query, error) => {
  const response = await send('GET', `/api/jobs?${query}`)
  expect(response.status).toBe(400)
  expect(await response.json()).toEqual({ error })
})

it('jobs with an offset below 0 begin at 0', async () => {
  const response = await send('GET', '/api/jobs?offset=-1')
  expect(await response.json()).toMatchObject({ pagination: { offset: 0 } })
})

it('PUT of a route that takes POST names it', async () => {
  const response = await send('PUT', '/prompt', {})
  expect(response.status).toBe(405)
  expect(response.headers.get('allow')).toBe('GET,HEAD,POST')
})

describe('a prompt', () => {
  const refused = async (body: unknown) => {
    const response = await send('POST', '/api/prompt', body)
    const { error, node_errors } = (await response.json()) as {
      error: { type: string }
      node_errors: Record<
        string,
        { errors: { type: string; message: string; details: string; extra_info: object }[] }
      >
    }
    const errors = Object.values(node_errors).flatMap((node) => node.errors)
    return { status: response.status, type: error.type, errors }
  }

  it('that is a list has no prompt', async () => {
    expect(await refused([])).toMatchObject({ status: 400, type: 'no_prompt' })
  })

  it('with a link to an output that is not there', async () => {
    const prompt = workflow()
    prompt[2] = { class_type: 'ImageScale', inputs: { ...prompt[2]?.inputs, image: ['1', 5] } }
    const { errors } = await refused({ prompt })
    expect(errors).toMatchObject([
      { message: 'Exception when validating inner node', details: 'tuple index out of range' },
    ])
  })

  it('with a node without inputs', async () => {
    const prompt = { ...workflow(), 3: { class_type: 'SaveImage' } }
    const { errors } = await refused({ prompt })
    expect(errors).toMatchObject([
      { message: 'Exception when validating node', details: "'inputs'" },
    ])
  })

  it('without its inputs, in an order that is not the one of the description', async () => {
    const info = (await (await send('GET', '/api/object_info/KSampler')).json()) as {
      KSampler: { input_order: { required: string[] } }
    }
    const declared = info.KSampler.input_order.required
    const prompt = {
      ...workflow(),
      1: { class_type: 'KSampler', inputs: {} },
      2: { class_type: 'VAEDecode', inputs: { samples: ['1', 0] } },
    }
    const { errors } = await refused({ prompt })
    const found = errors.map(({ details }) => details).filter((name) => declared.includes(name))
    expect([...found].sort()).toEqual([...declared].sort())
    // Ten names: one start in 3,628,800 has them in this order.
    expect(found).not.toEqual(declared)
  })

  it.each([
    ['LoadImage', { image: 'nope.png' }, 'image - Invalid image file: nope.png'],
    ['LoadVideo', { file: 'nope.mp4' }, 'file - Invalid video file: nope.mp4'],
    ['LoadAudio', { audio: 'nope.mp3' }, 'audio - Invalid audio file: nope.mp3'],
  ])('with a file that is not there: %s', async (class_type, inputs, details) => {
    const shown = { class_type: 'PreviewAny', inputs: { source: ['1', 0] } }
    const { errors } = await refused({ prompt: { 1: { class_type, inputs }, 2: shown } })
    const [input_name] = Object.keys(inputs)
    expect(errors).toEqual([
      {
        type: 'custom_validation_failed',
        message: 'Custom validation failed for node',
        details,
        extra_info: { input_name },
      },
    ])
  })

  it('with a choice that has no options: the error shows an empty object of them', async () => {
    const prompt = workflow()
    prompt[2] = { class_type: 'ImageScale', inputs: { ...prompt[2]?.inputs, crop: 'zzz' } }
    const { errors } = await refused({ prompt })
    const input_config = [['disabled', 'center'], {}]
    expect(errors).toMatchObject([{ type: 'value_not_in_list', extra_info: { input_config } }])
  })

  const blended = (blend_mode: string): Nodes => ({
    ...workflow(),
    2: {
      class_type: 'ImageBlend',
      inputs: { image1: ['1', 0], image2: ['1', 0], blend_factor: 0.5, blend_mode },
    },
  })

  it('with an unknown choice of a node of the newer interface', async () => {
    const { errors } = await refused({ prompt: blended('zzz') })
    expect(errors).toMatchObject([
      {
        type: 'value_not_in_list',
        details: expect.stringMatching(
          /^blend_mode: 'zzz' not in \['normal', 'multiply'/,
        ) as string,
      },
    ])
    const older = await startSimulator({ port: 0, version: '0.3.64', renderSeconds: 0 })
    const body = JSON.stringify({ prompt: blended('zzz') })
    const response = await fetch(`${older.url}/prompt`, { method: 'POST', body })
    await older.close()
    expect(response.status).toBe(200)
  })

  it('with an unknown class: the class is its title', async () => {
    const prompt = { 1: { class_type: 'Nope', inputs: {} } }
    const response = await send('POST', '/api/prompt', { prompt })
    expect(await response.json()).toMatchObject({
      error: { type: 'missing_node_type', extra_info: { class_type: 'Nope', node_title: 'Nope' } },
    })
  })

  it('whose text or file goes to Preview3D', async () => {
    const text = { class_type: 'PrimitiveStringMultiline', inputs: { value: '3d/a.glb' } }
    const shown = { class_type: 'Preview3D', inputs: { model_file: ['1', 0] } }
    const response = await send('POST', '/api/prompt', { prompt: { 1: text, 2: shown } })
    expect(response.status).toBe(200)
  })

  it('with extra_data that is no object', async () => {
    const response = await send('POST', '/api/prompt', { prompt: workflow(), extra_data: 'x' })
    expect(response.status).toBe(500)
  })
})

describe('a seed of twenty digits', () => {
  const ID_2 = 'a83b4fc9-e4ac-47df-ba2b-9d08ed635354'
  const sampler = (seed: string) => {
    const values = `"seed":${seed},"steps":1,"cfg":1,"sampler_name":"euler","scheduler":"normal","denoise":1`
    const links = '"model":["1",0],"positive":["2",0],"negative":["2",0],"latent_image":["3",0]'
    const checkpoint = '{"ckpt_name":"sd_xl_base_1.0.safetensors"}'
    return `{"prompt_id":"${ID_2}","prompt":{
      "1":{"class_type":"CheckpointLoaderSimple","inputs":${checkpoint}},
      "2":{"class_type":"CLIPTextEncode","inputs":{"text":"x","clip":["1",1]}},
      "3":{"class_type":"EmptyLatentImage","inputs":{"width":16,"height":16,"batch_size":1}},
      "4":{"class_type":"KSampler","inputs":{${values},${links}}},
      "5":{"class_type":"VAEDecode","inputs":{"samples":["4",0],"vae":["1",2]}},
      "6":{"class_type":"SaveImage","inputs":{"images":["5",0],"filename_prefix":"x"}}}}`
  }
  const submit = (seed: string) =>
    fetch(`${simulator.url}/api/prompt`, { method: 'POST', body: sampler(seed) })

  it.each(['18446744073709551615', '"18446744073709551615"'])(
    'runs and is shown with every digit: %s',
    async (seed) => {
      expect((await submit(seed)).status).toBe(200)
      const shown = () => send('GET', `/api/history/${ID_2}`).then((response) => response.text())
      await expect.poll(shown).toMatch(/"seed":\s*18446744073709551615[,}]/)
    },
  )

  it.each(['18446744073709551616', '99999999999999999999'])(
    'is refused in full: %s',
    async (seed) => {
      const response = await submit(seed)
      const text = await response.text()
      expect(response.status).toBe(400)
      expect(text).toContain(`Value ${seed} bigger than max of 18446744073709551615`)
      expect(text).toContain(`"received_value":${seed}`)
    },
  )

  it('is the limit that the description of the node has', async () => {
    const text = await (await send('GET', '/api/object_info/KSampler')).text()
    expect(text).toContain('"max":18446744073709551615')
  })
})

describe('a file', () => {
  const view = '/api/view?type=input&filename=shown.png'
  const pixels = new Uint8Array(8 * 8 * 3).fill(200)
  let png: Uint8Array<ArrayBuffer>
  beforeAll(async () => {
    png = Uint8Array.from(await encodePng({ width: 8, height: 8, pixels }))
    expect((await upload('shown.png')).status).toBe(200)
  })

  function upload(name: string): Promise<Response> {
    const form = new FormData()
    form.set('image', new File([png], name, { type: 'image/png' }))
    return fetch(`${simulator.url}/api/upload/image`, { method: 'POST', body: form })
  }

  it('is found by a name with its area', async () => {
    const path = `/api/view?filename=${encodeURIComponent('shown.png [input]')}`
    expect((await send('GET', path)).status).toBe(200)
  })

  it('is not sent to a client that has any version of it', async () => {
    expect((await send('GET', view, undefined, { 'if-none-match': '*' })).status).toBe(304)
  })

  it('has its type and name where a range is beyond its end', async () => {
    const response = await send('GET', view, undefined, { range: 'bytes=10000-' })
    expect(response.status).toBe(416)
    expect(response.headers.get('content-type')).toBe('image/png')
    expect(response.headers.get('content-disposition')).toBe('filename="shown.png"')
  })

  it.each(['&channel=rgb', '&preview=jpeg'])(
    'cannot be fetched in part with %s',
    async (option) => {
      const { headers, status } = await send('GET', view + option)
      expect(status).toBe(200)
      for (const name of ['accept-ranges', 'etag', 'x-content-type-options'])
        expect(headers.get(name)).toBeNull()
    },
  )

  it.each([
    ['jpeg', 'image/jpeg', /^ffd8ff/],
    ['webp;60', 'image/webp', /^52494646.{8}57454250/],
    ['gif', 'image/webp', /^52494646.{8}57454250/],
  ])('is encoded again as a preview: %s', async (preview, type, start) => {
    const response = await send('GET', `${view}&preview=${preview}`)
    expect(response.headers.get('content-type')).toBe(type)
    expect(Buffer.from(await response.arrayBuffer()).toString('hex')).toMatch(start)
  })

  it('cannot be uploaded outside of the folder', async () => {
    expect((await upload('../q.png')).status).toBe(400)
  })
})

describe('the description of a node', () => {
  const MORE = ['api_node', 'deprecated', 'experimental']
  const NEWER = [...MORE, 'dev_only', 'output_matchtypes', 'price_badge']
  const keysOf = async (url: string, name: string) => {
    const info = (await (await fetch(`${url}/object_info/${name}`)).json()) as Record<
      string,
      object
    >
    return Object.keys(info[name] ?? {})
  }

  it('has more members in the newer interface', async () => {
    expect(await keysOf(simulator.url, 'UpscaleModelLoader')).toEqual(expect.arrayContaining(NEWER))
    for (const name of NEWER) expect(await keysOf(simulator.url, 'ImageScale')).not.toContain(name)
  })

  it('had fewer of them in 0.3.64, which did not have every node', async () => {
    const older = await startSimulator({ port: 0, version: '0.3.64', renderSeconds: 0 })
    const loader = await keysOf(older.url, 'UpscaleModelLoader')
    const sound = await keysOf(older.url, 'LoadAudio')
    const combo: unknown = await (await fetch(`${older.url}/object_info/CustomCombo`)).json()
    const prompt = { 1: { class_type: 'CustomCombo', inputs: { choice: 'x' } } }
    const body = JSON.stringify({ prompt })
    const refusal = await fetch(`${older.url}/prompt`, { method: 'POST', body })
    await older.close()
    expect(loader).toEqual(expect.arrayContaining(MORE))
    expect(loader).not.toContain('dev_only')
    expect(sound).not.toContain('api_node')
    expect(combo).toEqual({})
    expect(refusal.status).toBe(400)
  })
})

it('jobs are found by the id of their workflow', async () => {
  const extra = (id: string) => ({ extra_pnginfo: { workflow: { id } } })
  for (const id of ['one', 'two'])
    await send('POST', '/api/prompt', { prompt: workflow(), extra_data: extra(id) })
  const response = await send('GET', '/api/jobs?workflow_id=two')
  expect(((await response.json()) as { jobs: unknown[] }).jobs).toHaveLength(1)
})
