/** Saves a file that an app made. The browser asks the person, or puts it where downloads go. */
import { asRecord, text } from '../net/api.ts'

/** Characters of base64: 9 MB. */
const LONGEST = 12_000_000
/** Types that a browser would run or show as a page if the file were opened are saved as plain bytes. */
const SAFE =
  /^(?:image\/(?:png|jpeg|webp|gif)|audio\/[\w.+-]+|video\/[\w.+-]+|text\/(?:plain|csv)|application\/(?:json|pdf|zip))$/

/** @returns whether there was one. */
export async function saveFile(block: unknown): Promise<boolean> {
  const resource = asRecord(asRecord(block)['resource'])
  const { uri, mimeType, blob, text: words } = resource
  const type =
    typeof mimeType === 'string' && SAFE.test(mimeType) ? mimeType : 'application/octet-stream'
  const bytes = typeof blob === 'string' ? bytesOf(blob) : text(words)
  if (bytes === undefined) return false
  const address = URL.createObjectURL(new Blob([bytes], { type }))
  Object.assign(document.createElement('a'), {
    href: address,
    download: nameOf(text(uri) ?? ''),
  }).click()
  // The download has begun when the next task runs, in every browser that was tried.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
  return true
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
