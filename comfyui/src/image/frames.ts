/**
 * How many frames a file makes its reader decode. ComfyUI loads every frame of an animation, each as large as the whole
 * image: 30 bytes of a GIF become gigabytes there.
 *
 * Refuses a file that Pillow would read in another way, because this module could not count its frames.
 */
import type { ImageInfo } from './format.ts'
import { jpegPictures } from './jpeg.ts'

export interface Frames {
  count: number
  /** Pixels of the largest canvas: a frame of a GIF can enlarge it. */
  width: number
  height: number
}

/** Parts of a file that are looked at. A photo of 10 MB has some thousand; each costs a microsecond or two. */
const MAX_PARTS = 100_000

/** @returns `undefined` if the file has too many parts, or is not as its format says. */
export function framesOf(bytes: Uint8Array, info: ImageInfo): Frames | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    switch (info.format) {
      case 'png':
        return { ...info, count: pngFrames(view) }
      case 'gif':
        return gifFrames(view, info)
      case 'webp':
        return { ...info, count: webpFrames(view) }
      case 'jpeg':
        return jpegPictures(view)
    }
  } catch (error) {
    // The view ends before the file does, or one of these functions has refused it.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Refuses a second header, which would change the size. */
function pngFrames(view: DataView): number {
  let count = 0
  let at = 8
  for (let part = 0; at + 12 <= view.byteLength; part++) {
    if (part === MAX_PARTS) throw new RangeError('too many chunks')
    const type = view.getUint32(at + 4)
    if (type === IHDR && part > 0) throw new RangeError('two headers')
    if (type === FRAME_CONTROL) count++
    if (type === IEND) break
    at += 12 + view.getUint32(at)
  }
  // The picture itself may be no part of its animation.
  return count + 1
}

const IHDR = 0x49484452
const IEND = 0x49454e44
const FRAME_CONTROL = 0x6663544c

const EXTENSION = 0x21
const COMMENT = 0xfe
const DESCRIPTOR = 0x2c
const TRAILER = 0x3b

function gifFrames(view: DataView, info: ImageInfo): Frames {
  let { width, height } = info
  let count = 0
  let parts = 0
  const byte = (at: number) => {
    if (++parts > MAX_PARTS) throw new RangeError('too many blocks')
    return view.getUint8(at)
  }
  const afterColors = (at: number, flags: number) =>
    flags & 0x80 ? at + 3 * 2 ** ((flags & 7) + 1) : at
  const afterData = (at: number) => {
    for (let length = byte(at); length > 0; length = byte(at)) at += 1 + length
    return at + 1
  }
  let at = afterColors(13, byte(10))
  while (at < view.byteLength) {
    const kind = byte(at)
    if (kind === TRAILER) break
    if (kind === EXTENSION) {
      const isEmpty = byte(at + 2) === 0
      // Pillow goes on with the next bytes as if they were its data.
      if (isEmpty && byte(at + 1) !== COMMENT) throw new RangeError('an empty extension')
      at = afterData(at + 2)
    } else if (kind === DESCRIPTOR) {
      const short = (offset: number) => view.getUint16(at + offset, true)
      width = Math.max(width, short(1) + short(5))
      height = Math.max(height, short(3) + short(7))
      count++
      // Behind the colors is one byte about the compression.
      const data = afterColors(at + 10, byte(at + 9)) + 1
      if (data >= view.byteLength) break
      at = afterCutData(data)
    } else at++
  }
  return { count: Math.max(1, count), width, height }

  /** A last frame that is cut off is still a frame. */
  function afterCutData(from: number): number {
    try {
      return afterData(from)
    } catch (error) {
      if (parts > MAX_PARTS) throw error
      return view.byteLength
    }
  }
}

function webpFrames(view: DataView): number {
  let count = 0
  let at = 12
  for (let part = 0; at + 8 <= view.byteLength; part++) {
    if (part === MAX_PARTS) throw new RangeError('too many chunks')
    if (view.getUint32(at) === ANIMATION_FRAME) count++
    const size = view.getUint32(at + 4, true)
    at += 8 + size + (size & 1)
  }
  return Math.max(1, count)
}

const ANIMATION_FRAME = 0x414e4d46
