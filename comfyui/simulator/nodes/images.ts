/** Nodes that need no model: pictures in, pictures out. */
import { readPixels } from '../drawing/read-pixels.ts'
import type { Picture } from '../drawing/png.ts'
import { type NodeDefinition, NodeFailure } from './definition.ts'
import { readMask } from './masks.ts'
import { BLEND_MODES, blendPictures, scale, solid } from './pixels.ts'

const MAX_SIDE = 16384
const IMAGE_OUTPUT = [['IMAGE', 'IMAGE']] as const

const emptyImage: NodeDefinition = {
  name: 'EmptyImage',
  displayName: 'Empty Image',
  category: 'image',
  older: { displayName: 'EmptyImage' },
  inputs: () => ({
    required: {
      width: ['INT', { default: 512, min: 1, max: MAX_SIDE, step: 1 }],
      height: ['INT', { default: 512, min: 1, max: MAX_SIDE, step: 1 }],
      batch_size: ['INT', { default: 1, min: 1, max: 4096 }],
      color: ['INT', { default: 0, min: 0, max: 0xffffff, step: 1, display: 'color' }],
    },
  }),
  outputs: IMAGE_OUTPUT,
  run: async ({ width, height, batch_size, color }) => ({
    outputs: [
      Array.from({ length: Number(batch_size) }, () =>
        solid(Number(width), Number(height), Number(color)),
      ),
    ],
  }),
}

const imageBlend: NodeDefinition = {
  name: 'ImageBlend',
  displayName: 'Blend Images',
  category: 'image/filters',
  module: 'comfy_extras.nodes_post_processing',
  api: 'always',
  essentials: 'Image Tools',
  searchAliases: ['blend'],
  older: { displayName: null, category: 'image/postprocessing' },
  inputs: () => ({
    required: {
      image1: ['IMAGE', {}],
      image2: ['IMAGE', {}],
      blend_factor: ['FLOAT', { default: 0.5, min: 0, max: 1, step: 0.01 }],
      blend_mode: ['COMBO', { multiselect: false, options: Object.keys(BLEND_MODES) }],
    },
  }),
  outputs: IMAGE_OUTPUT,
  async run({ image1, image2, blend_factor, blend_mode }) {
    const above = image2 as Picture[]
    return {
      outputs: [
        (image1 as Picture[]).map((below, index) =>
          blendPictures(
            below,
            above[index % above.length] ?? below,
            Number(blend_factor),
            String(blend_mode),
          ),
        ),
      ],
    }
  },
}

const imageScale: NodeDefinition = {
  name: 'ImageScale',
  displayName: 'Upscale Image',
  category: 'image/upscaling',
  essentials: 'Image Tools',
  inputs: () => ({
    required: {
      image: ['IMAGE'],
      upscale_method: [['nearest-exact', 'bilinear', 'area', 'bicubic', 'lanczos']],
      width: ['INT', { default: 512, min: 0, max: MAX_SIDE, step: 1 }],
      height: ['INT', { default: 512, min: 0, max: MAX_SIDE, step: 1 }],
      crop: [['disabled', 'center']],
    },
  }),
  outputs: IMAGE_OUTPUT,
  run: async ({ image, width, height, crop }) => ({
    outputs: [
      (image as Picture[]).map((picture) =>
        scale(
          picture,
          Number(width) || picture.width,
          Number(height) || picture.height,
          crop === 'center' ? 'center' : 'disabled',
        ),
      ),
    ],
  }),
}

const loadImage: NodeDefinition = {
  name: 'LoadImage',
  displayName: 'Load Image',
  category: 'image',
  essentials: 'Basics',
  inputs: ({ inputFiles }) => ({
    required: { image: [inputFiles(), { image_upload: true }] },
  }),
  checks: {
    image: (name, { hasInputFile }) =>
      hasInputFile(String(name)) ? undefined : `Invalid image file: ${String(name)}`,
  },
  outputs: [
    ['IMAGE', 'IMAGE'],
    ['MASK', 'MASK'],
  ],
  async run({ image }, run) {
    const name = String(image)
    const bytes = await run.readInput(name)
    try {
      const picture = readPixels(bytes ?? new Uint8Array())
      const mask = readMask(bytes, name, 'alpha')
      return { outputs: [[picture], [mask]] }
    } catch {
      throw new NodeFailure(
        'PIL.UnidentifiedImageError',
        `cannot identify image file '/comfyui-data/input/${name}'\n`,
        ['  File "/comfyui/nodes.py", line 1, in load_image\n    open_image(path)\n'],
      )
    }
  },
}

const saveImage: NodeDefinition = {
  name: 'SaveImage',
  displayName: 'Save Image',
  category: 'image',
  description: 'Writes the images to the output folder.',
  inputs: () => ({
    required: {
      images: ['IMAGE', { tooltip: 'What to write.' }],
      filename_prefix: ['STRING', { default: 'ComfyUI', tooltip: 'How the names begin.' }],
    },
    hidden: { prompt: 'PROMPT', extra_pnginfo: 'EXTRA_PNGINFO' },
  }),
  outputs: [['IMAGE', 'images']],
  older: { outputs: [] },
  searchAliases: ['save', 'output'],
  essentials: 'Basics',
  outputNode: true,
  async run({ images, filename_prefix }, run) {
    const saved = []
    for (const picture of images as Picture[]) {
      saved.push(await run.save(picture, String(filename_prefix), 'output'))
    }
    return { outputs: [images], ui: { images: saved } }
  },
}

const previewImage: NodeDefinition = {
  name: 'PreviewImage',
  displayName: 'Preview Image',
  category: 'image',
  description: 'Shows the images without keeping them.',
  inputs: () => ({
    required: { images: ['IMAGE'] },
    hidden: { prompt: 'PROMPT', extra_pnginfo: 'EXTRA_PNGINFO' },
  }),
  outputs: [['IMAGE', 'images']],
  older: { outputs: [] },
  essentials: 'Basics',
  outputNode: true,
  async run({ images }, run) {
    const saved = []
    for (const picture of images as Picture[]) {
      saved.push(await run.save(picture, 'ComfyUI_temp', 'temp'))
    }
    return { outputs: [images], ui: { images: saved } }
  },
}

export const imageNodes: readonly NodeDefinition[] = [
  emptyImage,
  imageBlend,
  imageScale,
  loadImage,
  saveImage,
  previewImage,
]
