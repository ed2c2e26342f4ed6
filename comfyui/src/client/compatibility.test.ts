import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Simulator, startSimulator } from '../../simulator/index.ts'
import { createComfyClient } from './client.ts'
import { compare } from './compatibility.ts'
import type { Fetch } from './http.ts'
import { toNodeClass } from './nodes.ts'

const loader = (ckpt_name: string) => ({
  class_type: 'CheckpointLoaderSimple',
  inputs: { ckpt_name },
})

describe.each(['0.33.0', '0.3.64'] as const)('a server with ComfyUI %s', (version) => {
  let simulator: Simulator
  beforeAll(async () => void (simulator = await startSimulator({ port: 0, version })))
  afterAll(() => simulator.close())

  it('tells exactly what it lacks, asked for each class once', async () => {
    const asked: string[] = []
    const counting: Fetch = (url, init) => {
      asked.push(new URL(url).pathname)
      return fetch(url, init)
    }
    const client = createComfyClient({ baseUrl: simulator.url, fetch: counting })
    const workflow = {
      1: loader('sd_xl_base_1.0.safetensors'),
      2: loader('sd15/other.safetensors'),
      3: { class_type: 'Nope/1', inputs: { a: 1 } },
      4: { class_type: 'constructor', inputs: {} },
      5: { class_type: 'LoadImage', inputs: { image: 'not-yet-uploaded.png' } },
      6: { class_type: 'SaveImage', inputs: { images: ['5', 0], filename_prefix: 'x' } },
      7: { class_type: 'PreviewAny', inputs: { source: ['2', 0] } },
    }
    expect(await client.compatibility(workflow)).toEqual({
      compatible: false,
      missingNodes: ['Nope/1', 'constructor'],
      missingModels: [
        {
          nodeId: '2',
          nodeType: 'CheckpointLoaderSimple',
          inputName: 'ckpt_name',
          file: 'sd15/other.safetensors',
          available: ['sd_xl_base_1.0.safetensors'],
        },
      ],
      mismatches: [],
    })
    expect(asked).toHaveLength(6)
    expect(asked).toContain('/api/object_info/Nope%2F1')
    const fits = { 1: workflow[1], 5: workflow[5], 6: workflow[6] }
    expect(await client.compatibility(fits)).toMatchObject({ compatible: true })
  })

  it('lists the files of a model folder', async () => {
    const client = createComfyClient({ baseUrl: simulator.url, fetch })
    expect(await client.models('checkpoints')).toEqual(['sd_xl_base_1.0.safetensors'])
    expect(await client.models('loras')).toEqual([
      'more-detail.safetensors',
      'pixel-art.safetensors',
    ])
    expect(await client.models('controlnet')).toEqual([])
    expect(await client.models('nonsense')).toBeUndefined()
  })

  it('describes its nodes', async () => {
    const client = createComfyClient({ baseUrl: simulator.url, fetch })
    const { EmptyImage, SaveImage } = await client.objectInfo(['EmptyImage', 'SaveImage', 'Nope'])
    expect(toNodeClass(EmptyImage)).toEqual({
      inputs: {
        width: { type: 'INT', required: true, default: 512, min: 1, max: 16384, step: 1 },
        height: { type: 'INT', required: true, default: 512, min: 1, max: 16384, step: 1 },
        batch_size: { type: 'INT', required: true, default: 1, min: 1, max: 4096 },
        color: { type: 'INT', required: true, default: 0, min: 0, max: 0xffffff, step: 1 },
      },
      outputs: ['IMAGE'],
      isOutput: false,
    })
    expect(toNodeClass(SaveImage).isOutput).toBe(true)
  })
})

it('reads both ways of listing choices', () => {
  const info = {
    input: {
      required: { old: [['a', 'b'], { tooltip: 'x' }] },
      optional: { later: ['COMBO', { options: ['a.ckpt'], multiselect: false }] },
    },
  }
  expect(toNodeClass(info).inputs).toEqual({
    old: { type: 'COMBO', required: true, choices: ['a', 'b'] },
    later: { type: 'COMBO', required: false, choices: ['a.ckpt'] },
  })
})

it('takes any choice of an empty list for a file that is missing, but no mode that is not listed', () => {
  const node = (choices: string[]) => toNodeClass({ input: { required: { which: [choices, {}] } } })
  const workflow = { 1: { class_type: 'A', inputs: { which: 'folder-of-a-model' } } }
  expect(compare(workflow, { A: node([]) }).missingModels).toHaveLength(1)
  expect(compare(workflow, { A: node(['euler']) }).missingModels).toEqual([])
})

describe('a workflow on a server whose nodes', () => {
  const classes = {
    Loader: toNodeClass({ input: {}, output: ['MODEL', 'CLIP'] }),
    Sampler: toNodeClass({
      input: {
        required: {
          model: ['MODEL'],
          steps: ['INT', { min: 1 }],
          sampler_name: [['euler', 'ddim'], {}],
          upscale: [
            'COMFY_DYNAMICCOMBO_V3',
            {
              options: [
                { key: 'none', inputs: {} },
                { key: 'model', inputs: { required: { file: [['4x.pth'], {}] } } },
              ],
            },
          ],
        },
      },
      output: ['LATENT'],
    }),
  }
  const sound = { model: ['1', 0], steps: 4, sampler_name: 'euler', upscale: 'none' }
  const compared = (inputs: Record<string, unknown>) =>
    compare(
      {
        1: { class_type: 'Loader', inputs: {} },
        2: { class_type: 'Sampler', inputs: { ...sound, ...inputs } },
      },
      classes,
    )

  it('take its links and values has no mismatch', () => {
    expect(compared({})).toMatchObject({ compatible: true, mismatches: [] })
    expect(compared({ upscale: 'model', 'upscale.file': '4x.pth' }).mismatches).toEqual([])
  })

  it.each([
    [
      { model: ['1', 1] },
      '"model" of node 2 (Sampler) takes MODEL, and output 1 of node 1 (Loader) is CLIP',
    ],
    [{ model: ['1', 7] }, 'linked to output 7 of node 1 (Loader), which has 2'],
    [{ model: 'a text' }, 'takes a link to an output of type MODEL'],
    [{ steps: 'many' }, '"steps" of node 2 (Sampler) is "many"; it must be a whole number'],
    [{ sampler_name: 'lcm' }, 'is "lcm"; it must be one of the choices'],
    [{ upscale: 'model' }, '"upscale.file" of node 2 (Sampler) is missing'],
  ])('do not take %j has one, and nothing is missing', (inputs, words) => {
    const { compatible, mismatches } = compared(inputs)
    expect(compatible).toBe(true)
    expect(mismatches).toHaveLength(1)
    expect(mismatches[0]).toContain(words)
  })

  it('have a model file in an input of a choice lacks that file', () => {
    const { missingModels } = compared({ upscale: 'model', 'upscale.file': 'other.pth' })
    expect(missingModels).toMatchObject([{ inputName: 'upscale.file', available: ['4x.pth'] }])
    // The input does not exist with the other choice.
    expect(compared({ 'upscale.file': 'other.pth' }).missingModels).toEqual([])
  })

  it('that another server describes are listed in a few short lines', () => {
    const bad = Object.fromEntries(
      Array.from({ length: 1000 }, (_, index) => [`${'x'.repeat(1000)}${index}`, ['1', 9]]),
    )
    const hostile = toNodeClass({
      input: {
        optional: Object.fromEntries(Object.keys(bad).map((name) => [name, ['\u001b[2J']])),
      },
    })
    const { mismatches } = compare(
      { 1: { class_type: 'A', inputs: {} }, 2: { class_type: 'A', inputs: bad } },
      { A: hostile },
    )
    expect(mismatches.length).toBeLessThanOrEqual(20)
    expect(Math.max(...mismatches.map(({ length }) => length))).toBeLessThan(400)
    expect(mismatches.join()).not.toContain('\u001b')
  })
})
