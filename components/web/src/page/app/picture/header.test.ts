import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HEAD, readHeader } from './header.ts'
import { processorMs } from '../../../../../../test/support/processor-time.ts'

const bytes = (...parts: (string | number[])[]) =>
  new Uint8Array(
    parts.flatMap((part) =>
      typeof part === 'string' ? [...part].map((letter) => letter.charCodeAt(0)) : part,
    ),
  )
const u32 = (value: number) => [
  value >>> 24,
  (value >>> 16) & 255,
  (value >>> 8) & 255,
  value & 255,
]
const PNG = [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]
const png = (width: number, height: number, ...rest: (string | number[])[]) =>
  bytes(PNG, u32(13), 'IHDR', u32(width), u32(height), [8, 2, 0, 0, 0], u32(0), ...rest)

describe('the header of a picture', () => {
  it.each([
    ['PNG', png(30_000, 2), { mimeType: 'image/png', width: 30_000, height: 2, isAnimated: false }],
    [
      'PNG that moves',
      png(3, 2, u32(8), 'acTL', u32(2), u32(0), u32(0), u32(0), 'IDAT'),
      { mimeType: 'image/png', width: 3, height: 2, isAnimated: true },
    ],
    [
      'GIF',
      bytes('GIF87a', [0x10, 0x27, 5, 0], [0, 0, 0]),
      { mimeType: 'image/gif', width: 10_000, height: 5, isAnimated: false },
    ],
    [
      'WebP without loss',
      // 14 bits of the width less one, 14 of the height less one.
      bytes('RIFF', u32(0), 'WEBPVP8L', u32(0), [0x2f, 0x0f, 0xc0, 0x07, 0x00]),
      { mimeType: 'image/webp', width: 16, height: 32, isAnimated: false },
    ],
    [
      'WebP that moves',
      bytes('RIFF', u32(0), 'WEBPVP8X', u32(0), [2, 0, 0, 0], [0xff, 0xff, 0xff], [0, 1, 0]),
      { mimeType: 'image/webp', width: 16_777_216, height: 257, isAnimated: true },
    ],
    [
      'JPEG behind a description',
      bytes([
        0xff, 0xd8, 0xff, 0xe1, 0, 6, 1, 2, 3, 4, 0xff, 0xc2, 0, 17, 8, 0x12, 0x34, 0x56, 0x78,
      ]),
      { mimeType: 'image/jpeg', width: 0x5678, height: 0x1234, isAnimated: false },
    ],
  ])('of a %s has its size', (_, picture, expected) => {
    expect(readHeader(picture)).toEqual(expected)
  })

  it.each([
    ['nothing', bytes()],
    ['SVG', bytes('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['a PNG that is cut off', png(1, 1).slice(0, 20)],
    ['a JPEG without a size', bytes([0xff, 0xd8, 0xff, 0xe0, 0, 2])],
    ['a BMP', bytes('BM', u32(1), u32(2), u32(3), u32(4), u32(5))],
  ])('is not there for %s', (_, content) => {
    expect(readHeader(content)).toBeUndefined()
  })

  it('is read from any bytes in time, without an error', () => {
    const starts = [bytes(PNG, u32(13), 'IHDR'), bytes('GIF89a'), bytes('RIFF', u32(0), 'WEBP')]
    const start = fc.constantFrom(...starts, bytes([0xff, 0xd8, 0xff]), bytes())
    fc.assert(
      fc.property(start, fc.uint8Array({ maxLength: 300 }), (head, tail) => {
        readHeader(new Uint8Array([...head, ...tail]))
      }),
      { numRuns: 2000 },
    )
    const begun = processorMs()
    for (const fill of [0, 0xff, 0x4e]) {
      for (const head of starts)
        readHeader(
          new Uint8Array(HEAD)
            .fill(fill)
            .fill(0, 0, 0)
            .map((byte, at) => head[at] ?? byte),
        )
    }
    expect(processorMs() - begun).toBeLessThan(2_000)
  })
})
