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

/** Index of the group of the digit 0. */
const firstDigit = ORDER.slice(0, ORDER.indexOf('\u00010')).split('\u0001').length

/** Of the characters to Cyrillic: index of the group, and place in it. Made while the component is built. */
const groupOf = new Uint16Array(0x530)
const placeOf = new Uint8Array(0x530)

for (const [index, group] of ORDER.split('\u0001').entries()) {
  for (const char of group) {
    const code = char.charCodeAt(0)
    if (code >= groupOf.length || char === '\u0002') continue
    groupOf[code] = index + 1
    placeOf[code] = placeIn(group, char)
  }
}

/** Up to this primary weight, characters are punctuation and spaces. */
export const LAST_PUNCTUATION = primaryOf(weightOf('`')) - 1

const ignored = IGNORED.split(' ').map((range) =>
  range.split('-').map((code) => parseInt(code, 16)),
)

export function primaryOf(weight: Weight): number {
  return Math.floor(weight / LETTER)
}

export function secondaryOf(weight: Weight): number {
  return Math.floor((weight % LETTER) / ACCENT)
}

export function tertiaryOf(weight: Weight): number {
  return weight % ACCENT
}

/** Its accent and its case. */
function placeIn(group: string, wanted: string): number {
  let [accent, tertiary] = [1, -1]
  for (const char of group) {
    if (char === '\u0002') {
      accent++
      tertiary = -1
      continue
    }
    tertiary++
    // Even for small letters and odd for capital ones, so that capital ones can come first.
    if ((tertiary % 2 === 1) !== (char.toLowerCase() !== char)) tertiary++
    if (char === wanted) break
  }
  return accent * ACCENT + tertiary
}

function listedWeight(group: number, place: number): Weight {
  const primary = group > firstDigit ? group + DIGITS : group
  return primary * LETTER + place
}

/** Made in a call, and only if needed: in the component they would take 15 KB. */
let groups: string[] | undefined
let classes: { mark: RegExp; symbol: RegExp } | undefined

/** 0 of what does not count. */
function weightOf(char: string): Weight {
  const code = char.codePointAt(0) ?? 0
  const group = groupOf[code] ?? 0
  if (group > 0) return listedWeight(group, placeOf[code] ?? 0)
  const mark = MARKS.indexOf(char)
  if (mark >= 0) return (FIRST_MARK + mark) * ACCENT
  if (ignored.some(([first = 0, last = 0]) => code >= first && code <= last)) return 0
  classes ??= {
    mark: new RegExp(String.raw`\p{M}`, 'u'),
    symbol: new RegExp(String.raw`[\p{P}\p{S}\p{Z}]`, 'u'),
  }
  if (classes.mark.test(char)) return OTHER_MARK * ACCENT
  const isSymbol = classes.symbol.test(char)
  if (isSymbol) groups ??= ORDER.split('\u0001')
  const index = (isSymbol && groups?.findIndex((each) => each.includes(char))) || -1
  if (index >= 0) return listedWeight(index + 1, placeIn(groups?.[index] ?? '', char))
  return ((isSymbol ? OTHER_SYMBOLS : OTHER_LETTERS) + code) * LETTER + ACCENT
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

/** Of each Latin character that counts, the one that it is without its accents. */
const simple = new Uint16Array(0x250)

for (const code of simple.keys()) {
  if (groupOf[String.fromCharCode(code).normalize('NFD').charCodeAt(0)] === 0) continue
  const [first = 0, ...marks] = weightsOf(String.fromCharCode(code))
  if (primaryOf(first) === 0 || marks.some((mark) => primaryOf(mark) > 0)) continue
  simple[code] = String.fromCharCode(code).normalize('NFD').charCodeAt(0)
}

/** Of a Latin letter with or without an accent, and of other ASCII characters that count; else 0. */
export function simpleWeight(code: number): Weight {
  const base = simple[code] ?? 0
  return base === 0 ? 0 : listedWeight(groupOf[base] ?? 0, placeOf[base] ?? 0)
}
