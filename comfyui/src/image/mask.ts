/** Checks a mask: an image whose transparent parts are to be changed. */
import { InvalidArguments } from 'ftl-sdk'
import type { SourceImage } from './source-image.ts'

/** Color types of PNG without transparency: gray and RGB. */
const OPAQUE = [0, 2]

/**
 * @param argument name of the mask's argument, for errors.
 * @param image that gets the mask's transparency, if its bytes are known.
 * @throws {InvalidArguments}
 */
export function checkMask(
  argument: string,
  mask: SourceImage,
  image: SourceImage | undefined,
): void {
  const { format, bytes, width, height } = mask
  if (format === 'jpeg' || (format === 'png' && isOpaque(bytes))) {
    throw new InvalidArguments(
      `${argument}: it has no transparency; make the parts transparent that are to be changed`,
    )
  }
  if (image && (image.width !== width || image.height !== height)) {
    const sizes = `${width} x ${height} pixels, and the image ${image.width} x ${image.height}`
    throw new InvalidArguments(`${argument}: it has ${sizes}; they must be equal`)
  }
}

/** Whether a PNG has neither an alpha channel nor a transparent color (a chunk tRNS, which comes before the pixels). */
function isOpaque(bytes: Uint8Array): boolean {
  const head = String.fromCharCode(...bytes.subarray(33, 1024))
  return OPAQUE.includes(bytes[25] ?? 0) && !head.includes('tRNS')
}
