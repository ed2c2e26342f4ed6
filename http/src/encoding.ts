/** Bytes and digests as text. */

const encoder = new TextEncoder()

export function utf8(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text)
}

/** `undefined` for text that is not base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

/** Base64 as base64url, without padding. */
export function urlSafe(text: string): string {
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/** Base64url as base64; no padding is added. */
export function fromUrlSafe(text: string): string {
  return text.replaceAll('-', '+').replaceAll('_', '/')
}

/** A character of 16 bits as JSON escapes it. */
export const escaped = (char: string): string =>
  `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`

// String.fromCharCode takes its bytes as arguments, and engines limit how many there may be.
const CHUNK = 0x8000

export function toBase64(bytes: Uint8Array): string {
  let binary = ''
  for (let at = 0; at < bytes.length; at += CHUNK) {
    const part = bytes.subarray(at, at + CHUNK) as Iterable<number> as number[]
    // Not spread: an engine that interprets then goes through an iterator, eight times as long.
    binary += String.fromCharCode.apply(null, part)
  }
  return btoa(binary)
}

/** SHA-256 in hexadecimal. Stored keys contain it, so its form must not change. */
export async function sha256(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', utf8(text))
  return hexOf(new Uint8Array(hash))
}

/** Native in our engine, a tenth of the time; Node 20 does not have it. */
function hexOf(bytes: Uint8Array & { toHex?: () => string }): string {
  return bytes.toHex?.() ?? [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
