/** Changes parts of a JSON text and leaves every other byte as it is. */
import type { Span } from './json-text.ts'

export interface Edit extends Span {
  /** What is written there. */
  json: string | undefined
}

/**
 * @param edits places that do not overlap; one without characters inserts.
 * @throws {RangeError} when two edits overlap or one has no JSON: the text would be torn.
 */
export function splice(text: string, edits: readonly Edit[]): string {
  const parts: string[] = []
  let at = 0
  for (const { start, end, json } of [...edits].sort((a, b) => a.start - b.start)) {
    if (start < at || end > text.length || json === undefined) {
      throw new RangeError('edits of a workflow must be JSON and must not overlap')
    }
    parts.push(text.slice(at, start), json)
    at = end
  }
  parts.push(text.slice(at))
  return parts.join('')
}
