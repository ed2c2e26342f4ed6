/**
 * From text to the words that a search compares: lower case, identifiers split, without endings.
 *
 * It needs no tables of Unicode: the engine of a component has none. Letters beyond ASCII are kept as they are, and a
 * script without spaces is cut into pairs of characters.
 */

/** Words without a meaning for a search: they would match half of the tools. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a about all also every still something much many next who whose get put take see know people we give best am an and any are as at be been but by can could do does for from has have how i if in into is it its ' +
    'just let me my need no not of off on one or our out over please should so some such than that the their them ' +
    'then there these they this those to tool tools up us use used using via want was we were what when where which ' +
    'while who will with would you your'
  ).split(' '),
)

// A capital letter after a small one, the last of several capitals, and a digit beside a letter begin a new part.
const PARTS = /[A-Z]+(?![a-z])|[A-Z]?[a-z\u00aa-\uffff]+|\d+/g
const RUNS = /[A-Za-z0-9\u00aa-\uffff]+/g
/** Punctuation beyond ASCII, and surrogates: symbols that are not searched for. */
const SYMBOLS =
  /[\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u00d7\u00f7\u2000-\u206f\u20a0-\u2bff\u3000-\u3004\u3008-\u3020\ud800-\uf8ff\ufe00-\ufe0f\uff00-\uff0f]+/g
/** Characters of scripts that put no space between words. */
const UNSPACED = /[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]/
/** Longer ones are data, such as keys. */
const LONGEST_WORD = 40

/** @param limit words that are read; the rest of the text is ignored. */
export function wordsOf(text: string, limit: number): string[] {
  const words: string[] = []
  // A word has at most 40 characters, so this reads enough without reading a megabyte.
  const start = plain(text.slice(0, limit * LONGEST_WORD)).replace(SYMBOLS, ' ')
  for (const [run] of start.matchAll(RUNS)) {
    if (words.length >= limit) break
    for (const word of partsOf(run)) {
      if (word.length <= LONGEST_WORD && !STOP_WORDS.has(word)) words.push(stem(word))
    }
  }
  return words.slice(0, limit)
}

/** Without accents and in the usual form of each letter, so that `Café`, however it is written, is `Cafe`. */
function plain(text: string): string {
  if (!/[\u00aa-\uffff]/.test(text)) return text
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
}

function partsOf(run: string): string[] {
  const parts = run.match(PARTS) ?? []
  const words = parts.flatMap((part) => {
    const word = part.toLowerCase()
    return UNSPACED.test(word) ? pairsOf(word) : [word]
  })
  // GitHub is also github, and s3 is not s and 3.
  return parts.length === 2
    ? [run.toLowerCase(), ...words.filter((word) => word.length > 1)]
    : words
}

function pairsOf(word: string): string[] {
  if (word.length < 3) return [word]
  return Array.from({ length: word.length - 1 }, (_, place) => word.slice(place, place + 2))
}

/**
 * A word without its ending, so that `files`, `file` and `filing` are one. The result need not be a word: it is the same
 * for the index and the query.
 */
export function stem(word: string): string {
  let known = stems.get(word)
  if (known === undefined) {
    if (stems.size >= MAX_STEMS) stems.clear()
    stems.set(word, (known = withoutEnding(word)))
  }
  return known
}

/** Words whose stems are kept; each has at most {@link LONGEST_WORD} characters. */
const MAX_STEMS = 4096

/** Descriptions use the same words again and again. A stem depends on nothing but its word. */
const stems = new Map<string, string>()

function withoutEnding(word: string): string {
  if (/^(?:planes?|news)$/.test(word)) return word.slice(0, 5)
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word
  let base = singular(word)
  for (const ending of ENDINGS) {
    if (!base.endsWith(ending)) continue
    const rest = base.slice(0, -ending.length)
    if (rest.length < (SHORT.test(ending) ? 4 : 3) || !/[aeiouy]/.test(rest)) continue
    base = rest
    break
  }
  // Planned is plann, and pass is pas.
  base = base.replace(/([^aeiouy])\1$/, '$1')
  // Translate is translat, translation transl.
  return base.length > 4 ? base.replace(/(?:[eyi]|(?<=.{5})ic|(?<=...)at[ey]?)$/, '') : base
}

function singular(word: string): string {
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`
  if (/(?:ss|sh|ch|x|z)es$/.test(word)) return word.slice(0, -2)
  return /[^sui]s$/.test(word) ? word.slice(0, -1) : word
}

/** Endings that also end short words. */
const SHORT = /^(?:i[zs]ed?|..)$/
/** The longer ones first. */
const ENDINGS = (
  'ization ational ation ition ement ments ment ings ing ions ion ance ence able ible ness edly ized ised ize ise ' +
  'ed er or ly al'
).split(' ')
