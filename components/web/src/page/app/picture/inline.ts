/** Pictures and files that are inside of a result: which of them are shown, and why others are not. */
import { HEAD, readHeader } from './header.ts'

/** A file of a result that is not shown, and can be downloaded. */
export interface Unshown {
  kind: 'unshown'
  name: string
  mimeType: string
  /** For people. */
  why: string
  /** In base64. */
  data: string
}

export interface Shown {
  kind: 'image'
  url: string
  name: string
  isAnimated?: boolean
}

/** Bytes. A browser that draws more from inside of its document stops for seconds. */
export const LARGEST = 10_000_000
/** Pixels. A browser needs four bytes for each, however small the file is. */
const MOST_PIXELS = 64_000_000

/** @param data in base64. */
export function inlinePicture(data: string, mimeType: string, name: string): Shown | Unshown {
  const unshown = (why: string): Unshown => ({ kind: 'unshown', name, mimeType, why, data })
  if (!mimeType.startsWith('image/')) return unshown('its type is not one of a picture')
  if (/svg|xml/.test(mimeType)) return unshown('pictures of this type can contain programs')
  if (bytesOf(data) > LARGEST) return unshown(`it is larger than ${LARGEST / 1e6} MB`)
  const header = readHeader(headOf(data))
  if (!header) return unshown('its bytes are not those of a PNG, JPEG, WebP or GIF picture')
  const { width, height, isAnimated } = header
  if (width * height > MOST_PIXELS) {
    return unshown(`it has ${width} × ${height} pixels, which need too much memory`)
  }
  const url = `data:${header.mimeType};base64,${data}`
  return { kind: 'image', url, name, ...(isAnimated && { isAnimated }) }
}

/** @returns `undefined` for an address that is not a picture in base64. */
export function pictureOfDataUrl(address: string, name: string): Shown | Unshown | undefined {
  const [prefix, mimeType] =
    /^data:(image\/[\w.+-]{1,60});base64,/.exec(address.slice(0, 100)) ?? []
  if (prefix === undefined || mimeType === undefined) return undefined
  return inlinePicture(address.slice(prefix.length), mimeType, name)
}

/** Of the file that the base64 is of. */
export function bytesOf(data: string): number {
  return Math.floor((data.length * 3) / 4)
}

function headOf(data: string): Uint8Array {
  const read = (length: number) => {
    try {
      return Uint8Array.from(atob(data.slice(0, length)), (letter) => letter.charCodeAt(0))
    } catch {
      return new Uint8Array()
    }
  }
  const first = read(64)
  // Only a JPEG file may have its size further on, and only a PNG or GIF file what animates it.
  return first[0] === 0x52 ? first : read(Math.ceil(HEAD / 3) * 4)
}

/** `3.2 MB` */
export function sizeInWords(bytes: number): string {
  if (bytes >= 1e6) return `${(bytes / 1e6).toFixed(1)} MB`
  return bytes >= 1000 ? `${(bytes / 1000).toFixed(1)} KB` : `${bytes} bytes`
}
