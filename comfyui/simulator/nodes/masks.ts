/** Masks: pictures of one channel, white where something is to be changed. */
import { decode } from 'fast-png'
import type { Picture } from '../drawing/png.ts'
import type { NodeDefinition } from './definition.ts'
import { NodeFailure } from './definition.ts'

const CHANNELS = ['alpha', 'red', 'green', 'blue']

/** @returns a picture whose three channels are the mask. */
export function readMask(bytes: Uint8Array | undefined, name: string, channel: string): Picture {
  try {
    const { width, height, data, channels } = decode(bytes ?? new Uint8Array())
    const hasAlpha = channels === 2 || channels === 4
    const pixels = new Uint8Array(width * height * 3)
    for (let at = 0; at < width * height; at++) {
      const of = (index: number) => Number(data[at * channels + index])
      const color = channels < 3 ? 0 : CHANNELS.indexOf(channel) - 1
      // Transparent is what is to be changed, so alpha is turned around.
      const value = channel === 'alpha' ? (hasAlpha ? 255 - of(channels - 1) : 0) : of(color)
      pixels.fill(value, at * 3, at * 3 + 3)
    }
    return { width, height, pixels }
  } catch {
    throw new NodeFailure(
      'PIL.UnidentifiedImageError',
      `cannot identify image file '/comfyui-data/input/${name}'\n`,
      ['  File "/comfyui/nodes.py", line 1, in load_image\n    open_image(path)\n'],
    )
  }
}

const loadImageMask: NodeDefinition = {
  name: 'LoadImageMask',
  displayName: 'Load Image (as Mask)',
  category: 'image',
  essentials: 'Image Tools',
  older: { category: 'mask' },
  inputs: ({ inputFiles }) => ({
    required: { image: [inputFiles(), { image_upload: true }], channel: [CHANNELS] },
  }),
  checks: {
    image: (name, { hasInputFile }) =>
      hasInputFile(String(name)) ? undefined : `Invalid image file: ${String(name)}`,
  },
  outputs: [['MASK', 'MASK']],
  async run({ image, channel }, host) {
    const name = String(image)
    return { outputs: [[readMask(await host.readInput(name), name, String(channel))]] }
  },
}

const maskToImage: NodeDefinition = {
  name: 'MaskToImage',
  displayName: 'Convert Mask to Image',
  category: 'image/mask',
  module: 'comfy_extras.nodes_mask',
  api: 'since 0.3.64',
  older: { category: 'mask' },
  searchAliases: ['mask'],
  inputs: ({ modern }) => ({ required: { mask: modern ? ['MASK', {}] : ['MASK'] } }),
  outputs: [['IMAGE', 'IMAGE']],
  run: async ({ mask }) => ({ outputs: [mask] }),
}

export const maskNodes: readonly NodeDefinition[] = [loadImageMask, maskToImage]
