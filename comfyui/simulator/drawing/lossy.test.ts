import { describe, expect, it } from 'vitest'
import { contain, encodeJpeg, encodeWebp } from './lossy.ts'
import type { Picture } from './png.ts'

const plain = (width: number, height: number, colour: readonly number[]): Picture => ({
  width,
  height,
  pixels: Uint8Array.from({ length: width * height * 3 }, (_, at) => colour[at % 3] ?? 0),
})

describe('a picture', () => {
  it('is a JPEG file of its size', async () => {
    const jpeg = await encodeJpeg(plain(40, 24, [200, 10, 10]), 90)
    expect(jpeg.subarray(0, 3).toString('hex')).toBe('ffd8ff')
    const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]))
    expect([jpeg.readUInt16BE(frame + 7), jpeg.readUInt16BE(frame + 5)]).toEqual([40, 24])
  })

  it('is a WebP file of its size, smaller with a lower quality', async () => {
    const noisy = plain(64, 48, [0, 0, 0])
    noisy.pixels.forEach((_, at) => (noisy.pixels[at] = (at * 7919) % 251))
    const [good, poor] = [await encodeWebp(noisy, 95), await encodeWebp(noisy, 10)]
    expect(good.subarray(8, 16).toString()).toBe('WEBPVP8 ')
    expect([good.readUInt16LE(26), good.readUInt16LE(28)]).toEqual([64, 48])
    expect(poor.length).toBeLessThan(good.length)
  })
})

describe('a picture within a square', () => {
  it('keeps its shape, and is not made larger', () => {
    const { width, height } = contain(plain(1024, 512, [1, 2, 3]), 512)
    expect([width, height]).toEqual([512, 256])
    const small = plain(100, 60, [1, 2, 3])
    expect(contain(small, 512)).toBe(small)
  })

  it('has the mean of the colours', () => {
    const pixels = Uint8Array.of(0, 0, 0, 255, 255, 255, 0, 0, 0, 255, 255, 255)
    expect(contain({ width: 2, height: 2, pixels }, 1).pixels).toEqual(Uint8Array.of(128, 128, 128))
  })
})
