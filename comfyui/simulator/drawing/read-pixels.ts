/** Pixels of a PNG file, without transparency. */
import { decode } from 'fast-png'
import type { Picture } from './png.ts'

/** @throws {Error} if the bytes are not a PNG file. */
export function readPixels(bytes: Uint8Array): Picture {
  const { width, height, data, channels } = decode(bytes)
  const pixels = new Uint8Array(width * height * 3)
  for (let at = 0; at < width * height; at++) {
    for (let channel = 0; channel < 3; channel++) {
      pixels[at * 3 + channel] = Number(data[at * channels + (channels < 3 ? 0 : channel)])
    }
  }
  return { width, height, pixels }
}
