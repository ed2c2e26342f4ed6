import type { Workflow } from 'ftl-comfyui/workflow'
import { expect, it } from 'vitest'
import { withSeeds } from './variations.ts'

const workflow: Workflow = {
  '3': { class_type: 'KSampler', inputs: { seed: 0, model: ['4', 0], latent_image: ['5', 0] } },
  '4': { class_type: 'CheckpointLoaderSimple', inputs: { ckpt_name: 'x.safetensors' } },
  '5': { class_type: 'EmptyLatentImage', inputs: { width: 8, height: 8, batch_size: 1 } },
  '8': { class_type: 'VAEDecode', inputs: { samples: ['3', 0], vae: ['4', 2] } },
  '9': { class_type: 'SaveImage', inputs: { images: ['8', 0], filename_prefix: 'x' } },
}
const seed = [{ node: '3', input: 'seed' }]

it('one seed changes nothing but the seed', () => {
  const { workflow: made, outputs } = withSeeds(workflow, seed, [7], ['9'])
  expect(outputs).toEqual(['9'])
  expect(made).toEqual({
    ...workflow,
    '3': { ...workflow['3'], inputs: { ...workflow['3']?.inputs, seed: 7 } },
  })
})

it('several seeds repeat what depends on the seed, and share the rest', () => {
  const { workflow: made, outputs } = withSeeds(workflow, seed, [7, 8], ['9'])
  expect(Object.keys(made).sort()).toEqual(['3', '3_2', '4', '5', '8', '8_2', '9', '9_2'])
  expect(made['3_2']?.inputs).toEqual({ seed: 8, model: ['4', 0], latent_image: ['5', 0] })
  expect(made['8_2']?.inputs).toEqual({ samples: ['3_2', 0], vae: ['4', 2] })
  expect(made['9_2']?.inputs.images).toEqual(['8_2', 0])
  expect(outputs).toEqual(['9', '9_2'])
})

it('without named results those at the end of each seed are the results, in the order of the seeds', () => {
  expect(withSeeds(workflow, seed, [7, 8, 9], []).outputs).toEqual(['9', '9_2', '9_3'])
})

it('a result that does not depend on the seed is there once', () => {
  const more: Workflow = {
    ...workflow,
    '20': { class_type: 'PreviewImage', inputs: { images: ['21', 0] } },
    '21': { class_type: 'LoadImage', inputs: { image: 'x.png' } },
  }
  expect(withSeeds(more, seed, [1, 2], ['20', '9']).outputs).toEqual(['20', '9', '9_2'])
})

it('takes no id that is there already', () => {
  const taken: Workflow = { ...workflow, '9_2': { class_type: 'Note', inputs: {} } }
  const { workflow: made, outputs } = withSeeds(taken, seed, [1, 2], ['9'])
  expect(made['9_2']).toEqual(taken['9_2'])
  expect(outputs).toEqual(['9', '9_2_'])
})
