/** An image given as an argument. What it got is checked by its first bytes. */
import type { ToolContext } from 'ftl-sdk'
import { type ImageInfo, imageInfo } from './format.ts'
import { framesOf } from './frames.ts'
import { MAX_FRAMES, MAX_IMAGE_BYTES, MAX_PIXELS } from './limits.ts'
import { type FileSources, named, readBytes, refuse } from './source-bytes.ts'

export interface SourceImage extends ImageInfo {
  bytes: Uint8Array<ArrayBuffer>
}

const WANTED = { maxBytes: MAX_IMAGE_BYTES, accept: 'image/*', example: 'image/png' }

/**
 * @param argument name of the argument, for errors.
 * @throws {InvalidArguments} whose message begins with the argument.
 */
export function readSourceImage(
  source: string,
  context: ToolContext,
  sources: FileSources,
  argument = 'image',
): Promise<SourceImage> {
  return named(argument, readImage(source, context, sources))
}

async function readImage(
  source: string,
  context: ToolContext,
  sources: FileSources,
): Promise<SourceImage> {
  const bytes = await readBytes(source.trim(), context, sources, WANTED)
  const info = imageInfo(bytes)
  if (!info) throw refuse('is not a PNG, JPEG, WebP or GIF image')
  if (info.width * info.height > MAX_PIXELS) {
    throw refuse(`of ${info.width} x ${info.height} pixels is too large`)
  }
  const frames = framesOf(bytes, info)
  if (!frames) throw refuse(`is not a valid ${info.format.toUpperCase()} image`)
  const { count, width, height } = frames
  if (count > MAX_FRAMES) throw refuse(`has ${count} frames: at most ${MAX_FRAMES} are taken`)
  if (count * width * height > MAX_PIXELS) {
    const most = Math.floor(MAX_PIXELS / 1e6)
    throw refuse(
      `has ${count} frames of ${width} x ${height} pixels: all together may have ${most} million`,
    )
  }
  return { ...info, bytes }
}
