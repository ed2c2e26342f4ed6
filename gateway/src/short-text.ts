/** Texts of strangers in records and logs. */

/** Characters of a text that a client or a component chooses. */
const MAX_TEXT = 256

/** A text of a stranger, not too long; `undefined` for anything else. */
export function shortText(value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined
  return value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}…` : value
}
