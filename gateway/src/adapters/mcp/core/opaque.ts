/** Values that a client brings back as they were given out: text it has no reason to look into. */

export function pack(value: unknown): string {
  return btoa(encodeURIComponent(JSON.stringify(value)))
}

/** `undefined` for text that was never given out. */
export function unpack(text: string): unknown {
  try {
    return JSON.parse(decodeURIComponent(atob(text)))
  } catch {
    return undefined
  }
}
