/** The size of an image: that of the shape, or the one that the caller asked for. */
import { familyOf } from 'ftl-comfyui/models'
import { SIZES } from './schema.ts'

export interface Size {
  width: number
  height: number
}

/** Families whose latent values stand for 8 x 8 pixels. Others, also those of a name that says nothing, take multiples of 16. */
const FINE: ReadonlySet<unknown> = new Set(['sdxl', 'sd15', 'sd2'])

/** Of one side alone, the shape decides the other. */
export function askedSize(
  shape: keyof typeof SIZES,
  { width, height }: Partial<Size>,
): Size | undefined {
  const { width: across, height: down } = SIZES[shape]
  if (width !== undefined) return { width, height: height ?? (width * down) / across }
  return height === undefined ? undefined : { width: (height * across) / down, height }
}

/** The nearest size that the family of the model takes. */
export function nearestSize({ width, height }: Size, model: string | undefined): Size {
  const step = model !== undefined && FINE.has(familyOf(model)) ? 8 : 16
  const nearest = (side: number) => Math.max(step, Math.round(side / step) * step)
  return { width: nearest(width), height: nearest(height) }
}
