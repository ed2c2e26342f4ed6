/** Arithmetic on pictures for the image nodes. */
import type { Picture } from '../drawing/png.ts'

export function solid(width: number, height: number, color: number): Picture {
  const pixels = new Uint8Array(width * height * 3)
  for (let at = 0; at < pixels.length; at += 3) {
    pixels[at] = (color >> 16) & 0xff
    pixels[at + 1] = (color >> 8) & 0xff
    pixels[at + 2] = color & 0xff
  }
  return { width, height, pixels }
}

/** The nearest pixel of the source for each of the target; `center` cuts to the target's proportions first. */
export function scale(
  source: Picture,
  width: number,
  height: number,
  crop: 'disabled' | 'center',
): Picture {
  const ratio = width / height
  let usedWidth = source.width
  let usedHeight = source.height
  if (crop === 'center') {
    if (source.width / source.height > ratio) usedWidth = Math.round(source.height * ratio)
    else usedHeight = Math.round(source.width / ratio)
  }
  const left = (source.width - usedWidth) / 2
  const top = (source.height - usedHeight) / 2
  const pixels = new Uint8Array(width * height * 3)
  for (let y = 0; y < height; y++) {
    const sourceY = Math.floor(top + ((y + 0.5) * usedHeight) / height)
    for (let x = 0; x < width; x++) {
      const sourceX = Math.floor(left + ((x + 0.5) * usedWidth) / width)
      const from = (sourceY * source.width + sourceX) * 3
      const to = (y * width + x) * 3
      for (let channel = 0; channel < 3; channel++) {
        pixels[to + channel] = source.pixels[from + channel] ?? 0
      }
    }
  }
  return { width, height, pixels }
}

type Mix = (below: number, above: number) => number

/** How two channel values in 0..1 become one. */
export const BLEND_MODES: Record<string, Mix> = {
  normal: (_, above) => above,
  multiply: (below, above) => below * above,
  screen: (below, above) => 1 - (1 - below) * (1 - above),
  overlay: (below, above) => (below <= 0.5 ? 2 * below * above : 1 - 2 * (1 - below) * (1 - above)),
  soft_light: (below, above) =>
    above <= 0.5
      ? below - (1 - 2 * above) * below * (1 - below)
      : below + (2 * above - 1) * (Math.sqrt(below) - below),
  difference: (below, above) => Math.abs(below - above),
}

/** The second picture, scaled to the first, laid over it with `factor` as its opacity. */
export function blendPictures(
  below: Picture,
  above: Picture,
  factor: number,
  mode: string,
): Picture {
  const mix = BLEND_MODES[mode] ?? ((_, value) => value)
  const fitted =
    above.width === below.width && above.height === below.height
      ? above
      : scale(above, below.width, below.height, 'center')
  const pixels = below.pixels.map((value, at) => {
    const old = value / 255
    const mixed = mix(old, (fitted.pixels[at] ?? 0) / 255)
    return Math.round((old * (1 - factor) + mixed * factor) * 255)
  })
  return { width: below.width, height: below.height, pixels }
}
