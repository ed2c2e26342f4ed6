/**
 * Pixels to PNG.
 *
 * @see https://www.w3.org/TR/png-3/
 */
import { promisify } from 'node:util'
import { crc32, deflate } from 'node:zlib'

/** RGB, three bytes a pixel, rows from the top. */
export interface Picture {
  width: number
  height: number
  pixels: Uint8Array
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const UP = 2
const compress = promisify(deflate)

/**
 * @param texts keyword to content of `tEXt` chunks; anything but ASCII is written as `\uXXXX`, which is what
 *   JSON content needs.
 */
export async function encodePng(
  { width, height, pixels }: Picture,
  texts: Record<string, string> = {},
): Promise<Buffer> {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    ...Object.entries(texts).map(([keyword, text]) =>
      chunk('tEXt', Buffer.from(`${keyword}\0${toAscii(text)}`, 'latin1')),
    ),
    chunk('IDAT', await compress(filterRows(width, height, pixels), { level: 5 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function filterRows(width: number, height: number, pixels: Uint8Array): Buffer {
  const stride = width * 3
  const rows = Buffer.alloc(height * (stride + 1))
  for (let y = 0; y < height; y++) {
    const target = y * (stride + 1)
    const source = y * stride
    rows[target] = UP
    for (let x = 0; x < stride; x++) {
      const above = y === 0 ? 0 : (pixels[source - stride + x] ?? 0)
      rows[target + 1 + x] = (pixels[source + x] ?? 0) - above
    }
  }
  return rows
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length, 0)
  body.copy(framed, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}

function toAscii(text: string): string {
  return text.replace(
    /[^\0-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
