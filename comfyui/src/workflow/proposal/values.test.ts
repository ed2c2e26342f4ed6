import { describe, expect, it } from 'vitest'
import { readFolder } from '../testing.ts'
import { at, like, node, nodeClass, propose } from '../testing/proposals.ts'

describe('a number', () => {
  it('is a decimal where ComfyUI takes one, though the export writes 1', () => {
    const fields = propose({
      '1': node('KSampler', { denoise: 1, cfg: 7, steps: 20 }),
      '2': node('FluxGuidance', { guidance: 3 }),
      '3': node('CreateVideo', { fps: 24 }),
      '4': node('EmptyAceStepLatentAudio', { seconds: 30 }),
      '5': node('SVD_img2vid_Conditioning', { fps: 6 }),
    })
    const types = Object.entries(fields).map(([name, { type }]) => [name, type])
    expect(Object.fromEntries(types)).toEqual({
      ...{ denoise: 'number', cfg: 'number', guidance: 'number', fps: 'number', seconds: 'number' },
      ...{ steps: 'integer', fps_5: 'integer' },
    })
  })

  it('of a dynamic input is named after its last part', () => {
    const { width, duration } = propose({
      '1': node('Seedream', { 'model.width': 1024, 'model.duration': 5 }),
    })
    expect(width).toMatchObject({ default: 1024, mapping: at('1', 'model.width') })
    expect(duration).toMatchObject({ type: 'integer', default: 5 })
  })

  it('of a primitive is named after its title', () => {
    const fields = propose({
      '1': node('PrimitiveInt', { value: 640 }, 'Width'),
      '2': node('PrimitiveInt', { value: 81 }, 'Int (Length)'),
      '3': node('PrimitiveFloat', { value: 5 }, 'Float (Duration)'),
      '4': node('PrimitiveInt', { value: 3 }, 'Chunk size'),
      '5': node('PrimitiveBoolean', { value: false }, 'Boolean (Upscale to 2K)'),
      '6': node('easy int', { value: 4 }, '$steps.value:How long'),
      '7': node('PrimitiveInt', { value: 7 }, 'Int'),
    })
    expect(fields.width).toMatchObject({ type: 'integer', default: 640, mapping: at('1', 'value') })
    expect(fields.length).toMatchObject({ default: 81 })
    expect(fields.duration).toMatchObject({ type: 'number', default: 5 })
    expect(fields.chunk_size).toMatchObject({ type: 'integer', default: 3 })
    expect(fields.upscale_to_2k).toMatchObject({ type: 'boolean', default: false })
    expect(fields.steps).toMatchObject({ default: 4, description: 'How long' })
    expect(Object.keys(fields)).toHaveLength(6)
  })

  it('of a primitive without a title is named after the input it leads to', () => {
    const fields = propose({
      '1': node('PrimitiveInt', { value: 640 }),
      '2': node('EmptyLatentImage', { width: ['1', 0], height: 480 }),
      '3': node('PrimitiveInt', { value: 9 }),
      '4': node('RandomNoise', { noise_seed: ['3', 0] }),
    })
    expect(fields.width).toMatchObject({ default: 640, mapping: at('1', 'value') })
    expect(fields.seed).toMatchObject({ mapping: at('3', 'value'), generator: { type: 'seed' } })
  })
})

describe('a seed', () => {
  it.each(['seed', 'noise_seed', 'Seed', 'model.seed', 'sampling_mode.seed'])(
    'is in %s',
    (name) => {
      const { seed } = propose({ '1': node('Any', { [name]: 1 }) })
      expect(seed).toMatchObject({ type: 'integer', mapping: at('1', name) })
    },
  )

  it('is generated so that every known node takes it, and may be larger', () => {
    const { seed } = propose({ '1': node('GeminiNode', { seed: 1 }) })
    expect(seed?.generator).toEqual({ type: 'seed', options: { max: 2 ** 31 - 1 } })
    expect(seed).not.toHaveProperty('maximum')
  })

  it('of several nodes is one field, with limits that all of them take', () => {
    const { seed, ...rest } = propose(
      { '1': node('Large', { seed: 1 }), '2': node('Small', { 'model.seed': 2 }) },
      {
        Large: nodeClass({ seed: ['INT', { min: 0, max: 2 ** 40 }] }),
        Small: nodeClass({ 'model.seed': ['INT', { min: 0, max: 1000 }] }),
      },
    )
    expect(rest).toEqual({})
    expect(seed).toMatchObject({ maximum: 1000, generator: { type: 'seed' } })
  })
})

describe('equal values with different limits', () => {
  const size = (min: number, max: number) => nodeClass({ width: ['INT', { min, max }] })
  const workflow = { '1': node('A', { width: 512 }), '2': node('B', { width: 512 }) }

  it('are one field, with limits that all inputs take', () => {
    expect(propose(workflow, { A: size(16, 4096), B: size(64, 1024) })).toEqual({
      width: like({
        minimum: 64,
        maximum: 1024,
        mapping: [at('1', 'width'), at('2', 'width')],
      }),
    })
  })

  it('are two where no value fits both', () => {
    const open = { '1': node('A', { width: '%width%' }), '2': node('B', { width: '%width%' }) }
    const fields = propose(open, { A: size(16, 100), B: size(200, 1024) })
    expect(Object.keys(fields)).toEqual(['width', 'width_2'])
  })
})

describe('an image', () => {
  it('must be given, because the author’s file is on another server', () => {
    const { image } = propose({ '1': node('LoadImage', { image: 'example.png' }) })
    expect(image).toMatchObject({ type: 'image', required: true })
    expect(image).not.toHaveProperty('default')
    const kept = propose({ '1': node('LoadImageOutput', { image: 'made_1_.png [output]' }) })
    expect(kept.image).toMatchObject({ type: 'image', required: true })
  })

  it('is another one if its file is another one', () => {
    const fields = propose({
      '1': node('LoadImage', { image: 'a.png' }),
      '2': node('LoadImage', { image: 'b.png' }),
      '3': node('LoadImage', { image: 'a.png' }),
    })
    expect(fields.image?.mapping).toEqual([at('1', 'image'), at('3', 'image')])
    expect(fields.image_2?.mapping).toEqual(at('2', 'image'))
  })

  it('is told from others by the title that its author gave it', () => {
    const { image, image_2, image_3 } = propose({
      '1': node('LoadImage', { image: 'a.png' }, 'Load Image'),
      '2': node('LoadImage', { image: 'b.png' }, 'Face to keep'),
      '3': node('LoadImage', { image: 'c.png' }, '加载图像'),
    })
    expect([image, image_2, image_3].map((field) => field?.description)).toEqual([
      'The image to start from',
      'The image to start from (Face to keep)',
      'The image to start from',
    ])
  })
})

describe('a placeholder', () => {
  const workflow = {
    '1': node('KSampler', {
      seed: '%seed%',
      steps: 'PARAM_INT_STEPS',
      cfg: '{{cfg}}',
      positive: ['2', 0],
    }),
    '2': node('CLIPTextEncode', { text: 'PARAM_PROMPT' }),
    '3': node('AuraFlow', { shift: 'PARAM_FLOAT_SHIFT' }),
    '4': node('SaveImage', { images: ['1', 0], filename_prefix: '%prefix%' }),
  }
  const classes = {
    KSampler: nodeClass(
      {
        seed: ['INT', { min: 0, max: 1000 }],
        steps: ['INT', { default: 20, min: 1, max: 100 }],
        cfg: ['FLOAT', { min: 0, max: 100 }],
        positive: ['CONDITIONING'],
      },
      ['IMAGE'],
    ),
    CLIPTextEncode: nodeClass({ text: ['STRING', { multiline: true }] }, ['CONDITIONING']),
    AuraFlow: nodeClass({ shift: ['FLOAT', { min: 0, max: 10 }] }),
    SaveImage: { ...nodeClass({ images: ['IMAGE'], filename_prefix: ['STRING'] }), isOutput: true },
  }

  it('has underscores around it in some', () => {
    const fields = propose({
      '1': node('EmptyLatentImage', { width: '__WIDTH__', height: '__HEIGHT__', batch_size: 1 }),
      '2': node('CLIPTextEncode', { text: '__PROMPT__' }),
    })
    expect(fields).toMatchObject({
      width: { type: 'integer', required: true },
      height: { type: 'integer', required: true },
      positive_prompt: { required: true },
    })
    expect(fields['width']).not.toHaveProperty('default')
  })

  it('is a field of the type of its input, and never a default', () => {
    const { positive_prompt, seed, steps, cfg, shift, ...rest } = propose(workflow)
    expect(rest).toEqual({})
    expect(positive_prompt).toMatchObject({ required: true })
    expect(seed).toMatchObject({ type: 'integer', generator: { type: 'seed' } })
    expect(steps).toMatchObject({ type: 'integer', required: true })
    expect(cfg).toMatchObject({ type: 'number', required: true })
    expect(shift).toMatchObject({ type: 'number', required: true, mapping: at('3', 'shift') })
  })

  it('has the default and the limits of the server, and its lint has nothing to say', async () => {
    const fields = propose(workflow, classes)
    expect(fields.steps).toMatchObject({ type: 'integer', default: 20, minimum: 1, maximum: 100 })
    expect(fields.steps).not.toHaveProperty('required')
    const config = [{ name: 't', workflow: 't.json', fields: Object.values(fields) }]
    const { findings, tools } = await readFolder(
      { 'config/t.json': config, 'workflows/t.json': workflow },
      { classes },
    )
    expect(findings).toEqual([])
    expect(tools).toHaveLength(1)
  })
})

it('has no limit that its default is beyond', () => {
  const classes = { A: nodeClass({ width: ['INT', { min: 16, max: 256 }] }) }
  const { width } = propose({ '1': node('A', { width: 512 }) }, classes)
  expect(width).toEqual({
    ...{ name: 'width', type: 'integer', description: 'Width in pixels', default: 512 },
    mapping: at('1', 'width'),
  })
})
