import { createHash } from 'node:crypto'
import { inflateSync } from 'node:zlib'

/** Links to files, wherever in an answer they are and whatever they are called there. */
export function pictureOf(answer: unknown): string {
  const [, address] = /"(?:uri|source)":"(https?:[^"]+\/outputs\/[^"]+)"/.exec(
    JSON.stringify(answer),
  ) ?? [undefined, undefined]
  if (address === undefined) throw new Error(`no picture in ${JSON.stringify(answer)}`)
  return address
}

/** What a PNG shows, as one number: its size and pixels, but not its texts, which a server may leave out. */
export function pixelHash(bytes: Uint8Array): string {
  const png = Buffer.from(bytes)
  if (png.toString('latin1', 0, 8) !== '\x89PNG\r\n\x1a\n') throw new Error('not a PNG')
  const data: Buffer[] = []
  const hash = createHash('sha256')
  for (let at = 8; at < png.length;) {
    const end = at + 8 + png.readUInt32BE(at)
    const [name, content] = [png.toString('latin1', at + 4, at + 8), png.subarray(at + 8, end)]
    if (name === 'IHDR') hash.update(content)
    if (name === 'IDAT') data.push(content)
    at = end + 4
  }
  return hash.update(inflateSync(Buffer.concat(data))).digest('hex')
}
