/** What the beginning of a picture says about it. The browser would find out only when it has taken the memory. */

export interface PictureHeader {
  mimeType: 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif'
  width: number
  height: number
  isAnimated: boolean
}

/** Bytes of a picture that are enough, unless a JPEG file begins with a long description. */
export const HEAD = 96 * 1024

/** @returns `undefined` for anything but a PNG, JPEG, WebP or GIF picture whose size is in the bytes. */
export function readHeader(bytes: Uint8Array): PictureHeader | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    if (view.getUint32(0) === 0x89504e47) return png(view)
    if (word(view, 0, 3) === 'GIF') return gif(view)
    if (word(view, 0, 4) === 'RIFF' && word(view, 8, 4) === 'WEBP') return webp(view)
    if (view.getUint16(0) === 0xffd8) return jpeg(view)
  } catch (error) {
    // A read beyond the last byte.
    if (!(error instanceof RangeError)) throw error
  }
  return undefined
}

function word(view: DataView, at: number, length: number): string {
  return Array.from({ length }, (_, index) => String.fromCharCode(view.getUint8(at + index))).join(
    '',
  )
}

function png(view: DataView): PictureHeader | undefined {
  if (word(view, 12, 4) !== 'IHDR') return undefined
  const size = { width: view.getUint32(16), height: view.getUint32(20) }
  let isAnimated = false
  // What animates is said before the first pixels.
  for (let at = 8; at + 8 <= view.byteLength; at += 12 + view.getUint32(at)) {
    const chunk = word(view, at + 4, 4)
    if (chunk === 'acTL') isAnimated = true
    if (chunk === 'IDAT' || chunk === 'acTL') break
  }
  return { mimeType: 'image/png', ...size, isAnimated }
}

function gif(view: DataView): PictureHeader {
  const size = { width: view.getUint16(6, true), height: view.getUint16(8, true) }
  // A picture that repeats has an extension of this name, after its colours.
  const end = Math.min(view.byteLength - 8, 2048)
  let isAnimated = false
  for (let at = 10; at < end && !isAnimated; at++) {
    isAnimated = view.getUint8(at) === 0x4e && word(view, at, 8) === 'NETSCAPE'
  }
  return { mimeType: 'image/gif', ...size, isAnimated }
}

function webp(view: DataView): PictureHeader | undefined {
  const made = (width: number, height: number, isAnimated = false): PictureHeader => ({
    mimeType: 'image/webp',
    ...{ width, height, isAnimated },
  })
  switch (word(view, 12, 4)) {
    case 'VP8X': {
      const flags = view.getUint8(20)
      const side = (at: number) => 1 + view.getUint16(at, true) + view.getUint8(at + 2) * 0x10000
      return made(side(24), side(27), (flags & 2) !== 0)
    }
    case 'VP8L': {
      const bits = view.getUint32(21, true)
      return made(1 + (bits & 0x3fff), 1 + ((bits >>> 14) & 0x3fff))
    }
    case 'VP8 ':
      return made(view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff)
    default:
      return undefined
  }
}

function jpeg(view: DataView): PictureHeader | undefined {
  for (let at = 2; at + 9 <= view.byteLength;) {
    if (view.getUint8(at) !== 0xff) return undefined
    const marker = view.getUint8(at + 1)
    // Bytes may fill the room before a marker.
    if (marker === 0xff) at += 1
    else if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      const size = { width: view.getUint16(at + 7), height: view.getUint16(at + 5) }
      return { mimeType: 'image/jpeg', ...size, isAnimated: false }
    } else at += 2 + view.getUint16(at + 2)
  }
  return undefined
}
