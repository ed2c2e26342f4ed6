/** The background: a sky, a sun and hills that follow from a seed, the same on every machine. */
import type { Picture } from './png.ts'
import type { Color } from './text.ts'

const HILLS = 5

/** A sequence of numbers in [0, 1) that depends on nothing but `seed` (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export function paintScene(width: number, height: number, random: () => number): Picture {
  const pixels = new Uint8Array(width * height * 3)
  // From blue over violet and red to orange: skies are not green.
  const hue = 0.54 + random() * 0.46
  const turn = 0.05 + random() * 0.06
  const top = fromHsl(hue, 0.5, 0.2 + random() * 0.12)
  const middle = fromHsl(hue + turn, 0.52, 0.54)
  const horizon = fromHsl(hue + turn * 2, 0.7, 0.78)
  const sunX = width * (0.2 + random() * 0.6)
  const sunY = height * (0.46 + random() * 0.16)
  const sunRadius = Math.min(width, height) * (0.06 + random() * 0.05)
  const sun = fromHsl(hue + turn * 2.4, 0.9, 0.9)
  const hills = Array.from({ length: HILLS }, (_, index) =>
    hill(width, height, index, random, fromHsl(hue + turn, 0.45, 0.46 - index * 0.085)),
  )
  const glow = Math.min(width, height) * 0.55

  for (let y = 0; y < height; y++) {
    const share = Math.min(1, y / (height * 0.72))
    const sky =
      share < 0.6 ? mix(top, middle, share / 0.6) : mix(middle, horizon, (share - 0.6) / 0.4)
    for (let x = 0; x < width; x++) {
      // Not Math.hypot, which takes half of the whole time.
      const distance = Math.sqrt((x - sunX) ** 2 + (y - sunY) ** 2)
      const near = Math.max(0, 1 - distance / glow)
      const disc = Math.min(1, Math.max(0, sunRadius - distance + 0.5))
      const light = Math.max(disc, near * near * 0.55)
      let red = sky[0] + (sun[0] - sky[0]) * light
      let green = sky[1] + (sun[1] - sky[1]) * light
      let blue = sky[2] + (sun[2] - sky[2]) * light
      for (const { ridge, color } of hills) {
        const inside = Math.min(1, y - (ridge[x] ?? height) + 0.5)
        if (inside <= 0) continue
        red += (color[0] - red) * inside
        green += (color[1] - green) * inside
        blue += (color[2] - blue) * inside
      }
      const at = (y * width + x) * 3
      pixels[at] = red
      pixels[at + 1] = green
      pixels[at + 2] = blue
    }
  }
  return { width, height, pixels }
}

function hill(
  width: number,
  height: number,
  index: number,
  random: () => number,
  color: Color,
): { ridge: Float64Array; color: Color } {
  const base = height * (0.6 + index * 0.075)
  const waves = [1, 2.3, 5.1].map((frequency) => ({
    frequency: (frequency * (0.7 + random() * 0.6) * width) / Math.max(width, height),
    phase: random() * Math.PI * 2,
    size: (height * (0.055 - index * 0.006)) / frequency ** 0.8,
  }))
  const ridge = new Float64Array(width)
  for (let x = 0; x < width; x++) {
    ridge[x] = waves.reduce(
      (sum, { frequency, phase, size }) =>
        sum + Math.sin((x / width) * frequency * Math.PI * 2 + phase) * size,
      base,
    )
  }
  return { ridge, color }
}

function mix(from: Color, to: Color, share: number): Color {
  return [
    from[0] + (to[0] - from[0]) * share,
    from[1] + (to[1] - from[1]) * share,
    from[2] + (to[2] - from[2]) * share,
  ]
}

function fromHsl(hue: number, saturation: number, lightness: number): Color {
  const chroma = saturation * Math.min(lightness, 1 - lightness)
  const channel = (offset: number) => {
    const k = (offset + (((hue % 1) + 1) % 1) * 12) % 12
    return 255 * (lightness - chroma * Math.max(-1, Math.min(k - 3, 9 - k, 1)))
  }
  return [channel(0), channel(8), channel(4)]
}
