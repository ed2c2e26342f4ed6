/** Workflows that need no model, so that they run on any server. */
import type { Target } from './target.ts'

type Workflow = Record<string, { class_type: string; inputs: Record<string, unknown> }>

export interface PictureOptions {
  prompt?: string
  width?: number
  height?: number
  /** 0xRRGGBB of the picture below; the one above is black and half transparent. */
  color: number
}

/** A picture of half the colour's brightness, and the prompt as a text. */
export function picture({ prompt = '', width = 64, height = 64, color }: PictureOptions): Workflow {
  const solid = (of: number) => ({
    class_type: 'EmptyImage',
    inputs: { width: 32, height: 32, batch_size: 1, color: of },
  })
  return {
    below: solid(color),
    above: solid(0),
    blend: {
      class_type: 'ImageBlend',
      inputs: {
        image1: ['below', 0],
        image2: ['above', 0],
        blend_factor: 0.5,
        blend_mode: 'normal',
      },
    },
    'group:4': scaled('blend', width, height),
    save: saved('group:4'),
    text: { class_type: 'PrimitiveStringMultiline', inputs: { value: prompt } },
    echo: { class_type: 'PreviewAny', inputs: { source: ['text', 0] } },
  }
}

/** The picture a LoadImage node reads, saved as it is. */
export function loaded(image: string): Workflow {
  return { load: { class_type: 'LoadImage', inputs: { image } }, save: saved('load') }
}

/**
 * Runs for about `seconds`, and can be stopped on the way. Without the test node it is a chain of large scalings: how
 * long it takes depends on the machine, but it looks for an interrupt between any two of them.
 */
export function slow({ has }: Target, seconds: number): Workflow {
  const seed = unique()
  if (has('SlowImage')) {
    const inputs = { steps: Math.ceil(seconds / 0.05), seconds: 0.05, seed, fail_at: -1 }
    return { work: { class_type: 'SlowImage', inputs }, save: saved('work') }
  }
  return chain(Math.ceil(seconds * 2), 4096, seed)
}

/** As many scalings one after the other, the last of them saved. */
export function chain(length: number, side: number, color: number): Workflow {
  const nodes: Workflow = {
    '0': { class_type: 'EmptyImage', inputs: { width: 8, height: 8, batch_size: 1, color } },
  }
  for (let step = 1; step <= length; step++) {
    nodes[step] = scaled(String(step - 1), side - (step % 2), side)
  }
  return { ...nodes, save: saved(String(length)) }
}

/** A colour, or seed, that no prompt before had: a server keeps what it has computed. */
export function unique(): number {
  return Math.floor(Math.random() * 0x1000000)
}

function scaled(from: string, width: number, height: number): Workflow[string] {
  const inputs = { image: [from, 0], upscale_method: 'lanczos', width, height, crop: 'disabled' }
  return { class_type: 'ImageScale', inputs }
}

function saved(from: string): Workflow[string] {
  return {
    class_type: 'SaveImage',
    inputs: { images: [from, 0], filename_prefix: 'mcp/acceptance' },
  }
}
