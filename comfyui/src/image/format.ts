/** Reads the format and the size in pixels from an image's first bytes. */

import { jpegSize } from './jpeg.ts'

export type ImageFormat = 'png' | 'jpeg' | 'webp' | 'gif'

export interface ImageInfo {
  format: ImageFormat
  width: number
  height: number
}

/**
 * Reads the format from the magic bytes, because a name or header can be wrong, and the size that the decoder will see.
 *
 * @returns `undefined` when ComfyUI cannot load the format, the header is cut off, or a side is 0.
 * @see https://www.w3.org/TR/png-3/ https://www.w3.org/Graphics/GIF/spec-gif89a.txt
 * @see https://www.rfc-editor.org/rfc/rfc9649 (WebP)
 */
export function imageInfo(bytes: Uint8Array): ImageInfo | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const text = (from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to))
  const start = text(0, 16)
  try {
    const size =
      start === '\x89PNG\r\n\x1a\n\0\0\0\rIHDR'
        ? { format: 'png' as const, width: view.getUint32(16), height: view.getUint32(20) }
        : /^GIF8[79]a/.test(start)
          ? {
              format: 'gif' as const,
              width: view.getUint16(6, true),
              height: view.getUint16(8, true),
            }
          : start.startsWith('\xff\xd8\xff')
            ? { format: 'jpeg' as const, ...jpegSize(view) }
            : /^RIFF[^]{4}WEBPVP8/.test(start)
              ? { format: 'webp' as const, ...webpSize(view, start.slice(12)) }
              : undefined
    return size && size.width > 0 && size.height > 0 ? size : undefined
  } catch (error) {
    // The view ends before the header does.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function webpSize(view: DataView, chunk: string): { width: number; height: number } {
  if (chunk.startsWith('VP8X')) {
    const at = (offset: number) => view.getUint16(offset, true) | (view.getUint8(offset + 2) << 16)
    return { width: at(24) + 1, height: at(27) + 1 }
  }
  if (chunk.startsWith('VP8L')) {
    const bits = view.getUint32(21, true)
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
}
