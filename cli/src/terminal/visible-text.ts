/** Escapes control characters in the text of guests and clients, for terminals and logs. */

// Control characters except the tab; line and paragraph separators; and marks that change the direction of the text.
const CONTROLS = /[\x00-\x08\x0a-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

const hex = (char: string, digits: number) => char.charCodeAt(0).toString(16).padStart(digits, '0')

/**
 * Escapes control characters: `\x1b` for the escape character.
 *
 * A terminal interprets them as commands, which can hide lines, forge lines and set the clipboard, also when a log file
 * is displayed later.
 */
export function visible(text: string): string {
  return text.replace(CONTROLS, (char) =>
    char.charCodeAt(0) < 0x100 ? `\\x${hex(char, 2)}` : `\\u${hex(char, 4)}`,
  )
}

/** The same for a text that may have several lines. */
export const visibleLines = (text: string): string => text.split('\n').map(visible).join('\n')

/** Escapes those of them that JSON allows in strings. The value stays the same, and so do the lines of an indented text. */
export function visibleJson(json: string): string {
  const line = (text: string) => text.replace(CONTROLS, (char) => `\\u${hex(char, 4)}`)
  return json.split('\n').map(line).join('\n')
}
