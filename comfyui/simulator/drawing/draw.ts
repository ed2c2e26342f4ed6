/** What the simulator's sampler "generates": a landscape with the prompt, the seed and the size written on it. */
import type { Picture } from './png.ts'
import { fnv1a } from 'ftl-contract'
import { paintScene, randomFrom } from './scene.ts'
import { blend, type Color, drawLine, lineHeight, textWidth, wrapText } from './text.ts'

export interface DrawingOptions {
  width: number
  height: number
  prompt: string
  negative?: string
  seed: number
  /** Small print besides seed and size, for example the number of steps. */
  details?: string
}

const WHITE: Color = [255, 255, 255]
const PANEL: Color = [12, 14, 26]
/** Below this there is no room for words, and letters cost more than the picture. */
const MIN_TEXT_SIDE = 96

/** Draws; the same options always give the same pixels. */
export function drawPicture(options: DrawingOptions): Picture {
  const { width, height, prompt, negative = '', seed } = options
  const random = randomFrom(fnv1a(`${seed}\n${prompt}\n${negative}`))
  const picture = paintScene(width, height, random)
  const side = Math.min(width, height)
  if (side < MIN_TEXT_SIDE) return picture

  const margin = Math.round(side * 0.06)
  const small = Math.max(1, side / 420)
  const footer = [`seed ${seed}`, `${width} x ${height}`, options.details]
    .filter(Boolean)
    .join(' · ')
  const footerLines = wrapText(footer, width - margin * 2, small)
  const footerTop = height - margin - footerLines.length * lineHeight(small)

  const room = width - margin * 4
  const negativeLines = cut(wrapText(negative && `without: ${negative}`, room, small), 3)
  const negativeHeight = negativeLines.length * lineHeight(small)
  const available = footerTop - margin * 4 - negativeHeight
  const { lines, scale } = fit(prompt, room, available * 0.55, side)
  const textHeight = lines.length * lineHeight(scale)
  const gap = negativeLines.length > 0 ? margin / 2 : 0

  const panelHeight = textHeight + gap + negativeHeight + margin * 1.6
  fillPanel(picture, margin, margin, width - margin * 2, panelHeight, margin * 0.5)
  let y = margin * 1.9
  for (const line of lines) {
    const x = (width - textWidth(line, scale)) / 2
    drawLine(picture, line, x, y, { scale, color: WHITE })
    y += lineHeight(scale)
  }
  y += gap
  for (const line of negativeLines) {
    drawLine(picture, line, (width - textWidth(line, small)) / 2, y, {
      scale: small,
      color: WHITE,
      opacity: 0.7,
    })
    y += lineHeight(small)
  }
  footerLines.forEach((line, index) =>
    drawLine(picture, line, margin, footerTop + index * lineHeight(small), {
      scale: small,
      color: WHITE,
      opacity: 0.92,
    }),
  )
  return picture
}

/** The largest letters with which the whole text still fits; at the smallest size it is cut. */
function fit(
  text: string,
  width: number,
  height: number,
  side: number,
): { lines: string[]; scale: number } {
  const smallest = Math.max(1, side / 420)
  for (let scale = side / 130; scale > smallest; scale *= 0.88) {
    const lines = wrapText(text, width, scale)
    const longest = Math.max(0, ...text.split(/\s+/).map((word) => textWidth(word, scale)))
    if (lines.length * lineHeight(scale) <= height && longest <= width) return { lines, scale }
  }
  const most = Math.max(1, Math.floor(height / lineHeight(smallest)))
  return { lines: cut(wrapText(text, width, smallest), most), scale: smallest }
}

function cut(lines: string[], most: number): string[] {
  if (lines.length <= most) return lines
  const kept = lines.slice(0, most)
  return [...kept.slice(0, -1), `${(kept.at(-1) ?? '').slice(0, -3)}...`]
}

function fillPanel(
  picture: Picture,
  left: number,
  top: number,
  width: number,
  height: number,
  radius: number,
): void {
  const right = Math.min(picture.width, left + width)
  const bottom = Math.min(picture.height, top + height)
  for (let y = Math.floor(top); y < bottom; y++) {
    for (let x = Math.floor(left); x < right; x++) {
      const dx = Math.max(0, left + radius - x, x - (right - radius))
      const dy = Math.max(0, top + radius - y, y - (bottom - radius))
      const inside = Math.min(1, Math.max(0, radius - Math.sqrt(dx * dx + dy * dy) + 0.5))
      if (inside > 0) blend(picture, x, y, PANEL, 0.52 * inside)
    }
  }
}
