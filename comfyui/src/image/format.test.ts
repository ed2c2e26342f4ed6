import { encode } from 'fast-png'
import { describe, expect, it } from 'vitest'
import { imageInfo } from './format.ts'

const bytes = (...parts: (string | number[])[]) =>
  Uint8Array.from(
    parts.flatMap((part) =>
      typeof part === 'string' ? [...part].map((character) => character.charCodeAt(0)) : part,
    ),
  )

// Headers put together from the formats' specifications, 300 x 200 pixels each.
const app0 = [0xff, 0xe0, 0, 4, 1, 2]
const sof = (marker: number) => [0xff, marker, 0, 17, 8, 0, 200, 1, 44, 3]
const huffman = [0xff, 0xc4, 0, 3, 9]
const vp8x = bytes(
  'RIFF',
  [0, 0, 0, 0],
  'WEBPVP8X',
  [10, 0, 0, 0, 0, 0, 0, 0],
  [43, 1, 0, 199, 0, 0],
)
// 14 bits of width - 1 and of height - 1, from the lowest bit on.
const bits = 299 | (199 << 14)
const vp8l = bytes(
  'RIFF',
  [0, 0, 0, 0],
  'WEBPVP8L',
  [5, 0, 0, 0, 0x2f],
  [bits, bits >> 8, bits >> 16, bits >> 24].map((byte) => byte & 255),
)
const vp8 = bytes(
  'RIFF',
  [0, 0, 0, 0],
  'WEBPVP8 ',
  [9, 0, 0, 0, 0, 0, 0, 0x9d, 1, 0x2a, 44, 1, 200, 0],
)

describe('an image says its format and size', () => {
  it.each([
    ['png', encode({ width: 300, height: 200, data: new Uint8Array(300 * 200 * 3), channels: 3 })],
    ['gif', bytes('GIF89a', [44, 1, 200, 0])],
    ['jpeg', bytes([0xff, 0xd8], app0, huffman, sof(0xc2))],
    ['jpeg', bytes([0xff, 0xd8], [0xff], sof(0xc0))],
    ['webp', vp8x],
    ['webp', vp8l],
    ['webp', vp8],
  ])('%s', (format, image) => {
    expect(imageInfo(image)).toEqual({ format, width: 300, height: 200 })
    // Bytes in the middle of a larger buffer, as a reader gives them.
    const shifted = new Uint8Array(image.length + 3)
    shifted.set(image, 3)
    expect(imageInfo(shifted.subarray(3))?.width).toBe(300)
  })
})

it.each([
  ['nothing', bytes()],
  ['text', bytes('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['a page', bytes('<!doctype html>')],
  ['a cut header', bytes('\x89PNG\r\n\x1a\n', [0, 0])],
  ['a JPEG that never comes to its frame', bytes([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2])],
  ['a segment of no length', bytes([0xff, 0xd8, 0xff, 0xe0, 0, 0, 0, 0])],
  ['no pixels', bytes('GIF89a', [0, 0, 1, 0])],
  ['another RIFF file', bytes('RIFF', [0, 0, 0, 0], 'WAVEfmt ')],
])('%s is no image', (_, data) => {
  expect(imageInfo(data)).toBeUndefined()
})
