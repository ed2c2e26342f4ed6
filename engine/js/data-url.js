/** https://fetch.spec.whatwg.org/#data-urls */
import { mimeType, serializeMimeType } from './mime-type.js'
import { charCodeAt, indexOf, matches, replaceAll, substring, toLowerCase } from './primordials.js'
import { toUtf8 } from './host.js'
import { percentDecode } from './urlencoded.js'

const { Uint8Array, atob } = globalThis
const BASE64 = /; *base64$/
const PLAIN = 'text/plain;charset=US-ASCII'

const CHARACTERS = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code))

export function latin1Of(bytes) {
  let text = ''
  for (let i = 0; i < bytes.length; i++) text += CHARACTERS[bytes[i]]
  return text
}

export function bytesOfLatin1(text) {
  const bytes = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i++) bytes[i] = charCodeAt(text, i)
  return bytes
}

/** @param url serialized. @returns its bytes and their media type, or undefined if it is not valid. */
export function readDataUrl(url) {
  const hash = indexOf(url, '#')
  const text = substring(url, 5, hash === -1 ? url.length : hash)
  const comma = indexOf(text, ',')
  if (comma === -1) return undefined
  let type = replaceAll(substring(text, 0, comma), /^[\t\n\f\r ]+|[\t\n\f\r ]+$/g, '')
  let bytes = percentDecode(toUtf8(substring(text, comma + 1)))
  if (matches(BASE64, toLowerCase(type))) {
    try {
      bytes = bytesOfLatin1(atob(latin1Of(bytes)))
    } catch {
      return undefined
    }
    type = replaceAll(substring(type, 0, type.length - 6), /; *$/g, '')
  }
  const parsed = mimeType(type[0] === ';' ? `text/plain${type}` : type)
  return { bytes, type: parsed === undefined ? PLAIN : serializeMimeType(parsed) }
}
