/** The one decoder of base64url in tokens and keys. */
import { fromBase64, fromUrlSafe, urlSafe } from 'ftl-http'

const ALPHABET = /^[A-Za-z0-9_-]*$/

/**
 * Strict: no padding, no white space, and no second spelling of the same bytes. With a lenient decoder two texts can be
 * the same token, and a deny list by digest or a cache could be bypassed.
 *
 * @returns `undefined` for anything else.
 * @see https://www.rfc-editor.org/rfc/rfc7515#section-2
 */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!ALPHABET.test(text) || text.length % 4 === 1) return undefined
  const bytes = fromBase64(fromUrlSafe(text))
  return bytes && toBase64Url(bytes) === text ? bytes : undefined
}

/** Only for short values: the bytes become arguments of one call. */
function toBase64Url(bytes: Uint8Array): string {
  let binary = ''
  for (let at = 0; at < bytes.length; at += 4096) {
    const part = bytes.subarray(at, at + 4096) as Iterable<number> as number[]
    binary += String.fromCharCode.apply(null, part)
  }
  return urlSafe(btoa(binary))
}
