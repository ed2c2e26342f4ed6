/** Text of guests and clients, made safe to look at. */

// Controls except the tab, line and paragraph separators, and the marks that turn the direction of what follows.
const UNSEEN = /[\x00-\x08\x0a-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

const hex = (char: string, digits: number) => char.charCodeAt(0).toString(16).padStart(digits, '0')

/**
 * The text with its control characters written out: `\x1b` for an escape.
 *
 * A terminal takes them for commands: they can hide lines, forge others and set the clipboard, in a log file still
 * when somebody reads it.
 */
export function visible(text: string): string {
  return text.replace(UNSEEN, (char) =>
    char.charCodeAt(0) < 0x100 ? `\\x${hex(char, 2)}` : `\\u${hex(char, 4)}`,
  )
}

/** The same for a text that may have several lines. */
export const visibleLines = (text: string): string => text.split('\n').map(visible).join('\n')

/** A line of JSON with those characters written out that JSON lets stand; it means the same. */
export function visibleJson(json: string): string {
  return json.replace(UNSEEN, (char) => `\\u${hex(char, 4)}`)
}
