/** `POST /upload/image` and `POST /upload/mask`. */
import { decode, encode } from 'fast-png'
import { type Answer, type Call, empty, HttpFailure, INTERNAL_ERROR, json } from './http.ts'
import type { FileArea, Store } from './store.ts'

/** Stores the uploaded bytes as they are. */
export function uploadImage(store: Store, call: Call): Promise<Answer> {
  return upload(store, call, async (bytes) => bytes)
}

/** Stores a copy of the image that `original_ref` names, with the transparency of the uploaded mask. */
export function uploadMask(store: Store, call: Call): Promise<Answer> {
  return upload(store, call, async (mask, form) => {
    const reference = form.get('original_ref')
    if (typeof reference !== 'string') throw new HttpFailure(INTERNAL_ERROR)
    const { filename, subfolder = '', type = 'output' } = parse(reference)
    if (!filename || filename.startsWith('/') || filename.includes('..')) {
      throw new HttpFailure(empty(400))
    }
    const path = subfolder === '' ? filename : `${subfolder}/${filename}`
    const original = await store.read(type as FileArea, path)
    // Without the file the server stores nothing, and says that it has.
    return original && withAlpha(original.bytes, mask)
  })
}

type Convert = (bytes: Uint8Array, form: FormData) => Promise<Uint8Array | undefined>

/** The same name with other bytes gets a number, unless `overwrite` is given. */
async function upload(store: Store, call: Call, convert: Convert): Promise<Answer> {
  const form = await new Response(new Uint8Array(await call.body()), {
    headers: { 'content-type': call.headers['content-type'] ?? '' },
  })
    .formData()
    .catch(() => undefined)
  const image = form?.get('image')
  if (!form || !(image instanceof File) || image.name === '') return empty(400)
  const asked = form.get('type')
  const area: FileArea = asked === 'temp' || asked === 'output' ? asked : 'input'
  const folder = form.get('subfolder')
  const subfolder = typeof folder === 'string' ? folder : ''
  if (subfolder.split('/').includes('..') || subfolder.startsWith('/')) return empty(400)
  if (image.name.startsWith('/') || image.name.split('/').includes('..')) return empty(400)
  const asksOverwrite = form.get('overwrite')
  const overwrite = asksOverwrite === 'true' || asksOverwrite === '1'
  const bytes = new Uint8Array(await image.arrayBuffer())
  const pathOf = (file: string) => (subfolder === '' ? file : `${subfolder}/${file}`)
  const original = image.name.split(/[\\/]/).at(-1) ?? 'image.png'
  const [, stem = original, extension = ''] = /^(.*?)(\.[^.]*)?$/.exec(original) ?? []
  let name = original
  for (let number = 1; !overwrite; number++) {
    const old = await store.read(area, pathOf(name))
    if (!old || Buffer.compare(old.bytes, bytes) === 0) break
    name = `${stem} (${number})${extension}`
  }
  const converted = await convert(bytes, form)
  if (converted) await store.write(area, pathOf(name), converted)
  return json(200, { name, subfolder, type: area })
}

function parse(text: string): { filename?: string; subfolder?: string; type?: string } {
  try {
    return JSON.parse(text) as { filename?: string }
  } catch {
    throw new HttpFailure(INTERNAL_ERROR)
  }
}

/** Only for PNG, which is what tests send. A mask without transparency makes nothing transparent. */
function withAlpha(original: Uint8Array, mask: Uint8Array): Uint8Array {
  const below = decode(original)
  const above = decode(mask)
  if (below.width !== above.width || below.height !== above.height) {
    throw new HttpFailure(INTERNAL_ERROR)
  }
  const { width, height } = below
  const data = new Uint8Array(width * height * 4)
  for (let at = 0; at < width * height; at++) {
    for (let channel = 0; channel < 3; channel++) {
      const from = below.channels < 3 ? 0 : channel
      data[at * 4 + channel] = Number(below.data[at * below.channels + from])
    }
    const hasAlpha = above.channels === 2 || above.channels === 4
    const alpha = above.data[at * above.channels + above.channels - 1]
    data[at * 4 + 3] = hasAlpha ? Number(alpha) : 255
  }
  return encode({ width, height, data, channels: 4 })
}
