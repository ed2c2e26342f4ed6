/**
 * Text as smooth strokes: neighbouring dots of the font become rounded lines, so that letters look drawn and
 * not pixelated at any size.
 */
import { glyphRows, toFontText } from './font.ts'
import type { Picture } from './png.ts'

export type Color = readonly [red: number, green: number, blue: number]

/** Dots between two letters, of a space, and from one line to the next. */
const GAP = 1.25
const SPACE = 4.2
const LINE = 11
/** Half the thickness of a stroke, in dots. */
const RADIUS = 0.52

interface Stroke {
  x1: number
  y1: number
  x2: number
  y2: number
}

interface Letter {
  strokes: Stroke[]
  /** Dots to the next letter. */
  advance: number
}

const letters = new Map<string, Letter>()

/** Width of a line in pixels; `scale` is the size of a dot. */
export function textWidth(text: string, scale: number): number {
  let dots = 0
  for (const character of text) dots += letterOf(character).advance
  return Math.max(0, dots - GAP) * scale
}

export function lineHeight(scale: number): number {
  return LINE * scale
}

/** Breaks text into lines of at most `width` pixels; a longer word is cut. */
export function wrapText(text: string, width: number, scale: number): string[] {
  const lines: string[] = []
  const fits = (line: string) => textWidth(line, scale) <= width
  for (const paragraph of toFontText(text).split('\n')) {
    let line = ''
    for (const word of paragraph.split(/\s+/).filter(Boolean)) {
      if (line !== '' && fits(`${line} ${word}`)) {
        line += ` ${word}`
        continue
      }
      if (line !== '') lines.push(line)
      line = ''
      for (const character of word) {
        if (line !== '' && !fits(line + character)) {
          lines.push(line)
          line = ''
        }
        line += character
      }
    }
    if (line !== '') lines.push(line)
  }
  return lines
}

export interface TextStyle {
  /** Size of one dot of the font in pixels. */
  scale: number
  color: Color
  /** 0 to 1. @default 1 */
  opacity?: number
}

/** Draws one line with its upper left corner at `x`, `y`. */
export function drawLine(
  picture: Picture,
  text: string,
  x: number,
  y: number,
  { scale, color, opacity = 1 }: TextStyle,
): void {
  let left = x
  for (const character of text) {
    const letter = letterOf(character)
    drawLetter(picture, letter, left, y, { scale, color, opacity })
    left += letter.advance * scale
  }
}

function letterOf(character: string): Letter {
  const known = letters.get(character)
  if (known) return known
  const glyph = glyphRows(character)
  const first = Math.min(...glyph.map((row) => (row.includes(true) ? row.indexOf(true) : 9)))
  const last = Math.max(...glyph.map((row) => row.lastIndexOf(true)))
  // The font is drawn in equal cells; letters are set as wide as they are.
  const rows = glyph.map((row) => row.slice(first))
  const dot = (x: number, y: number) => rows[y]?.[x] ?? false
  const made: Stroke[] = []
  const link = (x1: number, y1: number, x2: number, y2: number) => made.push({ x1, y1, x2, y2 })
  rows.forEach((row, y) =>
    row.forEach((on, x) => {
      if (!on) return
      link(x, y, x, y)
      if (dot(x + 1, y)) link(x, y, x + 1, y)
      if (dot(x, y + 1)) link(x, y, x, y + 1)
      // A diagonal is a stroke only where no corner already joins the two dots.
      if (dot(x + 1, y + 1) && !dot(x + 1, y) && !dot(x, y + 1)) link(x, y, x + 1, y + 1)
      if (dot(x - 1, y + 1) && !dot(x - 1, y) && !dot(x, y + 1)) link(x, y, x - 1, y + 1)
    }),
  )
  const letter = { strokes: made, advance: made.length === 0 ? SPACE : last - first + 1 + GAP }
  letters.set(character, letter)
  return letter
}

function drawLetter(
  picture: Picture,
  { strokes, advance }: Letter,
  left: number,
  top: number,
  { scale, color, opacity = 1 }: TextStyle,
): void {
  if (strokes.length === 0) return
  const { width, height } = picture
  for (let y = Math.max(0, Math.floor(top)); y < Math.min(height, top + 10 * scale); y++) {
    for (let x = Math.max(0, Math.floor(left)); x < Math.min(width, left + advance * scale); x++) {
      const dotX = (x + 0.5 - left) / scale - 0.5
      const dotY = (y + 0.5 - top) / scale - 0.5
      let distance = Infinity
      for (const part of strokes) distance = Math.min(distance, distanceTo(part, dotX, dotY))
      const coverage = Math.min(1, Math.max(0, (RADIUS - distance) * scale + 0.5))
      if (coverage > 0) blend(picture, x, y, color, coverage * opacity)
    }
  }
}

function distanceTo({ x1, y1, x2, y2 }: Stroke, x: number, y: number): number {
  const dx = x2 - x1
  const dy = y2 - y1
  const length = dx * dx + dy * dy
  const along = length === 0 ? 0 : ((x - x1) * dx + (y - y1) * dy) / length
  const nearest = Math.min(1, Math.max(0, along))
  return Math.sqrt((x - x1 - nearest * dx) ** 2 + (y - y1 - nearest * dy) ** 2)
}

/** Mixes a colour into one pixel. */
export function blend(picture: Picture, x: number, y: number, color: Color, opacity: number): void {
  const at = (y * picture.width + x) * 3
  for (let channel = 0; channel < 3; channel++) {
    const old = picture.pixels[at + channel] ?? 0
    picture.pixels[at + channel] = old + ((color[channel] ?? 0) - old) * opacity
  }
}
