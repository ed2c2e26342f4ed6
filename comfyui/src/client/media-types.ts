/** Types of the files a workflow makes, by their extension: ComfyUI lists videos under `images` too. */

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  avif: 'image/avif',
  mp4: 'video/mp4',
  webm: 'video/webm',
  mov: 'video/quicktime',
  mkv: 'video/x-matroska',
  flac: 'audio/flac',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  ogg: 'audio/ogg',
  opus: 'audio/ogg',
  m4a: 'audio/mp4',
  glb: 'model/gltf-binary',
  obj: 'model/obj',
  gltf: 'model/gltf+json',
  stl: 'model/stl',
  usdz: 'model/vnd.usdz+zip',
  ply: 'application/ply',
  fbx: 'application/vnd.autodesk.fbx',
  spz: 'application/x-spz',
  svg: 'image/svg+xml',
  csv: 'text/csv; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  json: 'application/json',
}

/** Of anything else: never a type a browser would run. */
const UNKNOWN_TYPE = 'application/octet-stream'

export function mediaTypeOf(extension: string): string {
  return (Object.hasOwn(MEDIA_TYPES, extension) && MEDIA_TYPES[extension]) || UNKNOWN_TYPE
}

/** In lower case; `bin` where the name has none that an address can have. */
export function extensionOf(filename: string): string {
  return /\.([A-Za-z0-9]{2,5})$/.exec(filename)?.[1]?.toLowerCase() ?? 'bin'
}
