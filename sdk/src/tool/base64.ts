// String.fromCharCode takes its bytes as arguments, and engines limit how many there may be.
const CHUNK = 0x8000

/** Bytes to base64; a string is taken to be base64 already. */
export function toBase64(data: Uint8Array | string): string {
  if (typeof data === 'string') return data
  let binary = ''
  for (let at = 0; at < data.length; at += CHUNK) {
    const part = data.subarray(at, at + CHUNK) as Iterable<number> as number[]
    // Not spread: an engine that interprets then goes through an iterator, eight times as long.
    binary += String.fromCharCode.apply(null, part)
  }
  return btoa(binary)
}
