/**
 * Characters that a person does not see and a model reads, in the texts that components publish.
 *
 * Removed are control characters except tab and line feed (so of CR LF the line feed stays), and every character that
 * Unicode calls ignorable: marks that change the direction of the text, zero-width characters, tags (U+E0000 to U+E007F),
 * variation selectors, fillers. Kept is what people see the effect of:
 *
 * - one variation selector (U+FE0E, U+FE0F) after a character that can be an emoji,
 * - one zero-width joiner between two emoji: 👩‍💻 stays one,
 * - one joiner or non-joiner between two letters of a script that needs it, such as Arabic or Devanagari.
 *
 * So a flag that is written with tags (🏴 of England, Scotland, Wales) becomes the black flag.
 *
 * @see https://www.unicode.org/reports/tr44/#Default_Ignorable_Code_Point
 */
import { escaped } from 'ftl-http'
const HIDDEN = new RegExp(
  // Written out, so that it is the same for every version of Unicode; a test compares it with the properties.
  `[\\0-\\x1f\\x7f-\\x9f\\xad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f` +
    `\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufffb\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}]`,
  'u',
)

const EMOJI = '(?:\\p{Extended_Pictographic}|\\p{Emoji_Modifier})\\ufe0f?'
const JOINING = [
  'Arab',
  'Syrc',
  'Mong',
  'Nkoo',
  'Deva',
  'Beng',
  'Guru',
  'Gujr',
  'Orya',
  'Taml',
  'Telu',
]
  .concat(['Knda', 'Mlym', 'Sinh', 'Khmr', 'Tibt', 'Mymr'])
  .map((script) => `\\p{Script=${script}}`)
  .join('')

const KEPT =
  `[\\t\\n]|(?<=\\p{Emoji})[\\ufe0e\\ufe0f]|(?<=${EMOJI})\\u200d(?=\\p{Extended_Pictographic})|` +
  `(?<=[${JOINING}])[\\u200c\\u200d](?=[${JOINING}])`

/** What is kept, in the first group, or a character to remove. */
const KEPT_OR_HIDDEN = new RegExp(`(${KEPT})|${HIDDEN.source}`, 'gu')

/** The text without hidden characters. */
export function withoutHidden(text: string): string {
  // Most texts have none, and this test costs little.
  if (!/[^\t\n\x20-\x7e]/.test(text)) return text
  return text.replace(KEPT_OR_HIDDEN, (_, kept: string | undefined) => kept ?? '')
}

/** Hidden characters as escapes of a regular expression, so that it stays the same and can be read. */
export function withEscapes(pattern: string): string {
  if (withoutHidden(pattern) === pattern) return pattern
  return pattern.replace(new RegExp(HIDDEN, 'gu'), (character) =>
    character.replace(/[^]/g, escaped),
  )
}
