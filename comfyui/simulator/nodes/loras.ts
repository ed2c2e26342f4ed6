/** LoRAs: they change nothing of a drawn picture, but are checked as the server checks them. */
import type { NodeDefinition } from './definition.ts'

const STRENGTH = { default: 1, min: -100, max: 100, step: 0.01 }

const loraLoader: NodeDefinition = {
  name: 'LoraLoader',
  displayName: 'Load LoRA (Model and CLIP)',
  category: 'model/loaders',
  older: { displayName: 'Load LoRA', category: 'loaders' },
  inputs: ({ models }) => ({
    required: {
      model: ['MODEL', { tooltip: 'The model.' }],
      clip: ['CLIP', { tooltip: 'The text encoder.' }],
      lora_name: [models('loras'), { tooltip: 'File name of the LoRA.' }],
      strength_model: ['FLOAT', { ...STRENGTH, tooltip: 'Strength for the model.' }],
      strength_clip: ['FLOAT', { ...STRENGTH, tooltip: 'Strength for the text encoder.' }],
    },
  }),
  essentials: 'Image Generation',
  outputTooltips: ['The model with the LoRA.', 'The text encoder with the LoRA.'],
  outputs: [
    ['MODEL', 'MODEL'],
    ['CLIP', 'CLIP'],
  ],
  run: async ({ model, clip }) => ({ outputs: [model, clip] }),
}

export const loraNodes: readonly NodeDefinition[] = [loraLoader]
