/** The format of a picture by its first bytes: those that a LoadImage node reads. */

export interface PictureFormat {
  /** Media type. */
  type: string
  extension: string
}

const SIGNATURES: readonly (readonly [type: string, extension: string, pattern: RegExp])[] = [
  ['image/png', 'png', /^\x89PNG\r\n\x1a\n/],
  ['image/jpeg', 'jpg', /^\xff\xd8\xff/],
  ['image/gif', 'gif', /^GIF8[79]a/],
  ['image/webp', 'webp', /^RIFF[^]{4}WEBP/],
]

/** @param bytes at least the first 16, if there are so many. */
export function pictureFormat(bytes: Uint8Array): PictureFormat | undefined {
  const start = String.fromCharCode(...bytes.subarray(0, 16))
  const found = SIGNATURES.find(([, , pattern]) => pattern.test(start))
  return found && { type: found[0], extension: found[1] }
}
