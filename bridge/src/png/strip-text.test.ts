import { crc32, deflateSync, inflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { crcWithZeros } from './zeros-crc.ts'
import { PngTextFilter, stripPngText } from './strip-text.ts'

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
const HEADER = Buffer.from('00000004000000010802000000', 'hex')
const PIXELS = Buffer.from([0, ...Array.from({ length: 12 }, (_, index) => index * 20)])

function chunk(type: string, data: Uint8Array | string = ''): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), Buffer.from(data as Uint8Array)])
  const file = Buffer.alloc(body.length + 8)
  file.writeUInt32BE(body.length - 4)
  body.copy(file, 4)
  file.writeUInt32BE(crc32(body), body.length + 4)
  return file
}

/** A picture with these chunks between its header and its data. */
function png(before: Buffer[], after: Buffer[] = []): Buffer {
  const data = chunk('IDAT', deflateSync(PIXELS))
  return Buffer.concat([SIGNATURE, chunk('IHDR', HEADER), ...before, data, ...after, chunk('IEND')])
}

/** The chunks of a file, each with a checksum that holds. */
function read(file: Buffer): { type: string; data: Buffer }[] {
  expect(file.subarray(0, 8)).toEqual(SIGNATURE)
  const chunks: { type: string; data: Buffer }[] = []
  for (let at = 8; at < file.length;) {
    const end = at + 8 + file.readUInt32BE(at)
    const type = file.toString('latin1', at + 4, at + 8)
    expect(file.readUInt32BE(end), `checksum of ${type}`).toBe(crc32(file.subarray(at + 4, end)))
    chunks.push({ type, data: file.subarray(at + 8, end) })
    at = end + 4
  }
  return chunks
}

/** @param size bytes that arrive at once. */
function strip(file: Buffer, size = file.length): Buffer {
  const filter = new PngTextFilter()
  const out: Uint8Array[] = []
  for (let at = 0; at < file.length; at += size) {
    out.push(...filter.push(file.subarray(at, at + size)))
  }
  return Buffer.concat([...out, ...filter.end()])
}

const WORKFLOW = 'workflow\0{"6":{"inputs":{"text":"a secret prompt"}}}'
const TEXTS = [
  chunk('tEXt', `prompt\0${WORKFLOW.repeat(300)}`),
  chunk('zTXt', Buffer.concat([Buffer.from('prompt\0\0'), deflateSync(WORKFLOW)])),
  chunk('iTXt', `prompt\0\0\0\0\0${WORKFLOW}`),
  chunk('tEXt'),
]

describe('the text of a PNG', () => {
  const file = png(TEXTS, [chunk('comf', WORKFLOW), TEXTS[0] ?? Buffer.alloc(0)])

  it('is gone, and everything else is as it was', () => {
    const stripped = strip(file)
    const kept = read(stripped).filter(({ type }) => type !== 'blNk')
    expect(kept).toEqual(read(png([])))
    const pixels = kept.find(({ type }) => type === 'IDAT')
    expect(inflateSync(pixels?.data ?? '')).toEqual(PIXELS)
    expect(stripped.includes('secret')).toBe(false)
    expect(stripped.includes('prompt')).toBe(false)
    for (const { type, data } of read(stripped)) {
      if (type === 'blNk') expect(data.every((byte) => byte === 0)).toBe(true)
    }
  })

  it('leaves the length of the file as it was, so that lengths and ranges stay true', () => {
    expect(strip(file)).toHaveLength(file.length)
  })

  it.each([1, 2, 3, 7, 8, 9, 64, 1000])('is gone when %i bytes come at a time', (size) => {
    expect(strip(file, size)).toEqual(strip(file))
  })

  it('is gone already when the file comes for the second time', () => {
    expect(strip(strip(file))).toEqual(strip(file))
  })

  it('is all that is touched: no text, no change', () => {
    const plain = png([chunk('gAMA', Buffer.from('0000b18f', 'hex')), chunk('eXIf', 'tEXt')])
    expect(strip(plain)).toEqual(plain)
  })

  it('is found as a chunk and not as a word among the pixels', () => {
    const tricky = png([chunk('zzZz', TEXTS[0])])
    expect(strip(tricky)).toEqual(tricky)
  })

  it.each([
    ['another kind of file', Buffer.from('GIF89a tEXt and more of it')],
    ['nothing', Buffer.alloc(0)],
    ['three bytes', SIGNATURE.subarray(0, 3)],
    ['a signature', SIGNATURE],
    ['a file that breaks off in a head', png([]).subarray(0, 37)],
    ['a file that breaks off in its data', png([]).subarray(0, 50)],
  ])('is not looked for in %s', (_, odd) => {
    expect(strip(odd, 5)).toEqual(odd)
  })

  it('is not kept of a file that breaks off in the middle of it', () => {
    const broken = file.subarray(0, 200)
    expect(strip(broken)).toHaveLength(200)
    expect(strip(broken).includes('secret')).toBe(false)
  })

  it('goes from a stream without the stream being collected', async () => {
    let pulled = 0
    const endless = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start: (controller) => controller.enqueue(new Uint8Array(file.subarray(0, -12))),
      pull(controller) {
        pulled++
        controller.enqueue(new Uint8Array(chunk('IDAT', new Uint8Array(65_536))))
      },
    })
    const reader = endless.pipeThrough(stripPngText()).getReader()
    let seen = Buffer.alloc(0)
    while (seen.length < file.length) {
      const { value } = await reader.read()
      seen = Buffer.concat([seen, value ?? Buffer.alloc(0)])
    }
    await reader.cancel()
    expect(seen.subarray(0, file.length - 12)).toEqual(strip(file).subarray(0, -12))
    expect(pulled).toBeLessThan(10)
  })
})

describe('the checksum of zeros', () => {
  it.each([0, 1, 2, 255, 256, 65_535, 1_000_003])('is right for %i of them', (zeros) => {
    const type = Buffer.from('blNk')
    expect(crcWithZeros(type, zeros)).toBe(crc32(Buffer.concat([type, Buffer.alloc(zeros)])))
  })
})
