/** Pixels to JPEG and WebP: what ComfyUI sends as a preview. */
import encodeAsJpeg, { init as initJpeg } from '@jsquash/jpeg/encode.js'
import encodeAsWebp, { init as initWebp } from '@jsquash/webp/encode.js'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Picture } from './png.ts'

const { resolve } = createRequire(import.meta.url)

/** The packages fetch their WebAssembly in a browser; here it is a file. Compiled when it is first needed. */
const once = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}
const compiled = async (file: string) => WebAssembly.compile(await readFile(resolve(file)))
const jpegReady = once(async () =>
  initJpeg(await compiled('@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm')),
)
const webpReady = once(async () =>
  initWebp(await compiled('@jsquash/webp/codec/enc/webp_enc_simd.wasm')),
)

/** @param quality 0 to 100. */
export async function encodeJpeg(picture: Picture, quality: number): Promise<Buffer> {
  await jpegReady()
  const options = { quality, baseline: true, progressive: false }
  return Buffer.from(await encodeAsJpeg(imageData(picture), options))
}

/** @param quality 0 to 100. */
export async function encodeWebp(picture: Picture, quality: number): Promise<Buffer> {
  await webpReady()
  return Buffer.from(await encodeAsWebp(imageData(picture), { quality }))
}

function imageData({ width, height, pixels }: Picture): ImageData {
  const data = new Uint8ClampedArray(width * height * 4)
  for (let at = 0; at < width * height; at++) {
    data.set(pixels.subarray(at * 3, at * 3 + 3), at * 4)
    data[at * 4 + 3] = 255
  }
  return { data, width, height, colorSpace: 'srgb' }
}

/** The picture, no wider and no higher than `side`; each pixel is the mean of those that it stands for. */
export function contain(picture: Picture, side: number): Picture {
  const scale = Math.min(1, side / Math.max(picture.width, picture.height))
  if (scale === 1) return picture
  const width = Math.max(1, Math.round(picture.width * scale))
  const height = Math.max(1, Math.round(picture.height * scale))
  const pixels = new Uint8Array(width * height * 3)
  for (let y = 0; y < height; y++) {
    const rows = span(y, height, picture.height)
    for (let x = 0; x < width; x++) {
      const columns = span(x, width, picture.width)
      for (let channel = 0; channel < 3; channel++) {
        pixels[(y * width + x) * 3 + channel] = mean(picture, rows, columns, channel)
      }
    }
  }
  return { width, height, pixels }
}

type Span = readonly [from: number, to: number]

function span(at: number, small: number, large: number): Span {
  const from = Math.floor((at * large) / small)
  return [from, Math.max(from + 1, Math.floor(((at + 1) * large) / small))]
}

function mean(
  { width, pixels }: Picture,
  [top, bottom]: Span,
  [left, right]: Span,
  channel: number,
): number {
  let sum = 0
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) sum += pixels[(y * width + x) * 3 + channel] ?? 0
  }
  return Math.round(sum / ((bottom - top) * (right - left)))
}
