/** Encodes values that a client sends back unchanged, such as cursors. */

export function pack(value: unknown): string {
  return btoa(encodeURIComponent(JSON.stringify(value)))
}

/** `undefined` for text that {@link pack} did not make. */
export function unpack(text: string): unknown {
  try {
    return JSON.parse(decodeURIComponent(atob(text)))
  } catch {
    return undefined
  }
}
