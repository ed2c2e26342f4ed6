/** Files that go with a message: text as text, pictures as they are. */

export interface Attachment {
  name: string
  mimeType: string
  /** Bytes. */
  size: number
  text?: string
  /** In base64. */
  data?: string
}

/** Bytes. More than this no request to the gateway may have, base64 counted. */
const LARGEST = 2_500_000
const PICTURE = /^image\/(png|jpeg|webp|gif)$/
const TEXT = /^text\/|^application\/(json|xml|yaml|toml|javascript)$|\+(json|xml)$/

/** @throws an Error that says why this file cannot be attached. */
export async function attach(file: File): Promise<Attachment> {
  const { name, size, type } = file
  if (size > LARGEST) throw new Error(`${name} is larger than 2.5 MB.`)
  if (PICTURE.test(type)) return { name, size, mimeType: type, data: await base64(file) }
  const isText = TEXT.test(type) || /\.(md|txt|csv|log|ts|js|py|rs|toml|ya?ml)$/i.test(name)
  if (!isText) throw new Error(`${name} is neither a picture nor text.`)
  return { name, size, mimeType: type || 'text/plain', text: await file.text() }
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
