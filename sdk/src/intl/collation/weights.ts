/**
 * Weights of characters in the root collation: https://www.unicode.org/reports/tr35/tr35-collation.html.
 *
 * Latin, Greek, Cyrillic, punctuation and common symbols have their order there. Of the rest, symbols come before digits
 * and letters after all others, by code point.
 */
import { EXPANSIONS, IGNORED, MARKS, ORDER } from '../data/collation.ts'

/** A letter, its accent and its case, in one number: `primary * 4096 + secondary * 16 + tertiary`. */
export type Weight = number

const LETTER = 4096
const ACCENT = 16
/** Primary weights: of symbols that are not in the list, of digits and of letters that are not in the list. */
const OTHER_SYMBOLS = 10_000
export const DIGITS = 2_000_000
const OTHER_LETTERS = 4_000_000
/** Secondary weight of the first mark: above those of letters. */
const FIRST_MARK = 32
const OTHER_MARK = 200

/** Of the first 1328 characters; made while the component is built. */
const weights = new Float64Array(0x530)
const others = new Map<string, Weight>()

for (const [index, group] of ORDER.split('\u0001').entries()) {
  const isFromDigits = index >= digitsAt()
  for (const [accent, chars] of group.split('\u0002').entries()) {
    // Even for small letters and odd for capital ones, so that capital ones can come first.
    let tertiary = -1
    for (const char of chars) {
      tertiary++
      if ((tertiary % 2 === 1) !== isCapital(char)) tertiary++
      const primary = index + 1 + (isFromDigits ? DIGITS : 0)
      const weight = primary * LETTER + (accent + 1) * ACCENT + tertiary
      const code = char.charCodeAt(0)
      if (code < weights.length) weights[code] = weight
      else others.set(char, weight)
    }
  }
}

/** Up to this primary weight, characters are punctuation and spaces. */
export const LAST_PUNCTUATION = primaryOf(weightOf('`')) - 1

const ignored = IGNORED.split(' ').map((range) =>
  range.split('-').map((code) => parseInt(code, 16)),
)

function isCapital(char: string): boolean {
  return char.toLowerCase() !== char
}

function digitsAt(): number {
  return ORDER.slice(0, ORDER.indexOf('\u00010')).split('\u0001').length
}

export function primaryOf(weight: Weight): number {
  return Math.floor(weight / LETTER)
}

export function secondaryOf(weight: Weight): number {
  return Math.floor((weight % LETTER) / ACCENT)
}

export function tertiaryOf(weight: Weight): number {
  return weight % ACCENT
}

/** 0 of what does not count. */
function weightOf(char: string): Weight {
  const code = char.codePointAt(0) ?? 0
  const known = code < weights.length ? (weights[code] ?? 0) : others.get(char)
  if (known) return known
  const mark = MARKS.indexOf(char)
  if (mark >= 0) return (FIRST_MARK + mark) * ACCENT
  if (ignored.some(([first = 0, last = 0]) => code >= first && code <= last)) return 0
  if (/\p{M}/u.test(char)) return OTHER_MARK * ACCENT
  const base = /[\p{P}\p{S}\p{Z}]/u.test(char) ? OTHER_SYMBOLS : OTHER_LETTERS
  return (base + code) * LETTER + ACCENT
}

/** Of a Latin letter with or without an accent, and of other ASCII characters that count; else 0. */
export function simpleWeight(code: number): Weight {
  return simple[code] ?? 0
}

/** Of text that is not decomposed: an accent has a weight of its own. */
export function weightsOf(text: string): Weight[] {
  const found: Weight[] = []
  for (const char of /[^\0-\x7f]/.test(text) ? text.normalize('NFD') : text) {
    const at = char > '\u007f' ? EXPANSIONS.indexOf(`|${char}`) : -1
    if (at < 0) {
      const weight = weightOf(char)
      if (weight !== 0) found.push(weight)
      continue
    }
    const expansion = EXPANSIONS.slice(at + 2, EXPANSIONS.indexOf('|', at + 2))
    // It follows the characters that it stands for: a ligature as by an accent, others as by their case.
    const isLigature = char.normalize('NFKD') === char
    for (const [index, part] of [...expansion].entries()) {
      if (index === 1 && isLigature) found.push((FIRST_MARK - 1) * ACCENT)
      found.push(weightOf(part) + 2)
    }
  }
  return found
}

/** Of the first 592 characters, those of Latin. */
const simple = new Float64Array(0x250)

for (const code of simple.keys()) {
  const [first = 0, ...marks] = weightsOf(String.fromCharCode(code))
  if (primaryOf(first) > 0 && marks.every((mark) => primaryOf(mark) === 0)) simple[code] = first
}
