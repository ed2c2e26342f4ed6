/** Bytes as text. */

/** `undefined` for text that is not base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

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
