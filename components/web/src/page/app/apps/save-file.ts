/** Files that an app made. Each is saved when the person clicks, under the name that the person has read. */
import { asRecord, text } from '../net/api.ts'

export interface AppFile {
  name: string
  type: string
  bytes: Blob
  /** Of a kind that does nothing when it is opened, as far as its name tells. */
  isPlain: boolean
}

/** Characters of base64: 9 MB. */
const LONGEST = 12_000_000
/** Types that a browser would run or show as a page if the file were opened are saved as plain bytes. */
const SAFE =
  /^(?:image\/(?:png|jpeg|webp|gif)|audio\/[\w.+-]+|video\/[\w.+-]+|text\/(?:plain|csv)|application\/(?:json|pdf|zip))$/
const PLAIN = /\.(?:png|jpe?g|webp|gif|mp3|wav|ogg|mp4|webm|txt|md|csv|json|pdf|zip)$/i

/** @returns `undefined` if the block holds no file. */
export function readFile(block: unknown): AppFile | undefined {
  const resource = asRecord(asRecord(block)['resource'])
  const { uri, mimeType, blob, text: words } = resource
  const type =
    typeof mimeType === 'string' && SAFE.test(mimeType) ? mimeType : 'application/octet-stream'
  const bytes = typeof blob === 'string' ? bytesOf(blob) : text(words)
  if (bytes === undefined) return undefined
  const name = nameOf(text(uri) ?? '')
  return { name, type, bytes: new Blob([bytes], { type }), isPlain: PLAIN.test(name) }
}

export function saveFile({ name, bytes }: AppFile): void {
  const address = URL.createObjectURL(bytes)
  Object.assign(document.createElement('a'), { href: address, download: name }).click()
  // The download has begun when the next task runs, in every browser that was tried.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}

export function sizeOf({ bytes: { size } }: AppFile): string {
  if (size < 1000) return `${size} bytes`
  return size < 1e6 ? `${(size / 1000).toFixed(1)} KB` : `${(size / 1e6).toFixed(1)} MB`
}

/** The last part of its uri, without what a file system could misread. */
function nameOf(uri: string): string {
  const last = uri.split(/[/\\]/).at(-1) ?? ''
  const name = last
    .replace(/[?#].*$/s, '')
    .replace(/[^\w.-]+/g, '_')
    .replace(/^\.+/, '')
  return name.slice(-100) || 'file'
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  if (base64.length > LONGEST) return undefined
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}
