/** Texts of a result that are JSON. */

/** An object or a list that is written in a text. */
export function jsonIn(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

/** Whether a text repeats the structured content, as the protocol asks of tools for clients that read only texts. */
export function repeats(text: string, structuredContent: unknown): boolean {
  const json = jsonIn(text)
  return json !== undefined && JSON.stringify(json) === JSON.stringify(structuredContent)
}
