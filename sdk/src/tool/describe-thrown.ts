/** What was thrown, if it is not an `Error`: the text itself, an object as JSON. */
export function describeThrown(thrown: unknown): string {
  try {
    return typeof thrown === 'string' ? thrown : (JSON.stringify(thrown) ?? String(thrown))
  } catch {
    return String(thrown)
  }
}
