/**
 * Images and other files as arguments of tools: read from where the caller says, within limits, and checked by their first bytes.
 *
 * @module
 */
export { imageInfo } from './format.ts'
export type { ImageFormat, ImageInfo } from './format.ts'
export { MAX_IMAGE_ARGUMENT, MAX_IMAGE_BYTES } from './limits.ts'
export { checkMask } from './mask.ts'
export { openAnyOutput } from './outputs-as-arguments.ts'
export { readLimited, TooLarge } from '../client/read-limited.ts'
export { readSourceImage } from './source-image.ts'
export type { SourceImage } from './source-image.ts'
export { NO_UPLOAD } from './source-bytes.ts'
export type { FileSources, OpenOutput } from './source-bytes.ts'
export { openAnyUpload, uploadIdIn } from './uploads-as-arguments.ts'
export { readSourceMedia } from './source-media.ts'
export type { SourceMedia } from './source-media.ts'
