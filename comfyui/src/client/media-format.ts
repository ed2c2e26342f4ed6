/** The format of a video, a sound or a 3D model by its first bytes, because a name or a header can be wrong. */

export const MEDIA_KINDS = ['video', 'audio', 'model3d'] as const
export type MediaKind = (typeof MEDIA_KINDS)[number]

export interface MediaFormat {
  kind: MediaKind
  extension: string
  /** Media type. */
  type: string
}

type Row = readonly [extension: string, type: string, kind: MediaKind, start: RegExp]

/** The members of a glTF file, one of which comes first. */
const GLTF =
  'accessors|animations|asset|buffers|bufferViews|cameras|extensions(?:Used|Required)?|extras|images|materials|meshes|nodes|samplers|scenes?|skins|textures'

/** Bytes that the patterns below read. */
const START = 84

/** Formats that ComfyUI's own nodes load. A `.spz` is a whole gzip stream, and nothing before its end says of what. */
const FORMATS: readonly Row[] = [
  ['m4a', 'audio/mp4', 'audio', /^[^]{4}ftypM4[AB]/],
  ['mov', 'video/quicktime', 'video', /^[^]{4}ftypqt/],
  ['mp4', 'video/mp4', 'video', /^[^]{4}ftyp/],
  ['webm', 'video/webm', 'video', /^\x1a\x45\xdf\xa3/],
  ['mp3', 'audio/mpeg', 'audio', /^(?:ID3|\xff[\xe2-\xe7\xf2-\xf7\xfa-\xff])/],
  ['wav', 'audio/wav', 'audio', /^RIFF[^]{4}WAVE/],
  ['flac', 'audio/flac', 'audio', /^fLaC/],
  ['ogg', 'audio/ogg', 'audio', /^OggS/],
  ['glb', 'model/gltf-binary', 'model3d', /^glTF/],
  ['gltf', 'model/gltf+json', 'model3d', new RegExp(`^\\s*\\{\\s*"(?:${GLTF})"\\s*:`)],
  ['ply', 'application/ply', 'model3d', /^ply[\r\n]/],
  ['spz', 'application/x-spz', 'model3d', /^\x1f\x8b\x08/],
  ['fbx', 'application/octet-stream', 'model3d', /^Kaydara FBX Binary/],
  ['stl', 'model/stl', 'model3d', /^solid[ \r\n]/],
  ['obj', 'model/obj', 'model3d', /^(?:#|mtllib |o |g |v )/],
]

/**
 * @param bytes at least the first 84, if there are so many.
 * @param length of the whole file. @default that of `bytes`
 * @returns `undefined` for what ComfyUI's own nodes do not load.
 */
export function mediaFormat(bytes: Uint8Array, length = bytes.length): MediaFormat | undefined {
  const start = String.fromCharCode(...bytes.subarray(0, START))
  const row = FORMATS.find(([, , , pattern]) => pattern.test(start))
  if (row) return { kind: row[2], extension: row[0], type: row[1] }
  return isBinaryStl(bytes, length)
    ? { kind: 'model3d', extension: 'stl', type: 'model/stl' }
    : undefined
}

/** It has no mark: 80 free bytes, the number of triangles, and 50 bytes for each. */
function isBinaryStl(bytes: Uint8Array, length: number): boolean {
  if (bytes.length < START) return false
  const count = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(80, true)
  return count > 0 && length === 84 + count * 50
}
