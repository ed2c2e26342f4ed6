/** Files that go with a message: text as text, pictures as they are, and all that a tool may take by its address. */
import { newKey } from '../jobs/call.ts'
import { ApiError } from '../net/api.ts'
import { loadTools, wordsOf } from '../net/tools.ts'
import { LARGEST_INLINE, takesUploads, upload } from '../net/upload.ts'

export interface Attachment {
  /** Of this page: two files may have one name. */
  id: string
  name: string
  mimeType: string
  /** Bytes. */
  size: number
  text?: string
  /** In base64. */
  data?: string
  /** `/uploads/…`: a tool takes it by this address. */
  url?: string
}

const PICTURE = /^image\/(png|jpeg|webp|gif)$/
const TEXT = /^text\/|^application\/(json|xml|yaml|toml|javascript)$|\+(json|xml)$/
const MODEL = /\.(glb|obj|stl|fbx)$/i

/**
 * @param onSent receives how much of a file has been sent that goes by itself, from 0 to 1.
 * @throws an Error that says why this file cannot be attached.
 */
export async function attach(
  file: File,
  onSent: (share: number) => void,
  signal: AbortSignal,
): Promise<Attachment> {
  const { name, size, type } = file
  const id = newKey()
  const isMedia = /^(video|audio)\//.test(type) || MODEL.test(name)
  const isText = TEXT.test(type) || /\.(md|txt|csv|log|ts|js|py|rs|toml|ya?ml)$/i.test(name)
  if (!isMedia && !PICTURE.test(type)) {
    if (!isText) throw new Error(`${name} is not a picture, video, sound, 3D model or text.`)
    if (size > LARGEST_INLINE) throw new Error(`${name} is larger than 2.5 MB.`)
    return { id, name, size, mimeType: type || 'text/plain', text: await file.text() }
  }
  if (size === 0) throw new Error(`${name} is empty.`)
  // A model sees a small picture as well.
  const data = isMedia || size > LARGEST_INLINE ? undefined : await base64(file)
  const url = await send(file, data !== undefined, onSent, signal)
  const mimeType = type || 'application/octet-stream'
  return {
    id,
    name,
    size,
    mimeType,
    ...(data !== undefined && { data }),
    ...(url !== undefined && { url }),
  }
}

/** @returns nothing if the server does not take the file and the message does without. */
async function send(
  file: File,
  isOptional: boolean,
  onSent: (share: number) => void,
  signal: AbortSignal,
): Promise<string | undefined> {
  // The list may not be there yet, or be older than the tool.
  if (!takesUploads()) await loadTools()
  if (!takesUploads()) {
    if (isOptional) return undefined
    throw new Error(`${file.name} was not attached: no tool here takes files by themselves.`)
  }
  try {
    return await upload(file, onSent, signal)
  } catch (error) {
    if (isOptional || signal.aborted) return undefined
    const why = error instanceof ApiError ? wordsOf(error) : 'It cannot be sent.'
    throw new Error(`${file.name} was not attached. ${why}`)
  }
}

/**
 * A picture as the argument of a tool: written into it, or sent by itself if it is large.
 *
 * @throws an Error that says why this file cannot be used.
 */
export async function readPicture(
  file: File,
  onSent: (share: number) => void,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (!PICTURE.test(file.type))
    throw new Error(`${file.name} is not a PNG, JPEG, WebP or GIF picture.`)
  if (file.size === 0) throw new Error(`${file.name} is empty.`)
  if (file.size > LARGEST_INLINE) return send(file, false, onSent, signal)
  return `data:${file.type};base64,${await base64(file)}`
}

async function base64(file: File): Promise<string> {
  const reader = new FileReader()
  return new Promise((resolve, reject) => {
    // As a data URL it is always a string.
    reader.onload = () => resolve((reader.result as string).replace(/^[^,]*,/, ''))
    reader.onerror = () => reject(new Error(`${file.name} cannot be read.`))
    reader.readAsDataURL(file)
  })
}
