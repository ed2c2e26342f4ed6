/** Nodes that work on a given picture: enlarging it, and starting a rendering from it. */
import type { Picture } from '../drawing/png.ts'
import { type NodeDefinition, NodeFailure } from './definition.ts'
import { scale } from './pixels.ts'

const METHODS = ['nearest-exact', 'bilinear', 'area', 'bicubic', 'lanczos']
const MAX_SIDE = 16384

const imageScaleBy: NodeDefinition = {
  name: 'ImageScaleBy',
  displayName: 'Upscale Image By',
  category: 'image/upscaling',
  essentials: 'Image Tools',
  inputs: () => ({
    required: {
      image: ['IMAGE'],
      upscale_method: [METHODS],
      scale_by: ['FLOAT', { default: 1, min: 0.01, max: 8, step: 0.01 }],
    },
  }),
  outputs: [['IMAGE', 'IMAGE']],
  run: async ({ image, scale_by }) => ({
    outputs: [(image as Picture[]).map((picture) => enlarged(picture, Number(scale_by)))],
  }),
}

const upscaleModelLoader: NodeDefinition = {
  name: 'UpscaleModelLoader',
  displayName: 'Load Upscale Model',
  category: 'model/loaders',
  module: 'comfy_extras.nodes_upscale_model',
  api: 'always',
  older: { category: 'loaders' },
  inputs: ({ models }) => ({
    required: {
      model_name: ['COMBO', { multiselect: false, options: models('upscale_models') }],
    },
  }),
  outputs: [['UPSCALE_MODEL', 'UPSCALE_MODEL']],
  run: async ({ model_name }) => ({ outputs: [{ model_name }] }),
}

const imageUpscaleWithModel: NodeDefinition = {
  name: 'ImageUpscaleWithModel',
  displayName: 'Upscale Image (using Model)',
  category: 'image/upscaling',
  module: 'comfy_extras.nodes_upscale_model',
  api: 'always',
  searchAliases: ['upscale'],
  inputs: () => ({
    required: { upscale_model: ['UPSCALE_MODEL', {}], image: ['IMAGE', {}] },
  }),
  outputs: [['IMAGE', 'IMAGE']],
  async run({ upscale_model, image }) {
    // Such models carry their factor in their name, by custom: "4x-UltraSharp", "RealESRGAN_x2".
    const { model_name } = upscale_model as { model_name: unknown }
    const [, before, after] = /(\d)x|x(\d)/i.exec(String(model_name)) ?? []
    const factor = Number(before ?? after ?? 4)
    return { outputs: [(image as Picture[]).map((picture) => enlarged(picture, factor))] }
  },
}

const vaeEncode: NodeDefinition = {
  name: 'VAEEncode',
  displayName: 'VAE Encode',
  category: 'model/latent',
  older: { category: 'latent' },
  inputs: () => ({ required: { pixels: ['IMAGE'], vae: ['VAE'] } }),
  outputs: [['LATENT', 'LATENT']],
  async run({ pixels }) {
    const pictures = pixels as Picture[]
    const { width = 0, height = 0 } = pictures[0] ?? {}
    // One value stands for 8 x 8 pixels; what is left over is cut off.
    const cut = (side: number) => side - (side % 8)
    return { outputs: [{ width: cut(width), height: cut(height), batch: pictures.length }] }
  },
}

/** The simulator draws the whole picture again: what it shows does not depend on the mask. */
const setLatentNoiseMask: NodeDefinition = {
  name: 'SetLatentNoiseMask',
  displayName: 'Set Latent Noise Mask',
  category: 'model/latent',
  older: { category: 'latent/inpaint' },
  inputs: () => ({ required: { samples: ['LATENT'], mask: ['MASK'] } }),
  outputs: [['LATENT', 'LATENT']],
  run: async ({ samples }) => ({ outputs: [samples] }),
}

export const enlargingNodes: readonly NodeDefinition[] = [
  imageScaleBy,
  upscaleModelLoader,
  imageUpscaleWithModel,
  vaeEncode,
  setLatentNoiseMask,
]

function enlarged(picture: Picture, factor: number): Picture {
  const [width, height] = [picture.width, picture.height].map((side) => Math.round(side * factor))
  if (!width || !height || width > MAX_SIDE || height > MAX_SIDE) {
    throw new NodeFailure('ValueError', `cannot scale to ${width}x${height}\n`, [])
  }
  return scale(picture, width, height, 'disabled')
}
