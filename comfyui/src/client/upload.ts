/** Uploads input pictures and masks to a server. */
import { asObject } from 'ftl-contract'
import { ComfyError } from './errors.ts'
import { type Content, exchange, type HttpOptions, type Reply, readOk } from './http.ts'
import { asText } from './narrow.ts'
import { mediaFormat } from './media-format.ts'
import { multipart } from './multipart.ts'
import { pictureFormat } from './picture-format.ts'

/** Keeps uploads out of LoadImage's choices, which list only the top level of the input folder. */
const SUBFOLDER = 'mcp'
/** Nodes that load a 3D model take only what is in this folder. */
const FOLDER_3D = '3d'
const UPLOAD_NAME =
  /^(?:mcp\/[0-9a-f]{32}\.(?:png|jpg|gif|webp|mp4|mov|webm|m4a|mp3|wav|flac|ogg)|3d\/mcp\/[0-9a-f]{32}\.(?:glb|fbx|stl|obj))$/

/**
 * Whether a name is one that {@link uploadImage} or {@link uploadMask} gives. It follows from the bytes of the picture, so
 * a caller that knows it has, or had, the picture.
 */
export function isUploadName(name: string): boolean {
  return UPLOAD_NAME.test(name)
}

/**
 * Uploads a picture under a name derived from its bytes. The same picture is stored only once, so the upload can be
 * retried when the response is lost.
 *
 * @returns the value for an `image` input of LoadImage.
 * @throws {ComfyError} `invalid_value` when it is not a picture; the server would report this only at run time.
 */
export function uploadImage(http: HttpOptions, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return upload(http, '/upload/image', bytes)
}

/**
 * Uploads a video, a sound or a 3D model, as {@link uploadImage} uploads a picture: ComfyUI takes any file there.
 *
 * @returns the value for an input that loads such a file.
 */
export async function uploadMedia(
  http: HttpOptions,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<string> {
  const format = mediaFormat(bytes)
  if (!format) {
    throw new ComfyError('invalid_value', 'The file must be a video, a sound or a 3D model.')
  }
  const hash = await contentHash(bytes)
  const subfolder = format.kind === 'model3d' ? `${FOLDER_3D}/${SUBFOLDER}` : SUBFOLDER
  const file = { filename: `${hash}.${format.extension}`, type: format.type, subfolder }
  return send(http, '/upload/image', toForm(hash, file, bytes))
}

/**
 * Uploads a mask. The server gives its transparency to a copy of the image, whose transparent parts LoadImage then
 * outputs as the mask.
 *
 * @param image as {@link uploadImage} returned it.
 * @returns the value for the `image` input of LoadImage, which loads the copy.
 */
export function uploadMask(
  http: HttpOptions,
  bytes: Uint8Array<ArrayBuffer>,
  image: string,
): Promise<string> {
  const filename = image.slice(image.lastIndexOf('/') + 1)
  const subfolder = image.slice(0, Math.max(0, image.length - filename.length - 1))
  const original = JSON.stringify({ filename, subfolder, type: 'input' })
  return upload(http, '/upload/mask', bytes, original)
}

async function upload(
  http: HttpOptions,
  path: string,
  bytes: Uint8Array<ArrayBuffer>,
  original?: string,
): Promise<string> {
  const format = pictureFormat(bytes)
  if (!format) {
    throw new ComfyError('invalid_value', 'The image must be PNG, JPEG, GIF or WebP.')
  }
  const { type, extension } = format
  const hash = await contentHash(bytes)
  // The copy with the mask is another file, and the server writes it as PNG.
  const filename =
    original === undefined ? `${hash}.${extension}` : `${await hashOf(hash + original)}.png`
  const file = { filename, type, subfolder: SUBFOLDER }
  return send(http, path, toForm(hash, file, bytes, original))
}

async function send(http: HttpOptions, path: string, content: Content): Promise<string> {
  return nameIn(await twice(() => exchange(http, path, content)))
}

/** The value for an input that loads the file. @throws {ComfyError} */
export function nameIn(reply: Reply): string {
  const answer = asObject(readOk(reply))
  const name = asText(answer.name)
  if (name === undefined) {
    throw new ComfyError('rejected', 'The ComfyUI server did not say where the file is.')
  }
  const subfolder = asText(answer.subfolder) ?? ''
  return subfolder === '' ? name : `${subfolder}/${name}`
}

/** 32 hexadecimal digits of SHA-256. */
async function contentHash(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return [...digest.subarray(0, 16)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

function hashOf(text: string): Promise<string> {
  return contentHash(new TextEncoder().encode(text))
}

// The boundary is a hash of the bytes, so a picture cannot contain it and inject form fields.
function toForm(
  hash: string,
  { filename, type, subfolder }: { filename: string; type: string; subfolder: string },
  bytes: Uint8Array,
  original?: string,
): Content {
  const { head, tail, contentType } = multipart(
    `ftl-${hash}`,
    { filename, type, subfolder },
    original,
  )
  const body = new Uint8Array(head.length + bytes.length + tail.length)
  body.set(head, 0)
  body.set(bytes, head.length)
  body.set(tail, head.length + bytes.length)
  return { type: contentType, bytes: body }
}

/** The same bytes get the same name, so that sending them again does nothing more. */
async function twice(send: () => Promise<Reply>): Promise<Reply> {
  try {
    const reply = await send()
    const isBad = reply.status === 502 || reply.status === 504
    return isBad ? await send() : reply
  } catch (error) {
    if (!(error instanceof ComfyError) || error.kind !== 'unreachable') throw error
    return send()
  }
}
