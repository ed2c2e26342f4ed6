/** https://url.spec.whatwg.org/#urlencoded-parsing into a FormData. */
import { charCodeAt, indexOf, replaceAll, split, subarray, substring } from './primordials.js'
import { fromUtf8Whole, toUtf8 } from './host.js'
import { makeFormData } from './form-data.js'

const { decodeURIComponent } = globalThis

/** Fields of one form; more are refused, so that a small body cannot make an instance busy. */
export const MAX_FIELDS = 10_000

/** @param bytes are parsed as they are: a byte order mark belongs to the first name. */
export function parseUrlEncoded(bytes) {
  const text = fromUtf8Whole(bytes)
  const entries = []
  const parts = split(text, '&')
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i]
    if (part === '') continue
    if (entries.length === MAX_FIELDS)
      throw new TypeError(`A form must have at most ${MAX_FIELDS} fields`)
    const equals = indexOf(part, '=')
    const name = equals === -1 ? part : substring(part, 0, equals)
    const value = equals === -1 ? '' : substring(part, equals + 1)
    entries[entries.length] = { name: decode(name), value: decode(value) }
  }
  return makeFormData(entries)
}

function decode(text) {
  const spaced = indexOf(text, '+') === -1 ? text : replaceAll(text, /\+/g, ' ')
  if (indexOf(spaced, '%') === -1) return spaced
  try {
    return decodeURIComponent(spaced)
  } catch {
    return fromUtf8Whole(percentDecode(toUtf8(spaced)))
  }
}

/** Changes the bytes; a `%` without two digits stays. */
export function percentDecode(bytes) {
  let size = 0
  for (let i = 0; i < bytes.length; i++) {
    const digits = bytes[i] === 0x25 ? hex(bytes[i + 1], bytes[i + 2]) : -1
    bytes[size++] = digits === -1 ? bytes[i] : digits
    if (digits !== -1) i += 2
  }
  return subarray(bytes, 0, size)
}

const hex = (high, low) => {
  const [h, l] = [digit(high), digit(low)]
  return h === -1 || l === -1 ? -1 : h * 16 + l
}
const zero = charCodeAt('0', 0)
const digit = (code) => {
  if (code >= zero && code <= zero + 9) return code - zero
  const letter = code | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}
