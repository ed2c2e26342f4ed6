import { encode } from 'fast-png'
import { expect, it } from 'vitest'
import { imageInfo } from './format.ts'
import { framesOf } from './frames.ts'

const bytes = (...parts: (string | number[])[]) =>
  Uint8Array.from(
    parts.flatMap((part) =>
      typeof part === 'string' ? [...part].map((character) => character.charCodeAt(0)) : part,
    ),
  )
const read = (image: Uint8Array) => {
  const info = imageInfo(image)
  return info && framesOf(image, info)
}

const HEAD = bytes('GIF89a', [3, 0, 2, 0, 0, 0, 0])
const frame = (width: number) => [0x2c, 0, 0, 0, 0, width, 0, 2, 0, 0, 2, 1, 0x44, 0]
const comment = [0x21, 0xfe, 2, 0x2c, 0x2c, 1, 0x3b, 0]
const control = [0x21, 0xf9, 4, 0, 0, 0, 0, 0]
const gif = (...parts: number[][]) => Uint8Array.from([...HEAD, ...parts.flat()])

it.each([
  ['one frame', gif(frame(3), [0x3b]), 1, 3],
  [
    'three frames, with comments and controls',
    gif(control, frame(3), comment, control, frame(3), frame(3)),
    3,
    3,
  ],
  ['a frame that enlarges the canvas', gif(frame(3), frame(9)), 2, 9],
  ['what is after the end', gif(frame(3), [0x3b], frame(3)), 1, 3],
  ['bytes between the frames, which readers skip', gif(frame(3), [0, 0, 1], frame(3)), 2, 3],
  ['a comment without text', gif([0x21, 0xfe, 0], frame(3)), 1, 3],
  ['a last frame that is cut off', gif(frame(3), frame(3).slice(0, -2)), 2, 3],
])('a GIF with %s', (_, image, count, width) => {
  expect(read(image)).toMatchObject({ count, width, height: 2 })
})

it.each([
  ['an extension without data', gif([0x21, 0xf9, 0], frame(3))],
  ['more blocks than can be looked at', gif(Array<number>(200_000).fill(0))],
])('a GIF with %s is refused', (_, image) => expect(read(image)).toBeUndefined())

it('counts the same in a PNG and in bytes in the middle of a larger buffer', () => {
  const png = encode({ width: 6, height: 4, data: new Uint8Array(72), channels: 3 })
  const shifted = new Uint8Array(png.length + 3)
  shifted.set(png, 3)
  expect(read(shifted.subarray(3))).toMatchObject({ count: 1, width: 6, height: 4 })
})

it('answers or refuses, whatever the bytes are', () => {
  let seed = 1
  const random = (below: number) => (seed = (seed * 48271) % 2147483647) % below
  const seeds = [
    gif(control, frame(3), comment, frame(3), [0x3b]),
    Uint8Array.from(encode({ width: 2, height: 2, data: new Uint8Array(4), channels: 1 })),
    bytes([0xff, 0xd8, 0xff, 0xe2, 0, 28], 'MPF\0MM\0*', [
      ...[0, 0, 0, 8, 0, 1, 0xb0, 2, 0, 7, 0, 0, 0, 32, 0, 0, 0, 1],
      ...[0xff, 0xc0, 0, 11, 8, 0, 2, 0, 3, 1, 1, 0x11, 0, 0xff, 0xda],
    ]),
    bytes('RIFF', [60, 0, 0, 0], 'WEBPVP8X', [10, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 1, 0, 0], 'ANMF', [
      ...[2, 0, 0, 0, 0, 0],
    ]),
  ]
  for (let round = 0; round < 4000; round++) {
    const image = Uint8Array.from(seeds[round % seeds.length] ?? [])
    for (let change = random(4); change >= 0; change--) image[random(image.length)] = random(256)
    const found = read(image.subarray(0, image.length - random(6)))
    if (found) expect(found.count).toBeGreaterThan(0)
  }
})
