/** Text that a server sent, such as `error_description`, for messages that are printed on a terminal. */

const LONGEST = 200
/** Control characters, line separators, and marks that change the direction of text: a terminal would obey them. */
const CONTROLS = /[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

/** Shortens the text and replaces what a terminal could interpret. */
export function remoteText(text: string): string {
  const plain = text.replace(CONTROLS, '?')
  return plain.length > LONGEST ? `${plain.slice(0, LONGEST)}…` : plain
}
