/** Files of the server: saving and `GET /view`. */
import { createHash } from 'node:crypto'
import { readPixels } from './drawing/read-pixels.ts'
import { encodeJpeg, encodeWebp } from './drawing/lossy.ts'
import { encodePng, type Picture } from './drawing/png.ts'
import { type Answer, type Call, empty } from './http.ts'
import type { SavedFile } from './nodes/definition.ts'
import type { QueueItem } from './queue.ts'
import type { FileArea, Store } from './store.ts'
import type { VersionTraits } from './version.ts'

const MEDIA_TYPES: Record<string, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  mp4: 'video/mp4',
  webm: 'video/webm',
  flac: 'audio/flac',
}
const AREAS: readonly string[] = ['output', 'temp', 'input'] satisfies FileArea[]

/** Writes a picture as `{prefix}_00001_.png`, with the prompt that made it inside. */
export async function savePicture(
  store: Store,
  picture: Picture,
  prefix: string,
  type: 'output' | 'temp',
  { prompt, extraData }: QueueItem,
): Promise<SavedFile> {
  const texts = { prompt: JSON.stringify(prompt) }
  const info = extraData.extra_pnginfo
  const more = typeof info === 'object' && info !== null ? Object.entries(info) : []
  const png = await encodePng(picture, {
    ...texts,
    ...Object.fromEntries(more.map(([key, value]) => [key, JSON.stringify(value)])),
  })
  return saveFile(store, { bytes: png, extension: 'png' }, prefix, type)
}

/** Writes a file as `{prefix}_00001_.{extension}`. */
export async function saveFile(
  store: Store,
  { bytes, extension }: { bytes: Uint8Array; extension: string },
  prefix: string,
  type: 'output' | 'temp',
): Promise<SavedFile> {
  const parts = prefix.split('/').filter((part) => part !== '' && part !== '.' && part !== '..')
  const name = parts.pop() ?? 'ComfyUI'
  const subfolder = parts.join('/')
  const taken = (await store.list(type, subfolder))
    .filter((file) => file.startsWith(`${name}_`))
    .map((file) => Number(file.slice(name.length + 1).split('_')[0]))
    .filter(Number.isInteger)
  const filename = `${name}_${String(Math.max(0, ...taken) + 1).padStart(5, '0')}_.${extension}`
  await store.write(type, subfolder === '' ? filename : `${subfolder}/${filename}`, bytes)
  return { filename, subfolder, type }
}

export async function viewFile(store: Store, traits: VersionTraits, call: Call): Promise<Answer> {
  const asked = call.query.get('filename')
  if (!asked) return empty(404)
  // A name may end with its area, as the choices of some nodes do.
  const [, named = asked, annotation] = /^(.*?)(?: \[(output|input|temp)\])?$/.exec(asked) ?? []
  if (named.startsWith('/') || named.includes('..')) return empty(400)
  // Only `subfolder` names a folder.
  const filename = named.split('/').at(-1) ?? ''
  const area = annotation ?? call.query.get('type') ?? 'output'
  if (!AREAS.includes(area)) return empty(400)
  const subfolder = call.query.get('subfolder') ?? ''
  if (subfolder.split('/').includes('..') || subfolder.startsWith('/')) return empty(403)
  const file = await store.read(
    area as FileArea,
    subfolder === '' ? filename : `${subfolder}/${filename}`,
  )
  if (!file) return empty(404)

  const { bytes, modified } = file
  const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 16)
  const etag = `"${digest}-${bytes.length.toString(16)}"`
  const headers: Record<string, string> = {
    ...(traits.modernInfo && { 'x-content-type-options': 'nosniff' }),
    // A header can have no other characters in it; the real server sends the bytes of UTF-8.
    'content-disposition': `filename="${filename.replaceAll(/[^\x20-\x7e]/g, '_')}"`,
    'content-type': MEDIA_TYPES[filename.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
    etag,
    'last-modified': modified.toUTCString(),
    'accept-ranges': 'bytes',
  }
  // A converted image is made for the request.
  if (call.query.has('preview') || call.query.has('channel')) {
    const [body, type] = await converted(bytes, call.query, headers['content-type'] ?? '')
    const disposition = headers['content-disposition'] ?? ''
    return {
      status: 200,
      headers: { 'content-disposition': disposition, 'content-type': type },
      body,
    }
  }
  if (['*', etag].includes(call.headers['if-none-match'] ?? ''))
    return { status: 304, headers: { etag } }
  return { headers, ...slice(bytes, call.headers.range, headers) }
}

const DEFAULT_QUALITY = 90

/** Only PNG is converted: other files are what a test has uploaded. */
async function converted(
  bytes: Uint8Array,
  query: URLSearchParams,
  type: string,
): Promise<[body: Uint8Array, type: string]> {
  const picture = type === 'image/png' ? readPixels(bytes) : undefined
  const preview = query.get('preview')
  if (!picture || preview === null) return [bytes, type]
  const [format, ...rest] = preview.split(';')
  const last = rest.at(-1) ?? ''
  const quality = /^\d+$/.test(last) ? Number(last) : DEFAULT_QUALITY
  return format === 'jpeg' && !query.get('channel')?.includes('a')
    ? [await encodeJpeg(picture, quality), 'image/jpeg']
    : [await encodeWebp(picture, quality), 'image/webp']
}

function slice(
  bytes: Uint8Array,
  range: string | undefined,
  headers: Record<string, string>,
): Answer {
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(range ?? '') ?? []
  if (from === undefined || to === undefined || from + to === '') {
    return { status: 200, headers, body: bytes }
  }
  const start = from === '' ? Math.max(0, bytes.length - Number(to)) : Number(from)
  const end = from === '' || to === '' ? bytes.length : Math.min(bytes.length, Number(to) + 1)
  if (start >= end) {
    const { 'content-disposition': disposition = '', 'content-type': type = '' } = headers
    const shown = { 'content-disposition': disposition, 'content-type': type }
    return {
      status: 416,
      headers: { ...shown, 'content-range': `bytes */${bytes.length}` },
      body: '',
    }
  }
  const part = bytes.subarray(start, end)
  const contentRange = `bytes ${start}-${end - 1}/${bytes.length}`
  return { status: 206, headers: { ...headers, 'content-range': contentRange }, body: part }
}
