// Images of some bytes that would fill the memory of the ComfyUI server that loads them.
import { crc32, deflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CANNOT_RUN, type RemoteApplication, startRemote } from '../remote/application.ts'
import { serve, type WebServer } from '../remote/servers.ts'
import { attack } from './support/attack.ts'

const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(
    parts.map((part) =>
      Buffer.from(part as string, typeof part === 'string' ? 'latin1' : undefined),
    ),
  )
const short = (value: number) => [value & 255, value >> 8]

function chunk(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(4)
  head.writeUInt32BE(data.length)
  const body = Buffer.concat([Buffer.from(type), data])
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([head, body, check])
}

function header(width: number, height: number): Buffer {
  const data = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0])
  data.writeUInt32BE(width)
  data.writeUInt32BE(height, 4)
  return chunk('IHDR', data)
}

const pixels = chunk('IDAT', deflateSync(Buffer.alloc(2)))
const png = (...chunks: Buffer[]) =>
  Buffer.concat([bytes('\x89PNG\r\n\x1a\n'), ...chunks, pixels, chunk('IEND', Buffer.alloc(0))])

/** A frame of one color in 15 bytes. */
const gifFrame = (width: number, height: number) =>
  bytes([0x2c, 0, 0, 0, 0], short(width), short(height), [0, 2, 2, 0x44, 1, 0])
const gif = (width: number, height: number, ...frames: Buffer[]) =>
  Buffer.concat([
    bytes('GIF89a', short(width), short(height), [0x80, 0, 0, 0, 0, 0, 255, 255, 255]),
    ...frames,
    bytes([0x3b]),
  ])

const jpegFrame = (width: number, height: number) =>
  bytes([0xff, 0xc0, 0, 11, 8, height >> 8, height & 255, width >> 8, width & 255, 1, 1, 0x11, 0])
const scan = bytes([0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 0, 0xff, 0xd9])
const jpeg = (...segments: Buffer[]) => Buffer.concat([bytes([0xff, 0xd8]), ...segments, scan])
/** The index of a file of several pictures: a TIFF directory with their number. */
const index = (pictures: number) =>
  bytes(
    [0xff, 0xe2, 0, 28],
    'MPF\0',
    'MM\0*',
    [0, 0, 0, 8, 0, 1, 0xb0, 1, 0, 4, 0, 0, 0, 1],
    [...[0, 0, pictures >> 8, pictures & 255]],
  )

const webpFrame = bytes('ANMF', [16, 0, 0, 0], Array<number>(16).fill(0))
const webp = (side: number, frames: number) => {
  const size = [...short(side - 1), 0]
  const about = bytes('VP8X', [10, 0, 0, 0, 2, 0, 0, 0], size, size)
  const body = Buffer.concat([bytes('WEBP'), about, ...Array<Buffer>(frames).fill(webpFrame)])
  return Buffer.concat([bytes('RIFF', [...short(body.length), 0, 0]), body])
}

const animated = chunk('fcTL', Buffer.alloc(26))
const BOMBS: Record<string, Buffer> = {
  'GIF with 100 frames of 1 x 1 on 1,000 x 1,000 pixels': gif(
    1000,
    1000,
    ...Array<Buffer>(100).fill(gifFrame(1, 1)),
  ),
  'GIF with a frame larger than its canvas': gif(1, 1, gifFrame(1, 1), gifFrame(60_000, 60_000)),
  'GIF with 2,001 frames of 1 x 1 pixel': gif(1, 1, ...Array<Buffer>(2001).fill(gifFrame(1, 1))),
  'GIF that hides its frames behind an empty extension': gif(
    1000,
    1000,
    bytes([0x21, 1, 0, 2, 0x3b, 0, 0]),
    ...Array<Buffer>(100).fill(gifFrame(1, 1)),
  ),
  'PNG with a second header': png(header(1, 1), header(60_000, 60_000)),
  'PNG whose first chunk is not its header': png(
    chunk('tEXt', Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 0])),
    header(60_000, 60_000),
  ),
  'animated PNG': png(header(1000, 1000), ...Array<Buffer>(100).fill(animated)),
  'animated WebP': webp(1000, 100),
  'JPEG with a second size': jpeg(jpegFrame(8, 8), jpegFrame(60_000, 60_000)),
  'JPEG that hides its size behind a marker without a length': jpeg(
    bytes([0xff, 0xd0, 0, 2]),
    jpegFrame(8, 8),
  ),
  'JPEG of 100 pictures': jpeg(index(100), jpegFrame(1000, 1000)),
}

/** What must still be taken. */
const GOOD: Record<string, Buffer> = {
  'a small PNG': png(header(1, 1)),
  'an animated GIF': gif(500, 500, ...Array<Buffer>(100).fill(gifFrame(500, 500))),
  'an animated WebP': webp(500, 100),
  'a JPEG with its preview': jpeg(index(2), jpegFrame(4000, 3000)),
}

describe.skipIf(CANNOT_RUN)('an image', () => {
  let application: RemoteApplication
  let comfyui: WebServer
  let uploads = 0
  beforeAll(async () => {
    comfyui = await serve((request, response) => {
      uploads += Number(request.url?.includes('/upload/'))
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"name":"taken.png"}')
    })
    const comfyui_url = new URL(comfyui.url).origin
    application = await startRemote('', { tool_components: 'comfyui', comfyui_url })
  })
  afterAll(async () => {
    await application?.close()
    await comfyui?.close()
  })

  const upload = async (image: Buffer) => {
    uploads = 0
    const data = `data:image/png;base64,${image.toString('base64')}`
    return JSON.stringify(await application.call('upload_image', { image: data }))
  }

  for (const [what, bomb] of Object.entries(BOMBS)) {
    attack(`an image is a bomb for ComfyUI: ${what}`, async () => {
      const answer = await upload(bomb)
      expect(answer).toMatch(/image: it /)
      expect(uploads).toBe(0)
      return 'refused before it is uploaded'
    })
  }

  test.each(Object.entries(GOOD))('%s is uploaded', async (_, image) => {
    expect(await upload(image)).toContain('taken.png')
    expect(uploads).toBe(1)
  })
})
