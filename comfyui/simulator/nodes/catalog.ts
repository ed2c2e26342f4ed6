/** Every node the simulator has. */
import type { NodeDefinition } from './definition.ts'
import { diffusionNodes } from './diffusion.ts'
import { enlargingNodes } from './enlarging.ts'
import { imageNodes } from './images.ts'
import { loraNodes } from './loras.ts'
import { mediaNodes } from './media.ts'
import { maskNodes } from './masks.ts'
import { textNodes } from './texts.ts'

export const NODES: ReadonlyMap<string, NodeDefinition> = new Map(
  [
    ...diffusionNodes,
    ...imageNodes,
    ...enlargingNodes,
    ...textNodes,
    ...maskNodes,
    ...loraNodes,
    ...mediaNodes,
  ].map((node) => [node.name, node]),
)

/** Model files the server pretends to have, by folder. */
export const MODELS: Readonly<Record<string, readonly string[]>> = {
  checkpoints: ['sd_xl_base_1.0.safetensors'],
  loras: ['more-detail.safetensors', 'pixel-art.safetensors'],
}
